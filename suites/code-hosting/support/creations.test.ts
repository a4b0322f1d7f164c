import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive, Skip } from '../../../lib/conformance/outcome.ts'
import { anonymous, bearer } from '../../../lib/probe/credentials.ts'
import type { ProbeRequest } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { createAccounts } from './accounts.ts'
import { createCreations } from './creations.ts'
import {
  type FakeServiceOptions,
  fakeService,
  type Handler,
  server,
  targetWith,
} from './service.fixture.ts'
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

function creationsOf(
  parts: Partial<CodeHostingTarget> = {},
  handler: Handler = server(),
  options: FakeServiceOptions = {},
) {
  const { run, client, sent } = fakeService(handler, options)
  const target = targetWith(parts)
  const accounts = createAccounts(run, target, client)
  const creation = createTokenCreation(run, target, client)
  const tokens = createTokens(target, client, accounts, creation)
  return { creations: createCreations(run, client, accounts, tokens, creation), sent, tokens }
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

  it('give another name to compare across users where the answer is lost', async () => {
    let lost = 0
    const { creations, sent } = creationsOf({}, server(), {
      retries: 2,
      isLost: ({ method, url }) => {
        if (method !== 'POST' || !url.pathname.includes('/otto/')) return false
        lost += 1
        return lost === 1
      },
    })
    expect((await creations.byOtherWithSameName()).status).toBe(201)
    const asked = postsIn(sent).map((request) => {
      const [, account] = /users\/(\w+)/.exec(request.url.pathname) ?? []
      return `${account} ${bodyOf(request).name}`
    })
    expect(asked.slice(-4)).toEqual([
      'maria plumbline-run7-read-issue',
      'otto plumbline-run7-read-issue',
      'maria plumbline-run7-other-account-2',
      'otto plumbline-run7-other-account-2',
    ])
  })

  it('take the name that the first token has for the duplicate', async () => {
    let posts = 0
    const { creations, sent } = creationsOf({}, server(), {
      retries: 2,
      isLost: ({ method }) => {
        if (method === 'POST') posts += 1
        return posts === 1
      },
    })
    expect((await creations.withDuplicateName()).status).toBe(400)
    const names = postsIn(sent).map((request) => bodyOf(request).name)
    expect(names.slice(-2)).toEqual(['plumbline-run7-read-issue-2', 'plumbline-run7-read-issue-2'])
  })
})

describe('one-time codes', () => {
  it('get a third one, and no fourth', async () => {
    const refusal = { status: 401, json: { message: 'the code is wrong' } }
    const third = creationsOf({}, serverAnswering(refusal, refusal))
    expect((await third.creations.withOneTimeCode()).status).toBe(201)
    expect(delays).toEqual([15_000, 30_000])
    const handler = server()
    const { creations, sent } = creationsOf({}, (request) =>
      request.method === 'POST' ? refusal : handler(request),
    )
    expect((await creations.withOneTimeCode()).status).toBe(401)
    // The last two are those of the steps on both sides of the last one.
    const codes = postsIn(sent).map(codeIn)
    expect(codes).toHaveLength(5)
    expect(codes[4]).toBe(codes[1])
    expect(new Set(codes).size).toBe(4)
  })

  it.each([
    ['next', 0],
    ['previous', 1],
  ])('are waited for where that of the %s step is accepted', async (_, refused) => {
    const refusal = { status: 401 }
    const accepted = { status: 201 }
    const refusals = Array.from({ length: 3 + refused }, () => refusal)
    const answers = serverAnswering(...refusals, accepted, refusal)
    const { creations } = creationsOf({}, answers)
    expect((await creations.withOneTimeCode()).status).toBe(201)
    // The first wait begins in the middle of a step.
    expect(delays).toEqual([15_000, 30_000, 30_000, 30_000])

    const others = serverAnswering(...refusals, accepted, ...Array(5).fill(refusal))
    const error = await errorOf(creationsOf({}, others).creations.withOneTimeCode)
    expect(error).toBeInstanceOf(Inconclusive)
    expect(String(error)).toContain('was refused in 8 steps, and that of another one accepted')
    expect(String(error)).toContain('CODE_HOSTING_OTP_USERNAME')
  })

  it.each([
    [-60, true],
    [7, true],
    [3, false],
    [-2, false],
  ])('are inconclusive where the clocks differ by %d s: %s', async (seconds, expected) => {
    const others = server()
    const { creations } = creationsOf({}, (request) =>
      request.method === 'GET'
        ? others(request)
        : {
            status: 401,
            headers: { Date: new Date(Date.now() + seconds * 1000).toUTCString() },
          },
    )
    const error = await errorOf(creations.withOneTimeCode)
    expect(error instanceof Inconclusive).toBe(expected)
    if (expected) expect(String(error)).toContain(`differs from this machine's by ${seconds} s`)
  })

  it('are tried once where the account is not known by its password', async () => {
    const { creations, sent } = creationsOf({}, () => ({ status: 401 }))
    const error = await errorOf(creations.withOneTimeCode)
    expect(error).toBeInstanceOf(Inconclusive)
    expect(error).toHaveProperty(
      'message',
      'the account tina was refused with 401, with a one-time code too: check ' +
        'CODE_HOSTING_OTP_USERNAME, CODE_HOSTING_OTP_PASSWORD and CODE_HOSTING_OTP_SECRET, and ' +
        'whether the server takes codes in X-Service-OTP',
    )
    expect(postsIn(sent)).toHaveLength(1)
    expect(sent.filter(({ method }) => method === 'GET').map(codeIn)).toEqual([
      undefined,
      expect.stringMatching(/^\d{6}$/),
      undefined,
    ])
    expect(delays).toEqual([])
  })

  it('are refused where the password is right, as a wrong one is refused in other words', async () => {
    let right: ProbeRequest['credentials']
    const { creations } = creationsOf({}, ({ credentials }) => {
      right ??= credentials
      const isRight = JSON.stringify(credentials) === JSON.stringify(right)
      const message = isRight ? 'a code is missing' : 'who are you?'
      return { status: 401, text: JSON.stringify({ message }) }
    })
    expect(await creations.withOneTimeCode()).toMatchObject({ status: 401 })
  })
})
