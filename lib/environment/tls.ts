import { X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import type { SecureContext } from 'node:tls'
import { readingProblem, readRegularFile } from '../text/read-file.ts'
import { codeOf } from '../text/system-reason.ts'
import type { Problem, SetTexts } from './variable.ts'

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
export const createTlsContext = (options: TlsOptions): SecureContext =>
  process.getBuiltinModule('node:tls').createSecureContext(options)

/** @throws Error without the content of such a file, and for a damaged certificate, which OpenSSL ignores among authorities */
function requirePem(text: string, option: keyof typeof files): void {
  const label = option === 'key' ? '-----BEGIN ' : '-----BEGIN CERTIFICATE-'
  const blocks = text.split(/(?=-----BEGIN )/).filter((block) => block.startsWith(label))
  if (blocks.length === 0) throw new Error('it has no such block')
  if (option !== 'key') for (const block of blocks) new X509Certificate(block)
}

/** Reads and checks the TLS files. Returns nothing if no variable is set. */
export function readTls(settings: SetTexts, directory: string) {
  const passphrase = settings.get(PASSPHRASE)?.text
  const tls: TlsOptions = passphrase === undefined ? {} : { passphrase }
  const problems: Problem[] = []
  const report = (variable: string, message: string) =>
    problems.push({ variable, message, source: settings.get(variable)?.source })
  for (const option of ['ca', 'cert', 'key'] as const) {
    const variable = files[option]
    const path = settings.get(variable)?.text
    if (path === undefined) continue
    try {
      tls[option] = readRegularFile(resolve(directory, path))
      requirePem(tls[option], option)
    } catch (error) {
      const isRead = tls[option] !== undefined
      const reason = isRead
        ? 'is not valid PEM: replace it'
        : `${readingProblem(error)}, relative to the working directory`
      report(variable, `names a file that ${reason}`)
    }
  }
  if (problems.length > 0 || Object.keys(tls).length === 0) return { tls: undefined, problems }
  try {
    createTlsContext(tls)
  } catch (error) {
    const code = codeOf(error)
    // The key of another certificate, damaged or too weak, or a weak signature of an authority.
    if (!tls.key?.includes('ENCRYPTED') || code.includes('MISMATCH'))
      report(tls.key ? files.key : files.ca, `is not accepted by OpenSSL (${code}): replace it`)
    else report(PASSPHRASE, `must be the passphrase of ${files.key}, which is encrypted`)
  }
  return { tls, problems }
}
