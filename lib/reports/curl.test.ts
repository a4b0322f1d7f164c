import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { curlCommand, isTellingRequestHeader, shellArgument } from './curl.ts'
import { exchangeFixture } from './report.fixture.ts'

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

const hostile = [
  `'; echo injected; '`,
  '"; echo injected; "',
  `$(echo injected) \`echo injected\` \${HOME} $HOME $1 $$`,
  '\\" \\\\ \\$ \\',
  'line one\nline two\\\nline three',
  '-x @/etc/passwd * ? [a] ~ # & | > < ! !! !x',
  'ä 漢 😀 %s %0a \u001b[31m',
  '',
]

describe('a body that the report does not have', () => {
  const request = { method: 'POST', body: null, bodyBytes: 12 }

  it('has to be given before anything is sent', () => {
    const command = `${commandFor(request)}; echo sent`
    const shell = () =>
      execFileSync('sh', ['-c', `curl() { echo sent; }\n${command}`], { stdio: 'pipe' })
    expect(shell).toThrow(/REQUEST_BODY.*PROBE_EVIDENCE=headers/)
  })

  it('is sent where it is given', () => {
    const told = argumentsOf(`REQUEST_BODY='{"a": "$b"}'\n${commandFor(request)}`)
    expect(told).toContain('{"a": "$b"}')
    expect(told).toContain('--data-raw')
  })
})

describe('shellArgument', () => {
  it.each(hostile)('passes %j unchanged beside a secret, which is expanded once', (text) => {
    const argument = shellArgument(`${text}|$CODE_HOSTING_PASSWORD|${text}`)
    expect(argumentsOf(`curl ${argument}`)).toEqual([
      `${text}|${secrets.CODE_HOSTING_PASSWORD}|${text}`,
    ])
  })

  it('ends the name of a secret where text goes on', () => {
    expect(shellArgument('$READ_ISSUE_TOKENtail')).toBe(`"\${READ_ISSUE_TOKEN}tail"`)
    expect(argumentsOf(`curl ${shellArgument('a$READ_ISSUE_TOKENtail')}`)).toEqual([
      'atoken valuetail',
    ])
  })
})

describe('curlCommand', () => {
  it('shows the headers of the response and needs no method for GET', () => {
    expect(commandFor({ url: 'https://example.com/a' })).toBe(
      `curl --include 'https://example.com/a'`,
    )
  })

  it('turns basic credentials into --user', () => {
    const command = commandFor({
      headers: [{ name: 'authorization', value: 'Basic base64(maria:$CODE_HOSTING_PASSWORD)' }],
    })
    expect(command).toContain('--user "maria:$CODE_HOSTING_PASSWORD"')
    expect(argumentsOf(command)).toEqual([
      '--include',
      '--user',
      `maria:${secrets.CODE_HOSTING_PASSWORD}`,
      'https://example.com/',
    ])
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
      '--include',
      '--request',
      'PATCH',
      '--header',
      'Authorization: Bearer token value',
      '--header',
      'Content-Type: application/json',
      '--header',
      'X-Empty;',
      '--data-raw',
      body,
      'https://example.com/',
    ])
  })

  it('keeps curl from calling an untyped body a form', () => {
    expect(argumentsOf(commandFor({ method: 'POST', body: '@file' }))).toEqual([
      '--include',
      '--request',
      'POST',
      '--header',
      'Content-Type:',
      '--data-raw',
      '@file',
      'https://example.com/',
    ])
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

describe('isTellingRequestHeader', () => {
  it.each(['Host', 'user-agent', 'Connection', 'Content-Length', 'accept-encoding'])(
    'leaves %s out',
    (name) => {
      expect(isTellingRequestHeader({ name, value: 'x' })).toBe(false)
    },
  )

  it('leaves Accept out only where it accepts anything', () => {
    expect(isTellingRequestHeader({ name: 'Accept', value: '*/*' })).toBe(false)
    expect(isTellingRequestHeader({ name: 'Accept', value: 'text/html' })).toBe(true)
  })
})
