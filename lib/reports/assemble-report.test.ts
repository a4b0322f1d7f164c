import { describe, expect, it } from 'vitest'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import type { CheckResult } from '../conformance/run-check.ts'
import type { Reason } from '../results/reason.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { assembleReport, type RunDescription } from './assemble-report.ts'
import { exchangeFixture } from './report.fixture.ts'
import { noEvidence, type RunEvidence } from './run-evidence.ts'

const idOf = (name: string) => `code-hosting/errors/${name}`

const requirement = (name: string, changes: Partial<Requirement> = {}): Requirement => ({
  id: idOf(name),
  statement: `What ${name} states.`,
  section: 'Errors',
  level: 'contract',
  since: '0.1.0',
  checkedBy: ['probe'],
  ...changes,
})

const catalogue: Catalogue = {
  service: 'code-hosting',
  document: 'A document',
  needs: {},
  requirements: [
    requirement('probed'),
    requirement('both', { checkedBy: ['probe', 'invariant'] }),
    requirement('invariant', { checkedBy: ['invariant'] }),
    requirement('worded', { level: 'wording' }),
    requirement('untestable', { checkedBy: ['untestable'], reason: 'Nothing shows it.' }),
  ],
}

const judgement = (name: string, changes: Partial<CheckResult> = {}): CheckResult => ({
  requirement: idOf(name),
  by: 'probe',
  verdict: 'pass',
  exchanges: [],
  durationMs: 1,
  ...changes,
})

/** Returns the results by the names of their requirements. */
function resultsOf(
  judgements: CheckResult[],
  changes: Partial<RunDescription> = {},
  exchanges: RunEvidence['exchanges'] = [],
): Record<string, RequirementResult> {
  const all = catalogue.requirements.map(({ id }) => id)
  const { results } = assembleReport(
    { ...noEvidence(), judgements, exchanges },
    {
      ...{
        version: '1.0.0',
        runId: 'run',
        startedAt: new Date(0),
        finishedAt: new Date(1),
        seed: 1,
      },
      ...{ target: {}, documents: {}, settings: {}, wording: 'strict', interrupted: false },
      ...{ catalogues: [catalogue], selected: all, checks: all },
      ...changes,
    },
  )
  return Object.fromEntries(results.map((one) => [one.requirement.split('/').at(-1), one]))
}

const noVerdict = { kind: 'missing', text: 'why' } as const

describe('assembleReport', () => {
  const ended = { kind: 'interrupted', before: true }

  it.each<[string, Partial<RunDescription>, object]>([
    ['judged', {}, ended],
    ['judged because of the operator', { interrupted: true }, { ...ended, by: 'operator' }],
    ['judged because of a defect', { brokenOff: true }, { ...ended, by: 'internal error' }],
    ['selected', { selected: [] }, { kind: 'not selected' }],
  ])('passes no requirement that was not %s', (_name, changes, noVerdict) => {
    const verdict = changes.selected === undefined ? 'inconclusive' : 'skipped'
    const { probed, untestable } = resultsOf([], changes)
    expect(probed).toMatchObject({ verdict, noVerdict })
    expect(untestable).toMatchObject({
      verdict: 'skipped',
      noVerdict: { kind: 'untestable', why: 'Nothing shows it.' },
    })
  })

  it.each([
    ['pass', 'fail', 'fail'],
    ['pass', 'inconclusive', 'inconclusive'],
    ['inconclusive', 'fail', 'fail'],
    ['pass', 'skipped', 'pass'],
    ['skipped', 'pass', 'skipped'],
  ] as const)(
    'makes of a probe with %s and an invariant with %s: %s',
    (probe, invariant, verdict) => {
      const { both } = resultsOf([
        judgement('both', { verdict: invariant, by: 'invariant' }),
        judgement('both', { verdict: probe }),
      ])
      expect(both?.verdict).toBe(verdict)
    },
  )

  it('makes only failures of a wording advisory, if configured', () => {
    const failures = ['worded', 'probed'].map((name) => judgement(name, { verdict: 'fail' }))
    const verdicts = (wording: 'strict' | 'advisory') => {
      const { worded, probed } = resultsOf(failures, { wording })
      return [worded?.verdict, probed?.verdict]
    }
    expect(verdicts('strict')).toEqual(['fail', 'fail'])
    expect(verdicts('advisory')).toEqual(['advisory', 'fail'])
  })

  it('combines the deviations of the probe and the invariant, each once', () => {
    const deviation = (path: string, exchange: string, expected = 'a') => {
      return { subject: `GET ${path} 200`, expected, actual: 'b', exchange }
    }
    const failed = (deviations: ReturnType<typeof deviation>[]) => {
      return {
        verdict: 'fail' as const,
        deviations,
        exchanges: deviations.map((one) => one.exchange),
      }
    }
    const invariant = failed([deviation('/a', 'e3', 'any'), deviation('/b', 'e2')])
    const { both } = resultsOf([
      judgement('both', { by: 'invariant', ...invariant }),
      judgement('both', failed([deviation('/a', 'e1')])),
    ])
    const deviations = [deviation('/a', 'e1'), deviation('/b', 'e2')]
    expect(both).toMatchObject({ deviations, exchanges: ['e1', 'e2'] })
  })

  it.each<[Partial<CheckResult>, string[]]>([
    [{}, ['e2', 'e3', 'e1']],
    [
      { verdict: 'fail', deviations: [{ expected: 'a', actual: 'b', exchange: 'e3' }] },
      ['e3', 'e2', 'e1'],
    ],
    [
      { verdict: 'inconclusive', noVerdict: { kind: 'unclear', text: '', exchange: 'e2' } },
      ['e3', 'e1', 'e2'],
    ],
  ])('sorts the exchanges of %j by request: %j', (parts, sorted) => {
    const exchanges = ['/c', '/a', '/b'].map((path, index) => {
      const url = `https://git.example.com${path}`
      const request = { method: 'GET', url, headers: [], body: null }
      return exchangeFixture({ id: `e${index + 1}`, request })
    })
    const one = judgement('probed', { ...parts, exchanges: ['e1', 'e2', 'e3'] })
    expect(resultsOf([one], {}, exchanges).probed?.exchanges).toEqual(sorted)
  })
})

