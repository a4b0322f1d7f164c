import { beforeEach, describe, expect, it, vi } from 'vitest'
import { anonymous, bearer } from '../../probe/credentials.ts'
import type { ProbeRequest } from '../../probe/exchange.ts'
import type { CodeHostingTarget } from '../../target/target.ts'
import { type Answer, errorOf } from '../exchange.fixture.ts'
import { Inconclusive, Skip } from '../outcome.ts'
import { createAccounts } from './accounts.ts'
import { createCreations } from './creations.ts'
import { fakeService, type Handler, server, targetWith } from './service.fixture.ts'
import { createTokenCreation } from './token-creation.ts'
import { createTokens } from './tokens.ts'

const delays = vi.hoisted(() => [] as number[])
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    delays.push(milliseconds)
    vi.setSystemTime(Date.now() + milliseconds)
  },
}))

beforeEach(() => {
  delays.length = 0
  vi.useFakeTimers({ toFake: ['Date'], now: 1_700_000_000_000 })
  return () => vi.useRealTimers()
})

function creationsOf(parts: Partial<CodeHostingTarget> = {}, handler: Handler = server()) {
  const { run, client, sent } = fakeService(handler)
  const target = targetWith(parts)
  const accounts = createAccounts(run, target, client)
  const creation = createTokenCreation(run, target, client)
  const tokens = createTokens(target, client, accounts, creation)
  return { creations: createCreations(run, accounts, tokens, creation), sent, tokens }
}

const bodyOf = ({ body }: ProbeRequest) => JSON.parse(body ?? 'null')
const codeIn = ({ headers }: ProbeRequest) => headers?.['X-Service-OTP']
const postsIn = (sent: ProbeRequest[]) => sent.filter(({ method }) => method === 'POST')

/** The server, with what it answers to token creations replaced, one after the other. */
function serverAnswering(...answers: (Answer | undefined)[]): Handler {
  const handler = server()
  return (request) => (request.method === 'POST' ? answers.shift() : undefined) ?? handler(request)
}

describe('requests for tokens', () => {
  it('have one thing wrong each, and are sent once', async () => {
    const { creations } = creationsOf()
    const statuses = async () =>
      (
        await Promise.all([
          creations.accepted(),
          creations.withoutName(),
          creations.malformed(),
          creations.withUnknownScope(),
          creations.withDuplicateName(),
          creations.withToken('bearer'),
          creations.withWrongPassword(),
          creations.withoutCredentials(),
          creations.byOtherWithSameName(),
          creations.byAdminWithAdminScopes(),
          creations.withoutOneTimeCode(),
        ])
      ).map(({ id, status }) => [id, status])
    const first = await statuses()
    expect(first.map(([, status]) => status)).toEqual([
      201, 422, 400, 400, 400, 401, 401, 401, 201, 201, 401,
    ])
    expect(await statuses()).toEqual(first)
  })

  it('differ from the accepted one in that thing alone', async () => {
    const { creations, sent, tokens } = creationsOf()
    const requestOf = async (made: () => Promise<{ request: ProbeRequest }>) =>
      (await made()).request
    const accepted = await requestOf(creations.accepted)
    expect(bodyOf(await requestOf(creations.withoutName))).toEqual({ scopes: ['read:issue'] })
    const malformed = await requestOf(creations.malformed)
    expect(JSON.parse(`${malformed.body}}`)).toEqual({
      name: 'plumbline-run7-malformed',
      scopes: ['read:issue'],
    })
    expect(bodyOf(await requestOf(creations.withDuplicateName))).toEqual(bodyOf(accepted))
    expect(bodyOf(await requestOf(creations.byOtherWithSameName))).toEqual(bodyOf(accepted))
    expect((await requestOf(creations.withoutCredentials)).credentials).toEqual(anonymous)
    const working = bearer(await tokens.working())
    expect((await requestOf(() => creations.withToken('bearer'))).credentials).toEqual(working)
    const level = await requestOf(creations.withUnknownLevel)
    expect(bodyOf(level)).toMatchObject({ scopes: ['plumbline:issue'] })
    for (const { url, headers } of postsIn(sent)) {
      expect(url.pathname).toMatch(/^\/api\/v1\/users\/(maria|otto)\/tokens$/)
      expect(headers?.['Content-Type']).toBe('application/json')
    }
  })

  it('are not sent with a password that is refused', async () => {
    const { creations, sent } = creationsOf({ password: 'not-the-password' })
    const { accepted, withoutName, malformed, withoutCredentials } = creations
    for (const made of [accepted, withoutName, malformed, withoutCredentials]) {
      expect(await errorOf(made)).toBeInstanceOf(Inconclusive)
    }
    expect(postsIn(sent)).toHaveLength(1)
  })

  it('do not take a second token for a duplicate where there was no first one', async () => {
    const { creations } = creationsOf({}, serverAnswering({ status: 500 }))
    const error = await errorOf(creations.withDuplicateName)
    expect(error).toBeInstanceOf(Skip)
    expect(error).toHaveProperty('message', expect.stringContaining('was answered with 500'))
  })

  it('compare names across users only where there is one to compare', async () => {
    const { creations } = creationsOf({}, serverAnswering({ status: 400 }))
    expect(await errorOf(creations.byOtherWithSameName)).toBeInstanceOf(Skip)
    const without = creationsOf({ other: undefined })
    expect(await errorOf(without.creations.byOtherWithSameName)).toHaveProperty(
      'message',
      expect.stringContaining('CODE_HOSTING_OTHER_USERNAME'),
    )
  })
})

