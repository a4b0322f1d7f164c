import { describe, expect, it } from 'vitest'
import { type MakeIntermediary, startReference } from '../reference/index.ts'
import { atTheEnd } from './command.fixture.ts'
import { type EnclosedOutcome, runInOwnThread } from './enclosed-run.fixture.ts'

type Told = Awaited<ReturnType<ReturnType<MakeIntermediary>>>

/** What comes in place of answers of 201. */
const answers: Record<string, Told> = {
  'a time-out of a proxy': { status: 408, headers: new Headers({ Connection: 'close' }), body: '' },
  "a gateway's page": {
    status: 403,
    headers: new Headers({ 'Content-Type': 'text/html' }),
    body: '<!doctype html><title>Not now</title>',
  },
  'a refusal of the service': {
    status: 400,
    headers: new Headers({ 'Content-Type': 'application/json' }),
    body: '{"message":"no","url":"/api/swagger"}',
  },
}

interface DoubtfulRun extends EnclosedOutcome {
  /** Names of the tokens that are there in the end. */
  left: string[]
}

/** A run of which every token is made, and no answer says so. */
async function runWith(told: Told, deletePath: boolean): Promise<DoubtfulRun> {
  const there = new Set<string>()
  const { environment, close } = await startReference({
    intermediary: () => async (request, answer) => {
      const text = await request.text()
      const own = await answer({ ...request, text: async () => text })
      const { pathname } = request.url
      if (request.method === 'DELETE') there.delete(pathname.split('/').at(-1) ?? '')
      if (request.method !== 'POST' || own.status !== 201) return own
      if (!pathname.endsWith('/tokens')) return own
      there.add(JSON.parse(text).name)
      return told
    },
  })
  atTheEnd(close)
  // One-time codes that are refused would be tried again in the next time steps.
  const others = /^(?!CODE_HOSTING_)|^CODE_HOSTING_OTP_/
  const kept = Object.entries(environment).filter(
    ([name]) => !others.test(name) && (deletePath || name !== 'CODE_HOSTING_TOKEN_DELETE_PATH'),
  )
  const outcome = await runInOwnThread(Object.fromEntries(kept))
  return { ...outcome, left: [...there].sort() }
}

describe('a deployment that makes every token and never says so', () => {
  it.each(Object.entries(answers))('but %s: all are taken away', async (_, told) => {
    const { left, report, sizes } = await runWith(told, true)
    expect(left).toEqual([])
    expect(report.leftBehind.filter(({ name }) => name !== '(without a name)')).toEqual([])
    expect(report.exchanges.length).toBeLessThan(185)
    expect(sizes.size).toBeLessThan(7)
  })

  it.each(['a time-out of a proxy', "a gateway's page"])(
    'but %s: all are told where nothing says how to delete them',
    async (name) => {
      const { left, report, output, sizes } = await runWith(answers[name] as Told, false)
      const told = report.leftBehind.filter(({ mayExist }) => mayExist)
      expect(left.length).toBeGreaterThan(5)
      expect(told.map((one) => one.name)).toEqual(expect.arrayContaining(left))
      expect(output).toContain('(may exist)')
      expect([...sizes.keys()].some((file) => file.startsWith('ledger-'))).toBe(true)
    },
  )
})
