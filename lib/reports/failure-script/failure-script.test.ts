import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { Deviation } from '../../results/run-report.ts'
import { exchangeFixture, reportFixture, resultFixture } from '../report.fixture.ts'
import { failureScript } from './failure-script.ts'
import type { NoScriptReason } from './no-script.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-script-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

type Response = Partial<NonNullable<ExchangeRecord['response']>>

/** Returns the script of a failure that this response shows, or why there is none. */
function scriptOf(
  response: Response,
  deviation: Partial<Deviation>,
  request: Partial<ExchangeRecord['request']> = {},
): string {
  const base = exchangeFixture()
  const { secrets: _, placeholders: __, ...sent } = base.request
  const exchange = exchangeFixture({
    request: { ...sent, headers: [], ...request },
    response: { status: 200, headers: [], body: '', bodyBytes: 0, ...response },
  })
  const first = { expected: 'other', actual: 'this', exchange: exchange.id, ...deviation }
  const result = resultFixture({ verdict: 'fail', deviations: [first], exchanges: [exchange.id] })
  const script = failureScript(result, reportFixture({ exchanges: [exchange] }))
  return typeof script === 'string' ? script : script.content
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

  const status = { reads: { status: true } } as const
  it.each<[NoScriptReason, Response, Partial<Deviation>, Partial<ExchangeRecord['request']>?]>([
    ['noResponse', {}, { ...status, exchange: 'e9' }],
    ['severalParts', {}, { reads: { status: true, conforming: [] } }],
    ['severalParts', { body: '{"a":1}', bodyBytes: 7 }, {}],
    ['hiddenCharacters', { body: 'a\u202eb', bodyBytes: 5 }, {}],
    [
      'variesByRun',
      { headers: [{ name: 'X-A', value: '2026-02-03T02:59:13Z' }] },
      { reads: { header: 'X-A' } },
    ],
    ['notKept', {}, status, { bodyBytes: 9 }],
    ['notKept', { body: null, bodyBytes: 9 }, {}],
    ['oneTimeCode', {}, status, { secrets: ['ONE_TIME_CODE'] }],
    ['secretOfTheRun', {}, status, { secrets: ['WRONG_PASSWORD_SHORTER'] }],
  ])('returns %s', (reason, response, deviation, request) => {
    expect(scriptOf(response, deviation, request)).toBe(reason)
  })
})