describe('one-time codes', () => {
  it('are sent as the current one, a wrong one, or not at all', async () => {
    const { creations, sent } = creationsOf()
    expect((await creations.withOneTimeCode()).status).toBe(201)
    await creations.withWrongOneTimeCode()
    await creations.withoutOneTimeCode()
    await creations.withStaleOneTimeCode()
    const [current, wrong, none, stale] = postsIn(sent).map(codeIn)
    expect(stale).toMatch(/^\d{6}$/)
    expect([current, wrong]).not.toContain(stale)
    expect(current).toMatch(/^\d{6}$/)
    expect(wrong).toMatch(/^\d{6}$/)
    expect(wrong).not.toBe(current)
    expect(none).toBeUndefined()
    expect(delays).toEqual([])
  })

  it('get a second chance well inside of the next step', async () => {
    const { creations, sent } = creationsOf({}, serverAnswering({ status: 401 }))
    expect((await creations.withOneTimeCode()).status).toBe(201)
    const [first, second] = postsIn(sent).map(codeIn)
    expect(second).not.toBe(first)
    expect(delays).toEqual([15_000])
    expect((Date.now() / 1000) % 30).toBe(5)
  })

  it('get no third one', async () => {
    const refusal = { status: 401, json: { message: 'the code is wrong' } }
    const { creations, sent } = creationsOf({}, serverAnswering(refusal, refusal))
    expect((await creations.withOneTimeCode()).status).toBe(401)
    expect(postsIn(sent)).toHaveLength(2)
  })

  it.each([
    [-60, true],
    [7, true],
    [3, false],
    [-2, false],
  ])('are inconclusive where the clocks differ by %d s: %s', async (seconds, expected) => {
    const { creations } = creationsOf({}, () => ({
      status: 401,
      headers: { Date: new Date(Date.now() + seconds * 1000).toUTCString() },
    }))
    const error = await errorOf(creations.withOneTimeCode)
    expect(error instanceof Inconclusive).toBe(expected)
    if (expected) expect(String(error)).toContain(`differs from this machine's by ${seconds} s`)
  })

  it('are skipped without the account', async () => {
    const { creations } = creationsOf({ otp: undefined })
    expect(await errorOf(creations.withOneTimeCode)).toHaveProperty(
      'message',
      expect.stringContaining('CODE_HOSTING_OTP_SECRET'),
    )
  })
})