describe('assembleReport, pass of an invariant', () => {
  const need = { name: 'key', variables: ['KEY'] }
  const advised = { ...need, advice: 'Set KEY.' }
  const skipped = (reason: Reason): Partial<CheckResult> => {
    return { verdict: 'skipped', noVerdict: reason }
  }

  /** Returns a passing invariant, given the result of another check. */
  function invariantBeside(probed?: Partial<CheckResult>, parts: Partial<RunDescription> = {}) {
    const { invariant } = resultsOf(
      [
        judgement('invariant', { by: 'invariant' }),
        judgement('both'),
        judgement('both', { by: 'invariant' }),
        judgement('worded'),
        ...(probed === undefined ? [] : [judgement('probed', probed)]),
      ],
      parts,
    )
    expect(invariant?.verdict).toBe('pass')
    return invariant
  }

  it.each<[string, Partial<CheckResult>]>([
    ['passed', {}],
    ['failed', { verdict: 'fail' }],
    ['does not apply to the server', skipped({ kind: 'needs', needs: [need] })],
    ['does not apply, and lacks an account', skipped({ kind: 'needs', needs: [advised, need] })],
    ['had no response to judge', skipped({ kind: 'not observed' })],
    ['passed without a response', { partial: [{ noVerdict: { kind: 'not observed' } }] }],
  ])('is full if another check %s', (_, probed) => {
    expect(invariantBeside(probed)?.partial).toBeUndefined()
  })

  it.each<[string, Partial<CheckResult>]>([
    ['lacks what the operator can set', skipped({ kind: 'needs', needs: [advised] })],
    ['lacks something else', skipped(noVerdict)],
    ['got no verdict', { verdict: 'inconclusive', noVerdict }],
    ['was interrupted', { verdict: 'inconclusive', noVerdict: { kind: 'interrupted' } }],
    ['passed in part', { partial: [{ noVerdict }] }],
  ])('is partial if another check %s', (_, probed) => {
    const reason = probed.noVerdict ?? noVerdict
    const partial = [{ check: idOf('probed'), noVerdict: reason }]
    expect(invariantBeside(probed)?.partial).toMatchObject(partial)
  })

  it.each([
    ['did not finish', {}, ['probed']],
    [
      "did not run, as with Vitest's -t",
      { selected: [idOf('invariant')], checks: [idOf('invariant')] },
      ['probed', 'both', 'worded'],
    ],
  ])('is partial if a check %s', (_, parts, checks) => {
    const partial = invariantBeside(undefined, parts)?.partial
    expect(partial?.map(({ check }) => check)).toEqual(checks.map(idOf))
  })

  it('is partial if its probe or the invariant itself has an unchecked part', () => {
    const { both } = resultsOf([
      judgement('both'),
      judgement('both', { by: 'invariant', partial: [{ noVerdict }] }),
      ...['probed', 'worded'].map((name) => judgement(name)),
    ])
    const partial = [{ noVerdict, reason: 'why' }]
    expect(both).toMatchObject({ verdict: 'pass', reason: 'why', partial })
  })

  it('depends on checks that were not selected, which are not reported', () => {
    const unselected = { selected: [idOf('invariant')] }
    const inconclusive = { verdict: 'inconclusive', noVerdict } as const
    expect(invariantBeside(inconclusive, unselected)?.partial).toHaveLength(1)
    const failure = { verdict: 'fail', expected: 'a', actual: 'b' } as const
    expect(resultsOf([judgement('probed', failure)], unselected).probed).toEqual({
      requirement: idOf('probed'),
      level: 'contract',
      statement: 'What probed states.',
      section: 'Errors',
      verdict: 'skipped',
      reason: 'not selected',
      noVerdict: { kind: 'not selected' },
      exchanges: [],
      durationMs: 0,
    })
  })
})
