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

  it.each<[problem: string, change: Record<string, string | undefined>, variables: string[]]>([
    ['no file', { PROBE_TLS_CA: 'none.pem' }, ['PROBE_TLS_CA']],
    [
      'several',
      { PROBE_TLS_CA: 'a', PROBE_TLS_CERT: 'b', PROBE_TLS_KEY: 'c' },
      ['PROBE_TLS_CA', 'PROBE_TLS_CERT', 'PROBE_TLS_KEY'],
    ],
    ['DER', { PROBE_TLS_CA: write('a.der', der) }, ['PROBE_TLS_CA']],
    ['an empty file', { PROBE_TLS_CERT: write('empty.pem', '') }, ['PROBE_TLS_CERT']],
    [
      'a damaged authority',
      { PROBE_TLS_CA: write('bad.pem', authority + damaged(authority)) },
      ['PROBE_TLS_CA'],
    ],
    [
      'a damaged certificate',
      { PROBE_TLS_CERT: write('bad-cert.pem', damaged(clientIdentity.cert)) },
      ['PROBE_TLS_CERT'],
    ],
    [
      'a damaged key',
      { PROBE_TLS_KEY: write('bad-key.pem', damaged(clientIdentity.key)) },
      ['PROBE_TLS_KEY'],
    ],
    ['a certificate for the key', { PROBE_TLS_KEY: files.PROBE_TLS_CERT }, ['PROBE_TLS_KEY']],
    [
      'the key of another certificate',
      { PROBE_TLS_KEY: write('other.pem', otherKey()) },
      ['PROBE_TLS_KEY'],
    ],
    ['no passphrase', { PROBE_TLS_KEY_PASSPHRASE: undefined }, ['PROBE_TLS_KEY_PASSPHRASE']],
    ['a wrong passphrase', { PROBE_TLS_KEY_PASSPHRASE: 'another' }, ['PROBE_TLS_KEY_PASSPHRASE']],
    [
      'no key',
      { PROBE_TLS_KEY: undefined, PROBE_TLS_KEY_PASSPHRASE: undefined },
      ['PROBE_TLS_KEY'],
    ],
    ['no certificate', { PROBE_TLS_CERT: undefined }, ['PROBE_TLS_CERT']],
    [
      'only a passphrase',
      { PROBE_TLS_CERT: undefined, PROBE_TLS_KEY: undefined },
      ['PROBE_TLS_KEY_PASSPHRASE'],
    ],
    [
      'a million blocks',
      { PROBE_TLS_CA: write('many.pem', '-----BEGIN '.repeat(1e6)) },
      ['PROBE_TLS_CA'],
    ],
  ])('with %s are a problem', (_, change, variables) => {
    const changed = Object.entries({ ...files, ...change }).filter(([, text]) => text !== undefined)
    expect(load(Object.fromEntries(changed) as Record<string, string>)).toEqual(variables)
  })

  it('in .env do not change the authorities for a base URL that is set elsewhere', () => {
    write('.env', `PROBE_TLS_CA='${files.PROBE_TLS_CA}'\n`)
    expect(load({ CODE_HOSTING_BASE_URL: 'https://git.example.com' })).toEqual(['PROBE_TLS_CA'])
    expect(load({ CODE_HOSTING_BASE_URL: 'http://127.0.0.1:1' })).toHaveProperty('probe.tls.ca')
    write(
      '.env',
      `PROBE_TLS_CA='${files.PROBE_TLS_CA}'\nCODE_HOSTING_BASE_URL=https://git.example.com\n`,
    )
    expect(load({})).toHaveProperty('probe.tls.ca')
    rmSync(join(directory, '.env'))
  })
})
