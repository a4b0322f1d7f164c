import { execFileSync, spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, textOf } from '../environment/arbitrary-text.fixture.ts'
import { exchangeFixture } from '../reports/report.fixture.ts'
import { curlCommand, shellArgument } from './curl.ts'
import type { ExchangeRecord } from './exchange-record.ts'

const secrets = {
  CODE_HOSTING_PASSWORD: 'pa$$ "word" `id` $(id) \\ \' !',
  READ_ISSUE_TOKEN: 'token value',
}

/** What curl would get as its arguments, from a real shell. */
function argumentsOf(command: string): string[] {
  const output = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
    env: { PATH: process.env.PATH, ...secrets, HOME: '/expanded' },
    encoding: 'utf8',
  })
  return output.split('\0').slice(0, -1)
}

function commandFor(request: Partial<ExchangeRecord['request']>): string {
  const base = { method: 'GET', url: 'https://example.com/', headers: [], body: null }
  return curlCommand(exchangeFixture({ request: { ...base, ...request } }))
}

describe('a body that the report does not have', () => {
  const request = { method: 'POST', body: null, bodyBytes: 12 }

  it('has to be given before anything is sent', () => {
    const command = `${commandFor(request)}; echo sent`
    const shell = () =>
      execFileSync('sh', ['-c', `curl() { echo sent; }\n${command}`], { stdio: 'pipe' })
    expect(shell).toThrow(/REQUEST_BODY.*PROBE_EVIDENCE=headers/)
  })

  it('is sent where it is given', () => {
    const reported = argumentsOf(`REQUEST_BODY='{"a": "$b"}'\n${commandFor(request)}`)
    expect(reported).toContain('{"a": "$b"}')
    expect(reported).toContain('--data-raw')
  })
})

const argument = fc.oneof(anyText, textOf('$A_B', '$C_D', '$HOME', '!', "'", '"', '\\', '$', ' '))

it('passes any text through a shell, with the values of secrets', () => {
  const texts = fc
    .sample(argument, { numRuns: 500, seed: 4711 })
    .map((text) => Buffer.from(text).toString())
  const secret = /\$([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)/g
  const names = texts.flatMap((text) => Array.from(text.matchAll(secret), ([, name = '']) => name))
  const environment = Object.fromEntries(names.map((name) => [name, `value of ${name}`]))
  const script = texts.map((text) => `printf '%s\\0' ${shellArgument(text)}`).join('\n')
  const { stdout, stderr } = spawnSync('sh', { input: script, env: environment })
  const expected = texts.map((text) =>
    // A shell passes no NUL.
    text.replaceAll('\0', '').replace(secret, (_, name) => environment[name] ?? ''),
  )

  expect(names.length).toBeGreaterThan(10)
  expect(stderr.toString()).toBe('')
  expect(stdout.toString().split('\0')).toEqual([...expected, ''])
})

describe('curlCommand', () => {
  it('needs no method for GET, and leaves out who carries the request', () => {
    const headers = ['Host', 'user-agent', 'Connection', 'accept-encoding'].map((name) => {
      return { name, value: 'x' }
    })
    const accept = (value: string) => ({ name: 'Accept', value })
    expect(commandFor({ headers: [...headers, accept('*/*')] })).toBe(
      `curl --include 'https://example.com/'`,
    )
    expect(commandFor({ headers: [accept('text/html')] })).toContain(`'Accept: text/html'`)
  })

  it('turns basic credentials into --user', () => {
    const command = commandFor({
      headers: [{ name: 'authorization', value: 'Basic base64(maria:$CODE_HOSTING_PASSWORD)' }],
    })
    const credentials = `maria:${secrets.CODE_HOSTING_PASSWORD}`
    expect(argumentsOf(command).slice(1, -1)).toEqual(['--user', credentials])
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
    })
    expect(argumentsOf(command)).toEqual([
      ...['--include', '--request', 'PATCH'],
      ...['--header', 'Authorization: Bearer token value'],
      ...['--header', 'Content-Type: application/json'],
      ...['--header', 'X-Empty;', '--data-raw', body, 'https://example.com/'],
    ])
  })

  it('keeps curl from calling an untyped body a form', () => {
    const words = argumentsOf(commandFor({ method: 'POST', body: '@file' }))
    expect(words.slice(3, -1)).toEqual(['--header', 'Content-Type:', '--data-raw', '@file'])
  })

  it('keeps GET with a body a GET, and asks for HEAD in the way that does not hang', () => {
    expect(commandFor({ body: 'x' })).toContain('--request GET')
    expect(commandFor({ method: 'HEAD', body: 'x' })).toBe(
      `curl --include --head 'https://example.com/'`,
    )
  })

  it.each([
    ['https://example.com/a/../b', ['--path-as-is']],
    ['https://example.com/a/%2E%2e/b', ['--path-as-is']],
    ['https://example.com/a?x=[1]&y={2}', ['--globoff']],
    ['https://example.com/./a?x={2}', ['--path-as-is', '--globoff']],
    ['https://example.com/a?x=/../b', []],
    ['https://example.com/a.b/..c', []],
  ])('sends %s as it is', (url, options) => {
    expect(argumentsOf(commandFor({ url }))).toEqual(['--include', ...options, url])
  })
})
