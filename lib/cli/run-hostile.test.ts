import { describe, expect, it } from 'vitest'
import { startHostile } from '../reference/hostile/index.fixture.ts'
import { atTheEnd } from './command.fixture.ts'
import { type EnclosedOutcome, enclosedRun, idsWith, reasonsOf } from './enclosed-run.fixture.ts'

const MEBIBYTE = 1024 * 1024
const TIMEOUT_MS = 250

interface Encountered extends EnclosedOutcome {
  /** How many the server received. */
  requests: number
}

async function encounter(behaviour: string, at?: RegExp): Promise<Encountered> {
  const hostile = await startHostile({
    behaviour,
    paceMs: 20,
    at: at && (({ method, url }) => at.test(`${method} ${url}`)),
  })
  atTheEnd(() => hostile.close())
  const hangs = /never|drips|without-end/.test(behaviour)
  const outcome = await enclosedRun({
    ...hostile.environment,
    PROBE_RETRIES: '1',
    ...(hangs ? { PROBE_TIMEOUT_MS: String(TIMEOUT_MS) } : {}),
  })
  await hostile.close()
  // Whatever a server does, nothing goes wrong in Plumbline, and a person can read what it says.
  expect(outcome.errors).not.toMatch(/^plumbline: /m)
  expect(outcome.output).not.toMatch(/\bundefined\b|\[object |\n\s+at \S+ \(/)
  for (const { reason, verdict } of outcome.report.results) {
    if (verdict !== 'pass') expect(reason).toMatch(/ /)
    expect(reason?.length ?? 0).toBeLessThan(2100)
  }
  for (const [name, bytes] of outcome.sizes) expect(bytes, name).toBeLessThan(16 * MEBIBYTE)
  return { ...outcome, requests: hostile.requests.length }
}

describe('a deployment in which every answer is hostile', () => {
  it.each([
    ['never-answers', /cannot be reached: .*no complete response within 250 ms/],
    ['closes-behind-the-header', /cannot be reached: .*closed before the response ended/],
    ['continues-without-end', /an interim response \(100\) that was not asked for/],
    ['length-and-chunks', /gives no answer that can be read: .*length of the response body/],
    ['deep-json', /gives no answer that can be read: .*nested 100001 levels deep/],
    ['long-number', /gives no answer that can be read: .*a number of 1000000 digits/],
    ['unknown-coding', /gives no answer that can be read: .*content coding "x-riddle"/],
    ['ten-thousand-fields', /gives no answer that can be read: .*header is too large/],
    ['redirects-in-a-circle', /does not answer like .*a redirect to /],
    ['status-999', /gives no answer of its own: .*with 999, which (?:is no status|a gateway may)/],
    ['short-members', /gives no answer that can be read: .*more than 200000 values/],
  ])('ends soon, for one reason for each service: %s', async (behaviour, reason) => {
    const outcome = await encounter(behaviour)
    const reasons = new Set(reasonsOf(outcome, 'inconclusive'))

    expect(outcome.status).toBe(3)
    expect(idsWith(outcome, 'fail')).toEqual([])
    expect(idsWith(outcome, 'pass')).toEqual([])
    expect(reasons.size).toBe(3)
    for (const given of reasons) expect(given).toMatch(reason)
    expect(outcome.requests).toBeLessThan(40)
  })

  it.each(['http-1-0', 'prototype-keys'])(
    'conforms as far as its documents go: %s',
    async (name) => {
      const outcome = await encounter(name)

      expect(idsWith(outcome, 'fail')).toEqual([])
      expect(idsWith(outcome, 'inconclusive')).toEqual([])
      expect(outcome.status).toBe(0)
    },
  )

  it('fails for the text that is not UTF-8, and for nothing else', async () => {
    const outcome = await encounter('invalid-utf-8')

    expect(idsWith(outcome, 'fail')).toEqual(['code-hosting/resources/json'])
    expect(reasonsOf(outcome, 'fail')[0]).toContain('and it is not UTF-8')
  })

  it('fails for the fields that contradict themselves, and for nothing else', async () => {
    const failed = idsWith(await encounter('contradictory-fields'), 'fail')

    expect(failed).toContain('code-hosting/pagination/per-page-header')
    expect(failed.filter((id) => !id.startsWith('code-hosting/pagination/'))).toEqual([])
  })

  it('waits for no one-time code where it has trouble, and holds it against nobody', async () => {
    const outcome = await encounter('refuses-before-it-reads')

    expect(idsWith(outcome, 'fail')).toEqual([])
    expect(idsWith(outcome, 'pass').length).toBeGreaterThan(30)
    expect(reasonsOf(outcome, 'inconclusive').join()).toContain(
      'answered with 413, which a gateway may have sent',
    )
    expect(outcome.requests).toBeLessThan(200)
  })
})

describe('a deployment whose bodies are as large as is read', () => {
  const tooMany = /the large responses of this run are more together than are kept \(32 MiB/

  it.each<[string, { fails?: RegExp; stopped?: RegExp }]>([
    ['many-records', { fails: /expected \d+ items at most, got 19900 items/, stopped: tooMany }],
    ['short-records', { stopped: /more than 200000 values, too many to be read/ }],
    ['many-members', { stopped: tooMany }],
    ['many-objects', { stopped: tooMany }],
    ['many-lists', { stopped: tooMany }],
    ['empty-lists', {}],
    ['long-texts', { stopped: tooMany }],
    ['long-messages', { fails: /: expected message "/, stopped: /no more than 4096 are read/ }],
    ['long-token', { fails: /expected a token value of at most 4 kB/, stopped: tooMany }],
    ['token-of-one-letter', { fails: /expected a token value of at most 4 kB/, stopped: tooMany }],
    ['texts-like-tokens', {}],
    ['long-text-beside-a-token', { stopped: tooMany }],
  ])('is judged as far as that goes: %s', async (behaviour, { fails, stopped }) => {
    const outcome = await encounter(behaviour)
    const failed = reasonsOf(outcome, 'fail')
    const unjudged = reasonsOf(outcome, 'inconclusive')

    for (const reason of failed) expect(reason).toMatch(fails ?? /nothing fails/)
    expect(failed.length > 0).toBe(fails !== undefined)
    if (stopped === undefined) expect(unjudged).toEqual([])
    else expect(unjudged.join()).toMatch(stopped)
    expect(idsWith(outcome, 'pass').length).toBeGreaterThan(0)
    expect(outcome.requests).toBeLessThan(250)
  })
})

describe('a deployment in which one path is hostile', () => {
  it.each(['endless-body', 'gzip-bomb'])('is judged for the rest: %s', async (behaviour) => {
    const outcome = await encounter(behaviour, /user\/repos/)

    expect(outcome.status).toBe(3)
    expect(idsWith(outcome, 'fail')).toEqual([])
    expect(idsWith(outcome, 'pass').length).toBeGreaterThan(40)
  })

  it('is not waited for again and again', async () => {
    const outcome = await encounter('never-answers', /^(?!.*settings)/)

    expect(idsWith(outcome, 'fail')).toEqual([])
    expect(reasonsOf(outcome, 'inconclusive').join()).toContain(
      'is not asked for any more: 4 times',
    )
    expect(outcome.requests).toBeLessThan(80)
  })
})

describe('a list that leads astray', () => {
  it.each(['next-to-itself', 'next-back', 'next-to-a-file', 'next-to-a-script'])(
    'fails by its links alone: %s',
    async (behaviour) => {
      const outcome = await encounter(behaviour)

      expect(idsWith(outcome, 'fail')).toEqual([
        'code-hosting/pagination/link-relations',
        'code-hosting/pagination/link-targets',
        'code-hosting/pagination/walk',
      ])
      expect(outcome.requests).toBeLessThan(400)
    },
  )

  it('is given up where it has no end', async () => {
    const outcome = await encounter('endless-list')

    expect(idsWith(outcome, 'fail')).toEqual([])
    expect(outcome.status).toBe(3)
    expect(reasonsOf(outcome, 'inconclusive').join()).toMatch(/has no end|PROBE_MAX_PAGES/)
    expect(outcome.requests).toBeLessThan(1000)
  })
})
