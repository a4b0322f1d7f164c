import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Deviation } from '../results/run-report.ts'
import { failureScript } from './failure-script.ts'
import { exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-script-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

type Response = Partial<NonNullable<ExchangeRecord['response']>>

/** Returns the script of a failure that this response shows; undefined if there is none. */
function scriptOf(
  response: Response,
  deviation: Partial<Deviation>,
  request: Partial<ExchangeRecord['request']> = {},
): string | undefined {
  const base = exchangeFixture()
  const { secrets: _, placeholders: __, ...sent } = base.request
  const exchange = exchangeFixture({
    request: { ...sent, headers: [], ...request },
    response: { status: 200, headers: [], body: '', bodyBytes: 0, ...response },
  })
  const first = { expected: 'other', actual: 'this', exchange: exchange.id, ...deviation }
  const result = resultFixture({ verdict: 'fail', deviations: [first], exchanges: [exchange.id] })
  return failureScript(result, reportFixture({ exchanges: [exchange] }))?.content
}

/** Runs a script with a curl that returns this response, and returns its exit status. */
function exitStatus(script = '', { status = 200, headers = [], body = '' }: Response = {}) {
  const fields = headers.map(({ name, value }) => `${name}: ${value}\r\n`).join('')
  writeFileSync(join(directory, 'fields'), `HTTP/1.1 ${status}\r\n${fields}\r\n`)
  writeFileSync(join(directory, 'content'), body ?? '')
  const curl = `#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    --dump-header) cp '${directory}/fields' "$2" ;;
    --output) cp '${directory}/content' "$2" ;;
  esac
  shift
done
printf '%s' ${status}
`
  writeFileSync(join(directory, 'curl'), curl, { mode: 0o700 })
  const env = { PATH: `${directory}:${process.env.PATH}`, TMPDIR: directory }
  return spawnSync('sh', { input: script, env, cwd: directory }).status
}

const ok = { name: 'X-A', value: '1' }

describe('failureScript', () => {
  it.each<[string, Partial<Deviation>, Response, Response, Response]>([
    [
      'a status',
      { reads: { status: true, conforming: ['404'] } },
      {},
      { status: 404 },
      { status: 503 },
    ],
    [
      'a rejection',
      { reads: { status: true, conforming: ['3xx', '4xx'] } },
      {},
      { status: 302 },
      { status: 429 },
    ],
    [
      'a header field',
      { reads: { header: 'x-a', conforming: ['1'] } },
      {},
      { headers: [ok] },
      { status: 404 },
    ],
    [
      'no header field',
      { reads: { header: 'X-A', conforming: [null] } },
      { headers: [ok] },
      {},
      { status: 401 },
    ],
    [
      'a message',
      { reads: { pointer: '/message', conforming: ['"a < \'b\'"'] } },
      { status: 403, body: '{"message": "a"}', bodyBytes: 9 },
      { status: 403, body: '{"url": [{"message": "c"}], "message" : "a \\u003c \'b\'"}' },
      { status: 401 },
    ],
    [
      'an item',
      { reads: { pointer: '/1', conforming: [null] } },
      { body: '[{"a":"]"}, {"b":2}]', bodyBytes: 9 },
      { body: '[{"a":"]"}]' },
      { status: 500 },
    ],
    [
      'no body',
      { reads: { pointer: '', conforming: [null] } },
      { body: '{}' },
      { status: 204 },
      { status: 404 },
    ],
    [
      'the value of the report',
      { reads: { header: 'X-A' } },
      { headers: [ok] },
      {},
      { status: 404 },
    ],
  ])('compares %s', (_, deviation, deviating, conforming, other) => {
    const script = scriptOf(deviating, deviation)
    expect(exitStatus(script, deviating)).toBe(1)
    expect(exitStatus(script, conforming)).toBe(0)
    expect(exitStatus(script, other)).toBe(2)
  })

  it('executes no text of the server or the report', () => {
    const hostile = `'; touch "${directory}/made"; $(touch ${directory}/made) \`touch ${directory}/made\` '"`
    const headers = [{ name: 'X-A', value: hostile }]
    const texts = { expected: `a\n${hostile}`, actual: hostile }
    const script = scriptOf({ headers }, { ...texts, reads: { header: 'X-A' } }, { body: hostile })
    expect(exitStatus(script, { headers })).toBe(1)
    expect(exitStatus(script)).toBe(0)
    expect(existsSync(join(directory, 'made'))).toBe(false)
  })

  it('ends with 2 without the variable of a secret', () => {
    const request = { secrets: ['CODE_HOSTING_PASSWORD'] }
    const script = scriptOf({}, { reads: { status: true } }, request)
    expect(exitStatus(script)).toBe(2)
    expect(exitStatus(`CODE_HOSTING_PASSWORD=secret\n${script}`)).toBe(1)
  })

  it.each<[string, Response, Partial<Deviation>, Partial<ExchangeRecord['request']>?]>([
    ['an intermittent deviation', {}, { reads: { status: true }, conformedIn: 'e9' }],
    ['a part that does not decide by itself', {}, { reads: { status: true, conforming: [] } }],
    ['a body that differs in every run', { body: '{"a":1}', bodyBytes: 7 }, {}],
    ['a value with control characters', { body: 'a\u001b[31m', bodyBytes: 6 }, {}],
    [
      'a time',
      { headers: [{ name: 'X-A', value: '2026-02-03T02:59:13Z' }] },
      { reads: { header: 'X-A' } },
    ],
    ['a request whose body was not kept', {}, { reads: { status: true } }, { bodyBytes: 9 }],
    ['an unknown secret', {}, { reads: { status: true } }, { secrets: ['ONE_TIME_CODE'] }],
  ])('writes none for %s', (_, response, deviation, request) => {
    expect(scriptOf(response, deviation, request)).toBeUndefined()
  })
})
