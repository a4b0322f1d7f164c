import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadTarget } from '../cli/services.ts'
import { testDirectory } from '../text/test-directory.fixture.ts'

let directory = ''

beforeEach(() => {
  directory = testDirectory()
})

const write = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(directory, name), content)

const load = (environment: NodeJS.ProcessEnv, envFile?: string) =>
  loadTarget({ environment, directory, ...(envFile === undefined ? {} : { envFile }) })

describe('the environment file', () => {
  it('is .env in the directory, and sets only variables that are empty in the process environment', () => {
    write('.env', '# a comment\nPROBE_RETRIES=4\nexport PROBE_CONCURRENCY="4"\nPROBE_MAX_PAGES=\n')
    expect(load({ PROBE_RETRIES: '7', PROBE_CONCURRENCY: '' })).toMatchObject({
      target: { probe: { retries: 7, concurrency: 4, maxPages: 100 } },
    })
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
    for (const file of ['.env', 'staging.env']) write(file, 'PROBE_RETRIES=many\n')
    const from = (source: string) => ({ problems: [{ variable: 'PROBE_RETRIES', source }] })
    expect(load({})).toMatchObject(from('.env'))
    expect(load({}, 'staging.env')).toMatchObject(from('--env-file'))
    expect(load({ PROBE_RETRIES: 'x' })).toMatchObject(from('process'))
  })
})

it('an environment file that was named and does not exist, or that is not UTF-8, is a problem', () => {
  const problem = (variable: string, text: string) => ({
    problems: [{ variable, message: expect.stringContaining(text) }],
  })
  expect(load({}, 'missing.env')).toEqual(problem('--env-file', 'missing.env '))
  write('.env', Buffer.from('\uFEFFPROBE_RETRIES=4\r\n', 'utf16le'))
  expect(load({})).toEqual(problem('.env', 'UTF-8'))
  // Variables that the file may contain are not reported.
  const environment = { CODE_HOSTING_PASSWORD: 'secret', PROBE_RETRIES: 'x' }
  expect(load(environment, 'missing.env')).toMatchObject({
    problems: [{ variable: '--env-file' }, { variable: 'PROBE_RETRIES' }],
  })
})

describe('a line of an environment file', () => {
  const VALID = 'PROBE_RETRIES=4'
  /** Returns the numbers of the lines with a problem. */
  const linesOf = (...lines: string[]) => {
    write('a.env', lines.join('\n'))
    const loaded = load({}, 'a.env')
    const [{ message = '' } = {}] = 'problems' in loaded ? loaded.problems : []
    return [...message.matchAll(/\d+/g)].map(Number)
  }

  it.each<[number[], string[]]>([
    [[2], [VALID, 'CODE_HOSTING_USERNAME maria']],
    [
      [1, 4],
      ['PROBE_WORDING', VALID, '', 'export PROBE_MAX_PAGES'],
    ],
    [[3], [VALID, '', '  PROBE_WORDING="strict # a comment']],
    [[1], ["PROBE_WORDING='strict", VALID, "PROBE_EVIDENCE='full'"]],
    [
      [2, 3],
      [VALID, 'OTHER=`', "A='x'y"],
    ],
    [
      [1, 2],
      [' KEY=abc#def', 'export URL: http://a/#b', "A='b#c'", 'B=c #d', 'C=#e', '# D=e#f', VALID],
    ],
  ])('is reported with its number: %j', (numbers, lines) => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(linesOf(lines.join(end))).toEqual(numbers)
    }
  })

  it('is reported in a file of another kind without each number', () => {
    expect(linesOf(...Array<string>(30).fill('text'))).toHaveLength(10)
  })

  it('is valid with a comment, and with quotes within the value', () => {
    const lines = [
      ...[
        '',
        '  # it\'s "a" comment',
        VALID,
        `PROBE_WORDING='strict' # it's`,
        'A=',
        ' export B = c',
      ],
      ...["C='it's'", "D=it's", 'F: g', 'G=#', '\t', 'I="a\\nFOO_BAR=1"'],
    ]
    expect(linesOf(...lines)).toEqual([])
    expect(load({}, 'a.env')).toMatchObject({ target: { probe: { retries: 4 } } })
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

  it('are problems in .env unless the process has them, and so is PROBE_CONNECT_TO', () => {
    const proxies = 'https_proxy=http://a.example.com\nHTTP_PROXY=b.example.com\nno_proxy=*\n'
    write('.env', `${proxies}PROBE_CONNECT_TO=git.example.com:443:10.0.0.7:443\n`)
    const named = (name: string) => expect.objectContaining({ variable: name, source: '.env' })
    expect(proxyOf({ CODE_HOSTING_BASE_URL: 'https://git.example.com' })).toEqual(
      ['PROBE_CONNECT_TO', 'HTTP_PROXY', 'https_proxy', 'no_proxy'].map(named),
    )
    const process = { HTTPS_PROXY: 'http://c.example.com', http_proxy: 'http://c.example.com' }
    expect(proxyOf(process)).toEqual(['PROBE_CONNECT_TO', 'no_proxy'].map(named))
  })

  it('are rejected with the name in use', () => {
    const environment = { https_proxy: 'http://proxy/path', HTTPS_PROXY: 'http://unused' }
    expect(proxyOf(environment)).toMatchObject([{ variable: 'https_proxy', source: 'process' }])
  })
})

describe('a service with variables in the process and in a file', () => {
  const CODE_HOSTING_BASE_URL = 'https://git.example.com'
  const account = { CODE_HOSTING_USERNAME: 'maria', CODE_HOSTING_PASSWORD: 'her password' }
  const address = `CODE_HOSTING_BASE_URL=${CODE_HOSTING_BASE_URL}\n`
  const PROBE_HEADERS = '{"X-Gateway-Key":"abcd1234"}'
  const problemsIn = (environment: NodeJS.ProcessEnv, envFile?: string) => {
    const loaded = load(environment, envFile)
    return 'problems' in loaded ? loaded.problems : []
  }

  it('is a problem in a job, unless an option names the file', () => {
    write('.env', 'CODE_HOSTING_NO_CONTENT=DELETE /api/v1/user\n')
    const configured = { CODE_HOSTING_BASE_URL, ...account }
    expect(problemsIn({ ...configured, CI: 'true' })).toMatchObject([{ variable: '.env' }])
    for (const CI of ['', '0', 'false']) {
      expect(problemsIn({ ...configured, CI })).toEqual([])
    }
    expect(problemsIn({ ...configured, CI: 'true' }, '.env')).toEqual([])
    // The header fields of a gateway would be sent to an address of the file.
    write('.env', address)
    expect(problemsIn({ PROBE_HEADERS, CI: '1' })).toMatchObject([{ variable: '.env' }])
  })

  it('is accepted in a job if the process or the file sets none', () => {
    const CI = 'true'
    write('.env', 'DATABASE_URL=postgres://127.0.0.1/\n')
    expect(problemsIn({ CODE_HOSTING_BASE_URL, ...account, CI })).toEqual([])
    write('.env', address)
    expect(problemsIn({ CI, PROBE_WORDING: 'advisory' })).toEqual([])
  })
})
