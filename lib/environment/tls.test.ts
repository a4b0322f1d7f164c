import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadTarget } from '../cli/services.ts'
import {
  authority,
  clientIdentity,
  otherKey,
  passphrase,
  serverIdentity,
  writeClientFiles,
} from './certificates.fixture.ts'

const directory = mkdtempSync(join(tmpdir(), 'plumbline-tls-'))
afterAll(() => rmSync(directory, { recursive: true }))

const files = writeClientFiles(directory)

const write = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(directory, name), content)
  return name
}

/** Returns the names of the variables with problems; without any, the target. */
function load(environment: Record<string, string>) {
  const loaded = loadTarget({ environment, directory })
  return 'problems' in loaded ? loaded.problems.map(({ variable }) => variable) : loaded.target
}

describe('TLS files', () => {
  it('are read relative to the working directory, and in the target', () => {
    const PROBE_TLS_CA = write('own.pem', `# a comment\n${authority}${serverIdentity.cert}`)
    expect(load({ ...files, PROBE_TLS_CA })).toMatchObject({
      probe: {
        tls: { ca: expect.stringContaining(authority), cert: clientIdentity.cert, passphrase },
      },
    })
    const { PROBE_TLS_CERT } = files
    const PROBE_TLS_KEY = write('plain.pem', clientIdentity.key)
    expect(load({ PROBE_TLS_CERT, PROBE_TLS_KEY })).toMatchObject({ probe: { tls: {} } })
  })

  const der = Buffer.from(authority.replace(/-----.*-----|\s/g, ''), 'base64')
  const damaged = (pem: string) => pem.replace(/\nMI/, '\n!!')

  const [CA, CERT, KEY] = ['PROBE_TLS_CA', 'PROBE_TLS_CERT', 'PROBE_TLS_KEY'] as const
  const PASSPHRASE = 'PROBE_TLS_KEY_PASSPHRASE'

  /** The first variable of each change has the problem, unless others are named. */
  it.each<[problem: string, change: Record<string, string | undefined>, variables?: string[]]>([
    ['no file', { [CA]: 'none.pem' }],
    ['several', { [CA]: 'a', [CERT]: 'b', [KEY]: 'c' }, [CA, CERT, KEY]],
    ['DER', { [CA]: write('a.der', der) }],
    ['an empty file', { [CERT]: write('empty.pem', '') }],
    ['a damaged authority', { [CA]: write('bad.pem', authority + damaged(authority)) }],
    ['a damaged certificate', { [CERT]: write('bad-cert.pem', damaged(clientIdentity.cert)) }],
    ['a damaged key', { [KEY]: write('bad-key.pem', damaged(clientIdentity.key)) }],
    ['a certificate for the key', { [KEY]: files.PROBE_TLS_CERT }],
    ['the key of another certificate', { [KEY]: write('other.pem', otherKey()) }],
    ['no passphrase', { [PASSPHRASE]: undefined }],
    ['a wrong passphrase', { [PASSPHRASE]: 'another' }],
    ['no key', { [KEY]: undefined, [PASSPHRASE]: undefined }],
    ['no certificate', { [CERT]: undefined }],
    ['only a passphrase', { [CERT]: undefined, [KEY]: undefined }, [PASSPHRASE]],
    ['a million blocks', { [CA]: write('many.pem', '-----BEGIN '.repeat(1e6)) }],
  ])('with %s are a problem', (_, change, variables = Object.keys(change).slice(0, 1)) => {
    const changed = Object.entries({ ...files, ...change }).filter(([, text]) => text !== undefined)
    expect(load(Object.fromEntries(changed) as Record<string, string>)).toEqual(variables)
  })

  it('in .env do not change the authorities for a base URL that is set elsewhere', () => {
    const ca = `PROBE_TLS_CA='${files.PROBE_TLS_CA}'\n`
    write('.env', ca)
    expect(load({ CODE_HOSTING_BASE_URL: 'https://git.example.com' })).toEqual(['PROBE_TLS_CA'])
    write('.env', `${ca}CODE_HOSTING_BASE_URL=https://git.example.com\n`)
    expect(load({})).toHaveProperty('probe.tls.ca')
    rmSync(join(directory, '.env'))
  })
})
