import { createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import type { SecureContext } from 'node:tls'
import { readingProblem, readRegularFile } from '../text/read-file.ts'
import { codeOf } from '../text/system-reason.ts'
import type { Problem } from './errors.ts'

const [CA, CERT, KEY] = ['PROBE_TLS_CA', 'PROBE_TLS_CERT', 'PROBE_TLS_KEY'] as const
const PASSPHRASE = 'PROBE_TLS_KEY_PASSPHRASE'

export interface TlsOptions {
  /** The only authorities that are trusted; absent: the authorities of Node.js. */
  ca?: string
  cert?: string
  key?: string
  passphrase?: string
}

/** Loads `node:tls` only when it is needed, since that delays the start. */
export function createTlsContext(options: TlsOptions): SecureContext {
  return process.getBuiltinModule('node:tls').createSecureContext(options)
}

/** Parses all certificates, and returns the first. @throws Error */
const parseCertificates = (pem: string): X509Certificate | undefined =>
  pem
    .split(/(?=-----BEGIN )/)
    .filter((block) => block.startsWith('-----BEGIN CERTIFICATE-'))
    .map((block) => new X509Certificate(block))[0]

/** Reads and checks the TLS files. Returns nothing if no variable is set. */
export function readTls(
  texts: ReadonlyMap<string, string>,
  directory: string,
): { tls?: TlsOptions; problems: Problem[] } {
  const passphrase = texts.get(PASSPHRASE)
  const problems: Problem[] = []
  const report = (variable: string, message: string): undefined => {
    problems.push({ variable, message })
  }
  const read = <Parsed>(
    variable: string,
    content: string,
    start: RegExp,
    parse: (pem: string) => Parsed,
  ): { pem?: string; parsed?: Parsed } => {
    const path = texts.get(variable)
    if (path === undefined) return {}
    let pem: string | undefined
    try {
      pem = readRegularFile(resolve(directory, path))
      if (start.test(pem)) return { pem, parsed: parse(pem) }
      report(variable, `names a file without a ${content} in PEM: convert it to PEM`)
    } catch (error) {
      if (pem === undefined) {
        const hint = 'a path is relative to the working directory'
        report(variable, `names a file that ${readingProblem(error)}: ${hint}`)
      } else if (variable !== KEY || !pem.includes('ENCRYPTED')) {
        report(variable, `names a file with a damaged ${content}: replace it`)
      } else {
        const problem = passphrase
          ? `does not decrypt ${KEY}`
          : `is not set, but ${KEY} is encrypted`
        report(PASSPHRASE, `${problem}: set the passphrase of that key`)
      }
    }
    return {}
  }
  const certificateStart = /^-----BEGIN CERTIFICATE-/m
  const keyStart = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/
  const ca = read(CA, 'certificate', certificateStart, parseCertificates)
  const cert = read(CERT, 'certificate', certificateStart, parseCertificates)
  const key = read(KEY, 'private key', keyStart, (pem) =>
    createPrivateKey({ key: pem, passphrase }),
  )
  if (cert.parsed && key.parsed && !cert.parsed.checkPrivateKey(key.parsed)) {
    report(KEY, `is not the key of the first certificate in ${CERT}: set both files of one pair`)
  }
  const contents = Object.entries({ ca: ca.pem, cert: cert.pem, key: key.pem, passphrase })
  const tls: TlsOptions = Object.fromEntries(contents.filter(([, text]) => text !== undefined))
  if (problems.length > 0 || Object.keys(tls).length === 0) return { problems }
  try {
    createTlsContext(tls)
  } catch (error) {
    // A key or a signature may be too weak.
    const name = tls.cert === undefined ? CA : CERT
    report(name, `is not accepted by OpenSSL (${codeOf(error)}): replace it`)
  }
  return { tls, problems }
}
