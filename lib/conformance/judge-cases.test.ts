import { describe, expect, it } from 'vitest'
import { inconclusive, Skip, skip, skipUnobserved } from './check-errors.ts'
import { note } from './check-scope.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { each, judgeCases, judgeOptionalCase } from './judge.ts'
import { expect as expectExchange } from './matchers.ts'
import { recordUnjudged, runCheck } from './run-check.ts'

const results = {
  pass: () => {},
  'another pass': () => {},
  skip: () => skip('something is missing'),
  unobserved: () => skipUnobserved('no 403 came'),
  explained: () => {
    throw new Skip({ kind: 'explained', text: 'another has it too' })
  },
  inconclusive: () => inconclusive('the connection broke'),
  failure: () => expectExchange(exchangeWith({ status: 500 })).toHaveStatus(200),
  'same failure': () => expectExchange(exchangeWith({ status: 500 })).toHaveStatus(201),
  'other failure': () => expectExchange(exchangeWith({ status: 404 })).toHaveStatus(200),
} satisfies Record<string, () => void>

function exchangeFailure(): unknown {
  try {
    return results.failure()
  } catch (error) {
    return error
  }
}

type Name = keyof typeof results

const judge = (...names: Name[]) =>
  runCheck('a/b/c', () =>
    judgeCases(
      names.map((name) => ({ name })),
      async ({ name }) => results[name](),
    ),
  )

describe('judgeCases', () => {
  it('records each case by its result', async () => {
    const { cases } = await judge('skip', 'failure', 'pass', 'another pass', 'skip')
    expect(cases).toMatchObject({
      ...{ pass: 'conforms', 'another pass': 'conforms', failure: 'deviates' },
      skip: { kind: 'missing' },
    })
  })

  it.each<[string, ...Name[]]>([
    ['pass', 'pass', 'skip', 'unobserved'],
    ['fail', 'skip', 'failure', 'inconclusive'],
    ['inconclusive', 'skip', 'inconclusive', 'pass'],
    ['skipped', 'skip'],
    ['skipped'],
  ])('ends the check as %s for %s, %s, %s', async (verdict, ...names) => {
    expect(await judge(...names)).toMatchObject({ verdict })
  })

  it('skips for a missing request rather than a missing response', async () => {
    for (const other of ['unobserved', 'explained'] as const)
      expect(await judge(other, 'skip')).toMatchObject({ noVerdict: { kind: 'missing' } })
    const noVerdict = { kind: 'not observed' }
    expect(await judge('unobserved', 'unobserved')).toMatchObject({ noVerdict })
  })

  it('reports each distinct deviation once, with its cases, in the order of the cases', async () => {
    const { deviations } = await judge('pass', 'other failure', 'failure', 'same failure')
    expect(deviations).toMatchObject([
      { actual: 'status 404', cases: ['other failure'] },
      { actual: 'status 500', expected: 'status 200', cases: ['failure', 'same failure'] },
    ])
  })

  it('names each case of an error that several cases share', async () => {
    const shared = Promise.reject(exchangeFailure())
    const names = ['slow', 'fast'].map((name) => ({ name }))
    const { cases, deviations } = await runCheck('a/b/c', () =>
      judgeCases(names, async ({ name }) => {
        if (name === 'slow') await shared.catch(() => {})
        await shared
      }),
    )
    expect(cases).toEqual({ fast: 'deviates', slow: 'deviates' })
    expect(deviations).toMatchObject([{ cases: ['slow', 'fast'] }])
  })

  it('keeps a deviation of a case that is judged again, and else the last result', async () => {
    const judged = async (...judgments: (() => unknown)[]) => {
      const { cases } = await runCheck('a/b/c', async () => {
        for (const judgment of judgments)
          await judgeCases([{ name: 'one' }], async () => void judgment()).catch(() => {})
      })
      return cases
    }
    const { failure, pass, skip } = results
    expect(await judged(failure, pass)).toEqual({ one: 'deviates' })
    expect(await judged(skip, pass)).toEqual({ one: 'conforms' })
  })
})

describe('runCheck', () => {
  const own = 'b/c'

  it.each<[string, Name, object]>([
    ['conforms', 'pass', { [own]: 'conforms' }],
    ['deviates', 'failure', { [own]: 'deviates' }],
    ['is missing', 'skip', { [own]: { kind: 'missing' } }],
    ['is missing', 'inconclusive', { [own]: { kind: 'unclear' } }],
  ])('is one case without a table, which %s', async (_, name, cases) => {
    const result = await runCheck('a/b/c', async () => results[name]())
    expect(result.cases).toMatchObject(cases)
  })

  it('counts optional cases in addition to its own', async () => {
    const { verdict, cases } = await runCheck('a/b/c', async () => {
      await judgeOptionalCase('one more', async () => results.skip())
      await judgeOptionalCase('another', async () => results.failure())
    })
    expect({ verdict, cases }).toMatchObject({
      verdict: 'fail',
      cases: { [own]: 'conforms', another: 'deviates', 'one more': { kind: 'missing' } },
    })
  })

  it('counts itself as a case if it fails outside of its table', async () => {
    const { cases } = await runCheck('a/b/c', async () => {
      await judgeCases([{ name: 'one' }], async () => {})
      await each([results.inconclusive, results.failure], async (judge) => judge())
    })
    expect(cases).toEqual({ one: 'conforms', [own]: 'deviates' })
  })

  it('has the planned cases as missing if it ends before its table', async () => {
    const result = await runCheck('a/b/c', async () => {
      await judgeOptionalCase('x', async () => {})
      recordUnjudged(['x', 'y', 'z'], new Skip({ kind: 'missing', text: 'no key' }))
      skip('no key')
    })
    const missing = { kind: 'missing', text: 'no key' }
    expect(result.cases).toEqual({ x: 'conforms', y: missing, z: missing })
  })

  it('reports each note of a pass and of a failure once', async () => {
    const withNotes = (judgment: () => void) =>
      runCheck('a/b/c', async () => {
        for (const text of ['one', 'two', 'one']) note(text)
        judgment()
      })
    expect((await withNotes(results.pass)).notes).toEqual(['one', 'two'])
    expect((await withNotes(results.failure)).notes).toEqual(['one', 'two'])
    expect((await withNotes(results.skip)).notes).toBeUndefined()
  })
})
