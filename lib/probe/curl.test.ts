import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { anyText, textOf } from '../environment/arbitrary-text.fixture.ts'
import { exchangeFixture } from '../reports/report.fixture.ts'
import { curlCommand, shellArgument } from './curl.ts'
import type { ExchangeRecord } from './exchange.ts'
import { Redactor } from './redaction/redaction.ts'

const secrets = {
  CODE_HOSTING_PASSWORD: 'pa$$ "word" `id` $(id) \\ \' !',
  READ_ISSUE_TOKEN: 'token value',
}

/** Working directory of the commands, which stays empty. */
const directory = mkdtempSync(join(tmpdir(), 'plumbline-shell-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Returns the arguments that a real shell passes to curl. */
function argumentsOf(command: string, shell = 'sh'): string[] {
  const output = execFileSync(shell, ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...secrets, HOME: '/expanded', OTHER_SECRET: 'of another' },
    encoding: 'utf8',
  })
  return output.split('\0').slice(0, -1)
}

/** bash and dash are everywhere; `.ci/run` installs zsh. */
const shells = ['bash', 'dash', 'zsh'].filter(
  (shell) => shell !== 'zsh' || spawnSync(shell, ['-c', 'true']).status === 0,
)

function commandFor(request: Partial<ExchangeRecord['request']>): string {
  const base = { method: 'GET', url: 'https://example.com/', headers: [], body: null }
  return curlCommand(exchangeFixture({ request: { ...base, ...request } }))
}

it('a body that is not in the report must be set before a request is sent', () => {
  const command = commandFor({ method: 'POST', body: null, bodyBytes: 12 })
  const shell = () =>
    execFileSync('sh', ['-c', `curl() { echo sent; }\n${command}; echo sent`], { stdio: 'pipe' })
  expect(shell).toThrow(/REQUEST_BODY.*PROBE_EVIDENCE=headers/)
  const sent = argumentsOf(`REQUEST_BODY='{"a": "$b"}'\n${command}`)
  expect(sent).toEqual(expect.arrayContaining(['--data-raw', '{"a": "$b"}']))
})

const argument = fc.oneof(
  anyText,
  textOf('$A_B', '$A_B_C', '$C_D', '$HOME', '{C_D}', '[x]', '!', "'", '"', '\\', '$', ' '),
)

it.each(shells)('shellArgument passes any text through %s, and replaces only secrets', (shell) => {
  const texts = fc
    .sample(argument, { numRuns: 500, seed: 4711 })
    .map((text) => Buffer.from(text).toString())
  const placeholdersIn = (text: string) =>
    [...text.matchAll(/\$(A_B(?:_C)?)/g)].map(({ 1: name = '', index: at }) => ({ at, name }))
  const environment = { A_B: 'one', A_B_C: 'another', C_D: 'no secret', HOME: '/expanded' }
  const script = texts
    .map((text) => `printf '%s\\0' ${shellArgument(text, placeholdersIn(text))}`)
    .join('\n')
  const { stdout, stderr } = spawnSync(shell, { input: script, env: environment })
  const expected = texts.map((text) =>
    // A shell cannot pass NUL.
    text
      .replaceAll('\0', '')
      .replace(/\$(A_B(?:_C)?)/g, (_, name: 'A_B' | 'A_B_C') => environment[name]),
  )

  expect(expected.filter((text, index) => text !== texts[index]).length).toBeGreaterThan(10)
  expect(stderr.toString()).toBe('')
  expect(stdout.toString().split('\0')).toEqual([...expected, ''])
})

