import { describe, expect, it, vi } from 'vitest'
import { Inconclusive, Interrupted } from '../../lib/conformance/check-errors.ts'
import { exchangeWith } from '../../lib/conformance/exchange.fixture.ts'
import { basic } from '../../lib/probe/credentials.ts'
import { TransportError } from '../../lib/probe/exchange.ts'
import { Redactor } from '../../lib/probe/redaction/redaction.ts'
import { deleteToken } from './tokens.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }))

const credentials = basic('tess', 'a-password')
const otp = { username: 'tess', password: 'a-password', secret: 'GEZDGNBVGY3TQOJQ' }

const responseWith = (status: number, message?: string) =>
  exchangeWith({ status, json: { message } }, '/tokens', { method: 'DELETE' })

const detail = 'the certificate has expired'
const cause = new TransportError(detail, responseWith(200).record)
const unreachable = () => new Inconclusive({ kind: 'transport', exchange: 'x0', detail }, { cause })
const lost = () =>
  new Inconclusive(
    { kind: 'gateway', exchange: 'x0', status: 503 },
    { exchange: responseWith(503) },
  )

type Outcomes = (number | [status: number, message: string] | Error)[]

/** Deletes a token from a service that returns these responses in order. */
async function runDeletion(
  responses: Outcomes,
  { account = 'maria', name = 'plumbline-run7-all', wait = async () => {} } = {},
) {
  const sent: { path: string; code: string | undefined }[] = []
  const waits: number[] = []
  const outcome = await deleteToken(
    {
      settings: { target: { probe: { retries: 2 } } },
      redactor: new Redactor(),
      wait(milliseconds) {
        waits.push(milliseconds)
        return wait()
      },
    },
    { otp, tokenDeletePath: '/api/v1/users/{username}/tokens/{name}' },
    {
      async undocumented({ method, path }, options) {
        expect(method).toBe('DELETE')
        sent.push({ path, code: options?.oneTimeCode })
        const response = responses[sent.length - 1] ?? 500
        if (response instanceof Error) throw response
        return responseWith(...([response].flat() as [number, string]))
      },
    },
    { name, account, credentials },
  )
  return { outcome, sent, waits }
}

describe('deleteToken', () => {
  const needed: [number, string] = [401, 'a code is needed']
  const used: [number, string] = [401, 'the code was used']
  const failed = (reason: object) => ({ outcome: 'failed', error: { reason } })

  it.each<[string, Outcomes, expected: object, requests: number, waits: number]>([
    ['maria', [204], { outcome: 'deleted' }, 1, 0],
    ['maria', [404], { outcome: 'absent' }, 1, 0],
    ['maria', [401], { outcome: 'rejected', status: 401 }, 1, 0],
    ['maria', [500], { outcome: 'rejected', status: 500 }, 1, 0],
    ['maria', [lost(), lost(), 404], { outcome: 'deleted', status: 404 }, 3, 0],
    ['maria', Array(4).fill(lost()), failed({ kind: 'gateway', status: 503 }), 4, 0],
    ['maria', [unreachable()], failed({ kind: 'transport' }), 1, 0],
    ['tess', [403, 204], { outcome: 'deleted' }, 2, 0],
    ['tess', [401, 401, 204], { outcome: 'deleted' }, 3, 1],
    ['tess', [needed, used, used, 204], { outcome: 'deleted' }, 4, 2],
    ['tess', [401, 403, 403, 204], { outcome: 'deleted' }, 4, 2],
    ['tess', [needed, ...Array(20).fill(used)], { outcome: 'rejected', status: 401 }, 7, 5],
    // All credentials are revoked.
    ['tess', Array(20).fill(401), { outcome: 'rejected', status: 401 }, 3, 1],
    ['tess', Array(20).fill(used), { outcome: 'rejected', status: 401 }, 3, 1],
  ])('as %s with the responses %j returns %j', async (account, responses, expected, ...counts) => {
    const { outcome, sent, waits } = await runDeletion(responses, { account })
    expect(outcome).toMatchObject(expected)
    expect([sent.length, waits.length]).toEqual(counts)
    for (const milliseconds of waits) expect(milliseconds).toBeGreaterThanOrEqual(15_000)
    const path = `/api/v1/users/${account}/tokens/plumbline-run7-all`
    expect(new Set(sent.map((request) => request.path))).toEqual(new Set([path]))
    // The first request of each account has no code.
    const codes = sent.map(({ code }) => code !== undefined)
    expect(codes).toEqual(sent.map((_, index) => account === 'tess' && index > 0))
  })

  it('encodes names in the path', async () => {
    const { sent } = await runDeletion([204], { account: 'a/b', name: '../x?y#z' })
    expect(sent[0]?.path).toBe('/api/v1/users/a%2Fb/tokens/..%2Fx%3Fy%23z')
  })

  it('does not wait if the run is interrupted', async () => {
    const wait = async () => {
      throw new Interrupted({ kind: 'interrupted', by: 'operator' })
    }
    const { outcome, sent } = await runDeletion([401, 401], { account: 'tess', wait })
    expect(outcome).toMatchObject(failed({ kind: 'interrupted' }))
    expect(sent).toHaveLength(2)
  })
})
