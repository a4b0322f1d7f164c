import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadTarget } from '../cli/services.ts'
import { environmentLine } from './read-environment.ts'

let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-target-'))
})

afterEach(() => {
  rmSync(directory, { recursive: true })
})

const write = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(directory, name), content)

const load = (environment: NodeJS.ProcessEnv, envFile?: string) =>
  loadTarget({ environment, directory, ...(envFile === undefined ? {} : { envFile }) })

describe('the environment file', () => {
  it('is .env in the directory', () => {
    write('.env', '# a comment\nexport PROBE_RETRIES="4"\n')
    expect(load({})).toMatchObject({ target: { probe: { retries: 4 } } })
  })

  it('sets only variables that are empty in the process environment', () => {
    write('.env', 'PROBE_RETRIES=4\nPROBE_CONCURRENCY=4\nPROBE_MAX_PAGES=\n')
    expect(load({ PROBE_RETRIES: '7', PROBE_CONCURRENCY: '' })).toMatchObject({
      target: { probe: { retries: 7, concurrency: 4, maxPages: 100 } },
    })
  })

  it('is the named file instead of .env', () => {
    write('.env', 'PROBE_RETRIES=4\nPROBE_CONCURRENCY=4\n')
    write('staging.env', 'PROBE_RETRIES=5\n')
    const expected = { target: { probe: { retries: 5, concurrency: 8 } } }
    expect(load({}, 'staging.env')).toMatchObject(expected)
    expect(load({}, join(directory, 'staging.env'))).toMatchObject(expected)
  })

  it('may contain quoted JSON, Windows line ends and a byte order mark', () => {
    write(
      '.env',
      '\uFEFFCODE_HOSTING_BASE_URL=http://127.0.0.1:1\r\nCODE_HOSTING_CONFLICT=\'POST /a {"b":"#c"}\'\r\n',
    )
    expect(load({})).toMatchObject({
      target: { codeHosting: { conflict: { method: 'POST', path: '/a', body: '{"b":"#c"}' } } },
    })
  })

  it('is reported as the source of its problems', () => {
    write('.env', 'PROBE_RETRIES=many\n')
    write('staging.env', 'PROBE_RETRIES=many\n')
    const problem = { variable: 'PROBE_RETRIES' }
    expect(load({})).toMatchObject({ problems: [{ ...problem, source: '.env' }] })
    expect(load({}, 'staging.env')).toMatchObject({
      problems: [{ ...problem, source: '--env-file' }],
    })
    expect(load({ PROBE_RETRIES: 'x' })).toMatchObject({
      problems: [{ ...problem, source: 'process' }],
    })
  })
})

describe('an environment file that cannot be read', () => {
  const messageOf = (envFile: string | undefined, environment = {}) => {
    const loaded = load(environment, envFile)
    return 'problems' in loaded ? loaded.problems.map((problem) => Object.values(problem)) : []
  }

  it('is a problem if it was named and does not exist', () => {
    expect(messageOf('missing.env')).toEqual([
      ['--env-file', expect.stringContaining('missing.env ')],
    ])
  })

  it('is a problem if it is not UTF-8', () => {
    write('.env', Buffer.from('\uFEFFPROBE_RETRIES=4\r\n', 'utf16le'))
    expect(messageOf(undefined)).toEqual([['.env', expect.stringContaining('UTF-8')]])
  })

  it('is reported with invalid values of the process, not with variables that it may contain', () => {
    const environment = { CODE_HOSTING_PASSWORD: 'secret', PROBE_RETRIES: 'x' }
    expect(messageOf('missing.env', environment).map(([variable]) => variable)).toEqual([
      '--env-file',
      'PROBE_RETRIES',
    ])
  })
})

