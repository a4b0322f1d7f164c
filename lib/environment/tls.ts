import { createPrivateKey, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import type { SecureContext } from 'node:tls'
import { readingProblem, readRegularFile } from '../text/read-file.ts'
import { codeOf } from '../text/system-reason.ts'
import type { Problem, SetTexts } from './errors.ts'

const files = { ca: 'PROBE_TLS_CA', cert: 'PROBE_TLS_CERT', key: 'PROBE_TLS_KEY' } as const
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

  function read<Parsed>(option: keyof typeof files, parse: (pem: string) => Parsed) {
    const path = settings.get(files[option])?.text
    if (path === undefined) return undefined
    try {
      tls[option] = readRegularFile(resolve(directory, path))
    } catch (error) {
      const hint = 'a path is relative to the working directory'
      return report(files[option], `names a file that ${readingProblem(error)}: ${hint}`)
    }
    try {
      return parse(tls[option])
    } catch {
      const content = option === 'key' ? 'private key' : 'certificate'
      if (option !== 'key' || !tls[option].includes('ENCRYPTED')) {
        return report(files[option], `names a file without a valid ${content} in PEM: replace it`)
      }
      const key = files.key
      const isSet = passphrase !== undefined
      const problem = isSet ? `does not decrypt ${key}` : `is not set, but ${key} is encrypted`
      return report(PASSPHRASE, `${problem}: set the passphrase of that key`)
    }
  }

  read('ca', parseCertificates)
  const cert = read('cert', parseCertificates)
  const key = read('key', (pem) => createPrivateKey({ key: pem, passphrase }))
  if (cert && key && !cert.checkPrivateKey(key)) {
    report(
      files.key,
      `is not the key of the first certificate in ${files.cert}: set both files of one pair`,
    )
  }
  if (problems.length > 0 || Object.keys(tls).length === 0) return { problems }
  try {
    createTlsContext(tls)
  } catch (error) {
    // A key or a signature may be too weak.
    const name = tls.cert === undefined ? files.ca : files.cert
    report(name, `is not accepted by OpenSSL (${codeOf(error)}): replace it`)
  }
  return { tls, problems }
}
