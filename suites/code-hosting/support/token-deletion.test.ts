import { describe, expect, it, vi } from 'vitest'
import { Inconclusive, Interrupted } from '../../../lib/conformance/check-errors.ts'
import { exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { basic } from '../../../lib/probe/credentials.ts'
import { TransportError } from '../../../lib/probe/exchange.ts'
import { Redactor } from '../../../lib/probe/redaction.ts'
import { deleteToken } from './token-deletion.ts'

vi.mock('node:timers/promises', () => ({ setTimeout: async () => undefined }))

const credentials = basic('tess', 'a-password')
const otp = { username: 'tess', password: 'a-password', secret: 'GEZDGNBVGY3TQOJQ' }

const responseWith = (status: number) => exchangeWith({ status }, '/tokens', { method: 'DELETE' })

const lost = () =>
  new Inconclusive(
    { kind: 'gateway', exchange: 'x0', status: 503 },
    { exchange: responseWith(503) },
  )
const unreachable = () =>
  new Inconclusive(
    { kind: 'transport', exchange: 'x0', detail: 'the certificate has expired' },
    { cause: new TransportError('the certificate has expired', responseWith(200).record) },
  )

/** Deletes a token from a service that returns these responses in order. */
async function runDeletion(
  responses: (number | Error)[],
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
        const response = responses.shift() ?? 500
        if (typeof response !== 'number') throw response
        return responseWith(response)
      },
    },
    { name, account },
    credentials,
  )
  return { outcome, sent, waits }
}

describe('deleteToken', () => {
  it.each([
    [204, { outcome: 'deleted' }],
    [404, { outcome: 'absent' }],
    [401, { outcome: 'rejected', status: 401 }],
    [500, { outcome: 'rejected', status: 500 }],
  ])('returns the outcome of status %d', async (status, expected) => {
    const { outcome, sent } = await runDeletion([status])
    expect(outcome).toEqual(expected)
    expect(sent).toEqual([
      { path: '/api/v1/users/maria/tokens/plumbline-run7-all', code: undefined },
    ])
  })

  it('encodes names in the path', async () => {
    const { sent } = await runDeletion([204], { account: 'a/b', name: '../x?y#z' })
    expect(sent[0]?.path).toBe('/api/v1/users/a%2Fb/tokens/..%2Fx%3Fy%23z')
  })

  it('retries lost responses, after which 404 means deleted', async () => {
    expect((await runDeletion([lost(), lost(), 404])).outcome).toEqual({ outcome: 'deleted' })
    const never = await runDeletion([lost(), lost(), lost(), lost(), 204])
    expect(never.outcome).toMatchObject({
      outcome: 'failed',
      error: { reason: { kind: 'gateway', status: 503 } },
    })
    expect(never.sent).toHaveLength(4)
  })

  it('does not retry or throw if the service is unreachable', async () => {
    const { outcome, sent } = await runDeletion([unreachable()])
    expect(outcome).toMatchObject({ error: { reason: { kind: 'transport' } } })
    expect(sent).toHaveLength(1)
  })

  it('sends a one-time code, and waits for the next step after a rejection', async () => {
    const first = await runDeletion([403, 204], { account: 'tess' })
    expect(first.outcome).toEqual({ outcome: 'deleted' })
    const codes = first.sent.map(({ code }) => code)
    expect(codes).toEqual([undefined, expect.stringMatching(/^\d{6}$/)])
    expect(first.waits).toEqual([])
    const { outcome, waits } = await runDeletion([401, 401, 401, 204], { account: 'tess' })
    expect(outcome).toEqual({ outcome: 'deleted' })
    expect(waits).toHaveLength(2)
    for (const milliseconds of waits) expect(milliseconds).toBeGreaterThanOrEqual(15_000)
    const never = await runDeletion(Array(20).fill(401), { account: 'tess' })
    expect(never.outcome).toMatchObject({ outcome: 'rejected', status: 401 })
    expect(never.sent).toHaveLength(7)
  })

  it('does not wait if the run is interrupted', async () => {
    const wait = async () => {
      throw new Interrupted({ kind: 'interrupted', by: 'operator' })
    }
    const { outcome, sent } = await runDeletion([401, 401], { account: 'tess', wait })
    expect(outcome).toMatchObject({ error: { reason: { kind: 'interrupted' } } })
    expect(sent).toHaveLength(2)
  })
})
