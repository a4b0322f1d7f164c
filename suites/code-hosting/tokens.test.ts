import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Inconclusive } from '../../lib/conformance/check-errors.ts'
import { errorOf, type StubResponse } from '../../lib/conformance/exchange.fixture.ts'
import type { ProbeRequest } from '../../lib/probe/exchange.ts'
import { contextWith, type Handler, server } from './service.fixture.ts'

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

const codeIn = ({ headers }: ProbeRequest) => headers?.['X-Service-OTP']
const postsIn = (sent: ProbeRequest[]) => sent.filter(({ method }) => method === 'POST')

/** Creates a server that returns these responses to token creations in order. */
function serverReturning(...responses: (StubResponse | undefined)[]): Handler {
  const handler = server()
  return (request) =>
    (request.method === 'POST' ? responses.shift() : undefined) ?? handler(request)
}

describe('one-time codes', () => {
  const rejection = { status: 401, json: { message: 'the code is wrong' } }

  it('are tried in three steps', async () => {
    const third = contextWith({}, serverReturning(rejection, rejection)).creations
    expect((await third.withOneTimeCode()).status).toBe(201)
    expect(delays).toEqual([15_000, 30_000])
    const { creations, sent } = contextWith({}, serverReturning(...Array(9).fill(rejection)))
    expect((await creations.withOneTimeCode()).status).toBe(401)
    // The last two codes belong to the adjacent steps.
    const codes = postsIn(sent).map(codeIn)
    expect(codes).toHaveLength(5)
    expect(codes[4]).toBe(codes[1])
    expect(new Set(codes).size).toBe(4)
  })

  it.each([
    ['next', 3],
    ['previous', 4],
  ])('are inconclusive if the code of the %s step is accepted', async (step, rejections) => {
    const responses = [...Array(rejections).fill(rejection), { status: 201 }]
    const { creations } = contextWith({}, serverReturning(...responses))
    const error = await errorOf(() => creations.withOneTimeCode())
    expect(error).toBeInstanceOf(Inconclusive)
    expect(String(error)).toMatch(new RegExp(`${step} step.*CODE_HOSTING_OTP_USERNAME`))
    // The first wait begins in the middle of a step.
    expect(delays).toEqual([15_000, 30_000])
  })

  it.each([
    [-60, true],
    [7, true],
    [3, false],
    [-2, false],
  ])('are inconclusive if the clocks differ by %d s: %s', async (seconds, expected) => {
    const others = server()
    const { creations } = contextWith({}, (request) => {
      const date = new Date(Date.now() + seconds * 1000).toUTCString()
      return request.method === 'GET' ? others(request) : { status: 401, headers: { Date: date } }
    })
    const error = await errorOf(() => creations.withOneTimeCode())
    expect(error instanceof Inconclusive).toBe(expected)
    if (expected) expect(String(error)).toContain(` ${seconds} s`)
  })

  it('are tried once if the password may be wrong', async () => {
    const { creations, sent } = contextWith({}, () => ({ status: 401 }))
    const error = await errorOf(() => creations.withOneTimeCode())
    const variables = expect.arrayContaining(['CODE_HOSTING_OTP_PASSWORD'])
    expect(error).toMatchObject({ reason: { kind: 'settings', variables } })
    expect(postsIn(sent)).toHaveLength(1)
    const codes = sent.filter(({ method }) => method === 'GET').map(codeIn)
    expect(codes).toEqual([undefined, expect.stringMatching(/^\d{6}$/), undefined])
    expect(delays).toEqual([])
  })

  it('are rejected if a wrong password has another message', async () => {
    let right: string | undefined
    const { creations } = contextWith({}, ({ credentials }) => {
      right ??= JSON.stringify(credentials)
      const isRight = JSON.stringify(credentials) === right
      return { status: 401, json: { message: isRight ? 'a code is missing' : 'who are you?' } }
    })
    expect(await creations.withOneTimeCode()).toMatchObject({ status: 401 })
  })
})