describe.each(shells)('in %s', (shell) => {
  const hostile =
    '$ZSH_VERSION[path[$(touch here)]]$OTHER_SECRET$CODE_HOSTING_PASSWORD' +
    '$READ_ISSUE_TOKEN[$(touch here)]`touch here`$((1+1))!!~*'
  const value = 'a token, and more'

  function recorded(token: string): ExchangeRecord {
    const redactor = new Redactor()
    redactor.add('CODE_HOSTING_PASSWORD', 'the-password')
    redactor.add('READ_ISSUE_TOKEN', value)
    const headers = [
      { name: 'Authorization', value: `Bearer ${token}` },
      { name: 'X-Text', value: hostile },
    ]
    const url = `https://example.com/?k=${hostile}`
    const request = redactor.redactRequest({ method: 'PUT', url, headers, body: hostile })
    // Redacted again, as in reports.
    return exchangeFixture({ request: redactor.redactRequest(request) })
  }

  it('no text of a server is executed or expanded', () => {
    const exchange = recorded('another')
    const sent = argumentsOf(curlCommand(exchange), shell)
    expect(exchange.request.secrets).toBeUndefined()
    const texts = [`https://example.com/?k=${hostile}`, `X-Text: ${hostile}`, hostile]
    expect(sent).toEqual(expect.arrayContaining(texts))
    expect(readdirSync(directory)).toEqual([])
  })

  it('a secret is expanded in requests, not if the server wrote its name', () => {
    const exchange = recorded(value)
    const sent = argumentsOf(curlCommand(exchange), shell)
    expect(exchange.request.secrets).toEqual(['READ_ISSUE_TOKEN'])
    expect(sent).toContain(`Authorization: Bearer ${secrets.READ_ISSUE_TOKEN}`)
    expect(sent).toContain(hostile)
  })
})

describe('curlCommand', () => {
  const headers = (fields: Record<string, string>) => ({
    headers: Object.entries(fields).map(([name, value]) => ({ name, value })),
  })
  const ofClient = { Host: 'x', 'user-agent': 'x', Connection: 'x', traceparent: 'x' }

  it.each<[string, Partial<ExchangeRecord['request']>, string]>([
    ['header fields of the client', headers({ ...ofClient, Accept: '*/*' }), ''],
    ['an own Accept', headers({ Accept: 'text/html' }), "--header 'Accept: text/html' "],
    ['gzip, which it decodes', headers({ 'accept-encoding': 'gzip' }), '--compressed '],
    ['HEAD', { method: 'HEAD', body: 'x' }, '--head '],
    ['GET with a body', { body: 'x' }, "--request GET --header 'Content-Type:' --data-raw 'x' "],
    [
      'an untyped body',
      { method: 'POST', body: '@file' },
      "--request POST --header 'Content-Type:' --data-raw '@file' ",
    ],
  ])('has the options for %s', (_name, request, options) => {
    expect(commandFor(request)).toBe(`curl --include ${options}'https://example.com/'`)
  })

  it('repeats method, headers and body, the URL last', () => {
    const body = `{"title":"it's \\"quoted\\" $HOME"}`
    const command = commandFor({
      method: 'PATCH',
      headers: [
        { name: 'Authorization', value: 'Bearer $READ_ISSUE_TOKEN' },
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Empty', value: '' },
      ],
      body,
      placeholders: [{ in: 0, at: 7, name: 'READ_ISSUE_TOKEN' }],
    })
    expect(argumentsOf(command)).toEqual([
      ...['--include', '--request', 'PATCH'],
      ...['--header', 'Authorization: Bearer token value'],
      ...['--header', 'Content-Type: application/json'],
      ...['--header', 'X-Empty;', '--data-raw', body, 'https://example.com/'],
    ])
  })

  it('has the TLS files of the run, except for http', () => {
    const settings = {
      PROBE_TLS_CA: "it's.pem",
      PROBE_TLS_CERT: '/a:b\\c.pem',
      PROBE_TLS_KEY: 'key.pem',
      PROBE_TLS_KEY_PASSPHRASE: '$PROBE_TLS_KEY_PASSPHRASE',
      PROBE_RETRIES: 1,
    }
    const command = (url: string) =>
      curlCommand(
        exchangeFixture({ request: { method: 'GET', url, headers: [], body: null } }),
        settings,
      )
    const variable = "PROBE_TLS_KEY_PASSPHRASE='it is $HOME'"
    expect(argumentsOf(`${variable}\n${command('https://example.com/')}`)).toEqual([
      ...['--include', '--cacert', "it's.pem", '--cert', '/a\\:b\\\\c.pem', '--key', 'key.pem'],
      ...['--pass', 'it is $HOME', 'https://example.com/'],
    ])
    expect(command('http://example.com/')).toBe("curl --include 'http://example.com/'")
  })

  it.each([
    ['https://example.com/a/../b', ['--path-as-is']],
    ['https://example.com/a?x=[1]&y={2}', ['--globoff']],
    ['https://example.com/./a?x={2}', ['--path-as-is', '--globoff']],
    ['https://example.com/a?x=/../b', []],
    ['https://example.com/a.b/..c', []],
  ])('sends %s as it is', (url, options) => {
    expect(argumentsOf(commandFor({ url }))).toEqual(['--include', ...options, url])
  })
})
