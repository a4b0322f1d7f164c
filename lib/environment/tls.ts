import { createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import type { SecureContext } from 'node:tls'
import { readingProblem, readRegularFile } from '../text/read-file.ts'
import { codeOf } from '../text/system-reason.ts'
import type { Problem, SetTexts } from './errors.ts'

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

/** Parses all certificates, and returns the first. @throws Error for a damaged one, and without any */
function parseCertificates(pem: string): X509Certificate {
  const blocks = pem.split(/(?=-----BEGIN )/)
  const own = blocks.filter((block) => block.startsWith('-----BEGIN CERTIFICATE-'))
  const [first] = own.map((block) => new X509Certificate(block))
  if (first === undefined) throw new Error('it has no certificate')
  return first
}

/** Reads and checks the TLS files. Returns nothing if no variable is set. */
export function readTls(
  settings: SetTexts,
  directory: string,
): { tls?: TlsOptions; problems: Problem[] } {
  const passphrase = settings.get(PASSPHRASE)?.text
  const tls: TlsOptions = passphrase === undefined ? {} : { passphrase }
  const problems: Problem[] = []
  const report = (variable: string, message: string): undefined => {
    problems.push({ variable, message, source: settings.get(variable)?.source })
  }

  function read<Parsed>(
    variable: string,
    option: 'ca' | 'cert' | 'key',
    parse: (pem: string) => Parsed,
  ): Parsed | undefined {
    const path = settings.get(variable)?.text
    if (path === undefined) return undefined
    let pem: string
    try {
      pem = readRegularFile(resolve(directory, path))
    } catch (error) {
      const hint = 'a path is relative to the working directory'
      return report(variable, `names a file that ${readingProblem(error)}: ${hint}`)
    }
    tls[option] = pem
    try {
      return parse(pem)
    } catch {
      const content = option === 'key' ? 'private key' : 'certificate'
      if (option !== 'key' || !pem.includes('ENCRYPTED')) {
        return report(variable, `names a file without a valid ${content} in PEM: replace it`)
      }
      const isSet = passphrase !== undefined
      const problem = isSet ? `does not decrypt ${KEY}` : `is not set, but ${KEY} is encrypted`
      return report(PASSPHRASE, `${problem}: set the passphrase of that key`)
    }
  }

  read(CA, 'ca', parseCertificates)
  const cert = read(CERT, 'cert', parseCertificates)
  const key = read(KEY, 'key', (pem) => createPrivateKey({ key: pem, passphrase }))
  if (cert && key && !cert.checkPrivateKey(key)) {
    report(KEY, `is not the key of the first certificate in ${CERT}: set both files of one pair`)
  }
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
