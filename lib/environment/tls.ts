import { createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import type { SecureContext } from 'node:tls'
import { codeOf, type Problem } from './errors.ts'
import { readingProblem, readRegularFile } from './read-file.ts'

const tlsVariables = [
  'PROBE_TLS_CA',
  'PROBE_TLS_CERT',
  'PROBE_TLS_KEY',
  'PROBE_TLS_KEY_PASSPHRASE',
] as const

/** Contents of the TLS files, in PEM. */
export interface TlsOptions {
  /** The only authorities that are trusted; absent: those of Node.js. */
  ca?: string
  cert?: string
  key?: string
  passphrase?: string
  /** Values by variable, for curl commands; the passphrase as `$NAME`. */
  settings: Record<string, string>
}

/** Loads `node:tls` only when it is needed, since that delays the start. */
export function createTlsContext({ ca, cert, key, passphrase }: TlsOptions): SecureContext {
  const { createSecureContext } = process.getBuiltinModule('node:tls')
  return createSecureContext({ ca, cert, key, passphrase })
}

/** Reads and checks the TLS files. Returns nothing if no variable is set. */
export function readTls(
  texts: ReadonlyMap<string, string>,
  directory: string,
): { tls?: TlsOptions; problems: Problem[] } {
  const [CA, CERT, KEY, PASSPHRASE] = tlsVariables
  const passphrase = texts.get(PASSPHRASE)
  const problems: Problem[] = []
  const report = (variable: string, message: string) => {
    problems.push({ variable, message })
    return undefined
  }
  const read = (variable: string) => {
    try {
      const path = texts.get(variable)
      return path === undefined ? undefined : readRegularFile(resolve(directory, path))
    } catch (error) {
      const hint = 'a path is relative to the working directory'
      return report(variable, `names a file that ${readingProblem(error)}: ${hint}`)
    }
  }
  const parseCertificate = (variable: string, pem: string) => {
    const blocks = pem.split(/(?=-----BEGIN )/).filter((one) => /^-+BEGIN CERTIFICATE-/.test(one))
    if (blocks.length === 0) {
      return report(variable, 'names a file without a certificate in PEM: convert it to PEM')
    }
    try {
      return blocks.map((block) => new X509Certificate(block))[0]
    } catch {
      return report(variable, 'names a file with a damaged certificate: replace it')
    }
  }
  const parseKey = (pem: string) => {
    if (!/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/.test(pem)) {
      return report(KEY, 'names a file without a private key in PEM: convert it to PEM')
    }
    try {
      return createPrivateKey({ key: pem, passphrase })
    } catch {
      if (!pem.includes('ENCRYPTED')) {
        return report(KEY, 'names a file with a damaged private key: replace it')
      }
      const isMissing = passphrase === undefined
      const problem = isMissing ? `is not set, but ${KEY} is encrypted` : `does not decrypt ${KEY}`
      return report(PASSPHRASE, `${problem}: set the passphrase of that key`)
    }
  }

  const [ca, cert, key] = [read(CA), read(CERT), read(KEY)]
  if (ca !== undefined) parseCertificate(CA, ca)
  const certificate = cert === undefined ? undefined : parseCertificate(CERT, cert)
  const privateKey = key === undefined ? undefined : parseKey(key)
  if (certificate && privateKey && !certificate.checkPrivateKey(privateKey)) {
    report(KEY, `is not the key of the first certificate in ${CERT}: set both files of one pair`)
  }
  if (problems.length > 0 || (ca === undefined && cert === undefined)) return { problems }
  const used = tlsVariables.filter((name) => texts.has(name))
  const values = used.map((name) => [name, name === PASSPHRASE ? `$${name}` : texts.get(name)])
  const settings = Object.fromEntries(values)
  // Without keys of absent contents.
  const tls: TlsOptions = JSON.parse(JSON.stringify({ ca, cert, key, passphrase, settings }))
  try {
    createTlsContext(tls)
  } catch (error) {
    // A key or a signature may be too weak.
    const name = cert === undefined ? CA : CERT
    report(name, `is not accepted by OpenSSL (${codeOf(error)}): replace it`)
  }
  return { tls, problems }
}