describe('proxies', () => {
  const proxyOf = (environment: NodeJS.ProcessEnv, envFile?: string) => {
    const loaded = load(environment, envFile)
    return 'target' in loaded ? loaded.target.probe.proxy : loaded.problems
  }

  it('are read from names in lower case, or in upper case if those are empty', () => {
    const environment = {
      NO_PROXY: 'a',
      no_proxy: 'b',
      HTTP_PROXY: 'http://c',
      http_proxy: '',
      https_proxy: 'https://maria:secret@proxy.example.com',
    }
    expect(proxyOf(environment)).toStrictEqual({
      no: 'b',
      http: 'http://c',
      https: environment.https_proxy,
    })
  })

  it('may be in a named file, which never overrides the process, in any letter case', () => {
    write('a.env', 'https_proxy=http://file.example.com\nno_proxy=file.example.com\n')
    expect(proxyOf({ HTTPS_PROXY: 'http://process.example.com' }, 'a.env')).toStrictEqual({
      https: 'http://process.example.com',
      no: 'file.example.com',
    })
  })

  it('are problems in .env unless the process has them', () => {
    write('.env', 'https_proxy=http://a.example.com\nHTTP_PROXY=b.example.com\nno_proxy=*\n')
    const named = (name: string) => expect.objectContaining({ variable: name, source: '.env' })
    expect(proxyOf({ CODE_HOSTING_BASE_URL: 'https://git.example.com' })).toEqual(
      ['HTTP_PROXY', 'https_proxy', 'no_proxy'].map(named),
    )
    const process = { HTTPS_PROXY: 'http://c.example.com', http_proxy: 'http://c.example.com' }
    expect(proxyOf(process)).toEqual([named('no_proxy')])
  })

  it('has no PROBE_CONNECT_TO either', () => {
    const value = 'PROBE_CONNECT_TO=git.example.com:443:10.0.0.7:443\n'
    write('.env', `CODE_HOSTING_BASE_URL=https://git.example.com\n${value}`)
    const loaded = loadTarget({ environment: {}, directory })
    expect(loaded).toEqual({
      problems: [
        {
          variable: 'PROBE_CONNECT_TO',
          message: expect.stringContaining(' .env: '),
          source: '.env',
        },
      ],
    })
  })

  it.each(['ftp://proxy', 'http://proxy/path', 'http://pro xy', 'proxy:port'])(
    'are rejected if they are %j, with the name in use',
    (text) => {
      expect(proxyOf({ https_proxy: text, HTTPS_PROXY: 'http://unused' })).toEqual([
        {
          variable: 'https_proxy',
          message: expect.any(String),
          source: 'process',
        },
      ])
    },
  )
})

describe('secrets for a base URL from another source', () => {
  const ofProcess = {
    CODE_HOSTING_BASE_URL: 'https://git.example.com',
    CODE_HOSTING_USERNAME: 'maria',
    CODE_HOSTING_PASSWORD: 'her password',
  }
  const { CODE_HOSTING_BASE_URL, ...account } = ofProcess
  const address = `CODE_HOSTING_BASE_URL=${CODE_HOSTING_BASE_URL}\n`
  const foreignOf = (environment: NodeJS.ProcessEnv, envFile?: string) => {
    const loaded = load(environment, envFile)
    return 'target' in loaded ? loaded.foreignSecrets : loaded.problems
  }
  const variable = 'CODE_HOSTING_BASE_URL'

  it('are reported, whichever of both is in the file', () => {
    write('.env', `${address}CODE_HOSTING_TOKEN=a-token\n`)
    write('a.env', address)
    write('b.env', 'CODE_HOSTING_USERNAME=maria\nCODE_HOSTING_PASSWORD=hers\n')
    const password = ['CODE_HOSTING_PASSWORD']
    const codeHosting = { variable, secrets: { names: password, source: 'process' } }
    expect(foreignOf(account)).toEqual({ codeHosting: { ...codeHosting, source: '.env' } })
    expect(foreignOf(account, 'a.env')).toEqual({
      codeHosting: { ...codeHosting, source: '--env-file' },
    })
    expect(foreignOf({ CODE_HOSTING_BASE_URL }, 'b.env')).toEqual({
      codeHosting: {
        variable,
        source: 'process',
        secrets: { names: password, source: '--env-file' },
      },
    })
  })

  it('are reported for the header fields of every service', () => {
    write('.env', address)
    const secrets = { names: ['PROBE_HEADERS'], source: 'process' }
    expect(foreignOf({ PROBE_HEADERS: '{"X-Gateway-Key":"abcd1234"}' })).toEqual({
      codeHosting: { variable, source: '.env', secrets },
    })
  })

  it('are not reported if one service has one source', () => {
    write(
      '.env',
      'EVENT_PUBLISHING_BASE_URL=https://b.example.com\nEVENT_PUBLISHING_API_KEY=key-1\n',
    )
    expect(foreignOf(ofProcess)).toEqual({})
  })
})

describe('environmentLine', () => {
  it.each([
    'https://git.example.com/a',
    '',
    'PUT /path {"name":"x"}',
    "it's # not a comment",
    'both \' and "',
    'a\\nb $HOME',
    ' spaces around ',
  ])('returns a line that dotenv reads as %o', (value) => {
    expect(parse(environmentLine('NAME', value))).toEqual({ NAME: value })
  })
})
