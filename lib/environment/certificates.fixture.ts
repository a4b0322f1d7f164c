import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const read = (name: string) =>
  readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8')

/** Certificates of one authority, valid until 2119, of use for nothing else: for the server 127.0.0.1 and for a client. */
export const authority = read('authority')
export const serverIdentity = { cert: read('server'), key: read('server-key') }
export const clientIdentity = { cert: read('client'), key: read('client-key') }

export const passphrase = 'passphrase-of-the-client-key-0123'

/** Writes the files of a client to a directory, with an encrypted key, and returns their variables. */
export function writeClientFiles(directory: string) {
  const encryption = { cipher: 'aes-256-cbc', passphrase }
  const key = createPrivateKey(clientIdentity.key)
  const files = {
    PROBE_TLS_CA: ['authority.pem', authority],
    PROBE_TLS_CERT: ['client.pem', clientIdentity.cert],
    PROBE_TLS_KEY: [
      "client's key.pem",
      key.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString(),
    ],
  } as const
  const paths = Object.entries(files).map(([variable, [name, content]]) => {
    const path = join(directory, name)
    writeFileSync(path, content)
    return [variable, path]
  })
  const variables = { ...Object.fromEntries(paths), PROBE_TLS_KEY_PASSPHRASE: passphrase }
  return variables as Record<keyof typeof files | 'PROBE_TLS_KEY_PASSPHRASE', string>
}

/** Files that remain until the process ends, for environments that several tests share. */
const shared = mkdtempSync(join(tmpdir(), 'plumbline-tls-'))
process.once('exit', () => rmSync(shared, { recursive: true, force: true }))
export const clientFiles = writeClientFiles(shared)

/** Returns a private key that belongs to no certificate. */
export const otherKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
