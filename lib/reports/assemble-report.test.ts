import { describe, expect, it } from 'vitest'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import type { CheckResult } from '../conformance/run-check.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Reason } from '../results/reason.ts'
import { isFullPass } from '../results/verdict.ts'
import { assembleReport, type RunDescription } from './assemble-report.ts'
import { exchangeFixture } from './report.fixture.ts'
import type { RunEvidence } from './run-evidence.ts'

function requirement(name: string, changes: Partial<Requirement> = {}): Requirement {
  return {
    id: `code-hosting/errors/${name}`,
    statement: `What ${name} states.`,
    section: 'Errors',
    level: 'contract',
    since: '0.1.0',
    checkedBy: ['probe'],
    ...changes,
  }
}

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

function judgement(name: string, changes: Partial<CheckResult> = {}): CheckResult {
  return {
    requirement: `code-hosting/errors/${name}`,
    by: 'probe',
    verdict: 'pass',
    exchanges: [],
    durationMs: 1,
    ...changes,
  }
}

function verdictsOf(
  judgements: CheckResult[],
  changes: Partial<RunDescription> = {},
  exchanges: ExchangeRecord[] = [],
) {
  const nothing = { observations: [], leakedResources: [], internalErrors: [] }
  const evidence: RunEvidence = { judgements, exchanges, ...nothing }
  const report = assembleReport(evidence, {
    version: '1.0.0',
    runId: 'run',
    startedAt: new Date(0),
    finishedAt: new Date(1),
    interrupted: false,
    target: {},
    documents: {},
    settings: {},
    catalogues: [catalogue],
    selected: catalogue.requirements.map(({ id }) => id),
    checks: catalogue.requirements.map(({ id }) => id),
    seed: 1,
    wording: 'strict',
    ...changes,
  })
  const rows = report.results.map(({ requirement: id, verdict, reason, noVerdict }) => [
    id.split('/').at(-1),
    { verdict, reason, noVerdict },
  ])
  return { report, verdicts: Object.fromEntries(rows) }
}

describe('assembleReport', () => {
  it('passes only judged requirements', () => {
    const { probed, untestable } = verdictsOf([]).verdicts

    expect(probed.verdict).toBe('inconclusive')
    expect(untestable).toMatchObject({
      verdict: 'skipped',
      noVerdict: { kind: 'untestable', why: 'Nothing shows it.' },
    })
    const ended = { kind: 'interrupted', before: true }
    expect(probed.noVerdict).toEqual(ended)
    const unjudgedIn = (changes: Partial<RunDescription>) =>
      verdictsOf([], changes).verdicts.probed.noVerdict
    expect(unjudgedIn({ interrupted: true })).toEqual({ ...ended, by: 'operator' })
    expect(unjudgedIn({ brokenOff: true })).toEqual({ ...ended, by: 'internal error' })
    const unselected = verdictsOf([], { selected: [] }).verdicts.probed
    expect(unselected.noVerdict).toEqual({ kind: 'not selected' })
  })

  it.each([
    ['pass', 'fail', 'fail'],
    ['pass', 'inconclusive', 'inconclusive'],
    ['inconclusive', 'fail', 'fail'],
    ['pass', 'skipped', 'pass'],
    ['skipped', 'pass', 'skipped'],
  ] as const)(
    'makes of a probe with %s and an invariant with %s: %s',
    (probe, invariant, result) => {
      const { verdicts } = verdictsOf([
        judgement('both', { verdict: invariant, by: 'invariant' }),
        judgement('both', { verdict: probe }),
      ])

      expect(verdicts.both.verdict).toBe(result)
    },
  )

  it('makes wording failures advisory only if configured', () => {
    const judgements = [
      judgement('worded', { verdict: 'fail' }),
      judgement('probed', { verdict: 'fail' }),
    ]

    expect(verdictsOf(judgements).verdicts.worded.verdict).toBe('fail')
    const advised = verdictsOf(judgements, { wording: 'advisory' }).verdicts
    expect(advised.worded.verdict).toBe('advisory')
    expect(advised.probed.verdict).toBe('fail')
  })
})

describe('assembleReport, pass of an invariant', () => {
  const id = 'code-hosting/errors/invariant'
  const named = (name: string) => `code-hosting/errors/${name}`
  const need = { name: 'key', variables: ['KEY'] }
  const noVerdict = { kind: 'missing', text: 'why' } as const
  const skipped = (reason: Reason = noVerdict): Partial<CheckResult> => ({
    verdict: 'skipped',
    noVerdict: reason,
  })

  /** Returns the result of a passing invariant, given the result of another check. */
  function resultBeside(
    probed: Partial<CheckResult> | undefined,
    parts: Partial<RunDescription> = {},
  ) {
    const { report } = verdictsOf(
      [
        judgement('invariant', { by: 'invariant' }),
        judgement('both'),
        judgement('both', { by: 'invariant' }),
        judgement('worded'),
        ...(probed === undefined ? [] : [judgement('probed', probed)]),
      ],
      parts,
    )
    return report.results.find(({ requirement }) => requirement === id)
  }

  it.each<[string, Partial<CheckResult>]>([
    ['passed', {}],
    ['failed', { verdict: 'fail' }],
    ['does not apply to the server', skipped({ kind: 'needs', needs: [need] })],
    [
      'does not apply to the server, and lacks an account',
      skipped({ kind: 'needs', needs: [{ ...need, advice: 'Set KEY.' }, need] }),
    ],
    ['had no response to judge', skipped({ kind: 'not observed' })],
    ['passed without a response', { partial: [{ noVerdict: { kind: 'not observed' } }] }],
  ])('is full if another check %s', (_, probed) => {
    const result = resultBeside(probed)
    expect(result).toMatchObject({ verdict: 'pass' })
    expect(result && isFullPass(result)).toBe(true)
  })

  it.each<[string, Partial<CheckResult> | undefined]>([
    [
      'lacks what the operator can set',
      skipped({ kind: 'needs', needs: [{ ...need, advice: 'Set KEY.' }] }),
    ],
    ['lacks something else', skipped()],
    ['got no verdict', { verdict: 'inconclusive', noVerdict }],
    ['was interrupted', { verdict: 'inconclusive', noVerdict: { kind: 'interrupted' } }],
    ['passed in part', { partial: [{ noVerdict }] }],
  ])('is partial if another check %s', (_, probed) => {
    const result = resultBeside(probed)
    const reason = probed?.noVerdict ?? noVerdict
    expect(result?.partial).toMatchObject([{ check: named('probed'), noVerdict: reason }])
    expect(result && isFullPass(result)).toBe(false)
  })

  it('is partial if its probe or the invariant itself has an unchecked part', () => {
    const partial = [{ noVerdict }]
    const { report } = verdictsOf([
      judgement('both'),
      judgement('both', { by: 'invariant', partial }),
      ...['probed', 'worded'].map((name) => judgement(name)),
    ])
    expect(report.results.find(({ requirement }) => requirement === named('both'))).toMatchObject({
      verdict: 'pass',
      reason: 'why',
      partial: [{ noVerdict, reason: 'why' }],
    })
  })

  it('is partial if a check did not finish', () => {
    const [part] = resultBeside(undefined)?.partial ?? []
    expect(part?.check).toBe(named('probed'))
  })

  it("is partial if other checks did not run, as with Vitest's -t", () => {
    const only = { selected: [id], checks: [id] }
    const parts = resultBeside(undefined, only)?.partial ?? []
    expect(parts.map(({ check }) => check)).toEqual(['probed', 'both', 'worded'].map(named))
  })

  it('depends on checks that were not selected, which are not reported', () => {
    const failure = { verdict: 'fail', expected: 'a', actual: 'b' } as const
    const unselected = { selected: [id] }
    const result = resultBeside({ verdict: 'inconclusive', noVerdict }, unselected)
    expect(result?.partial).toHaveLength(1)
    const { report } = verdictsOf([judgement('probed', failure)], unselected)
    const probed = report.results.find(({ requirement }) => requirement === named('probed'))
    expect(probed).toEqual({
      requirement: named('probed'),
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

describe('assembleReport, deviations of a failure', () => {
  const deviation = { expected: 'a', actual: 'b' }

  it('combines the deviations of the probe and the invariant, each once', () => {
    const { report } = verdictsOf([
      judgement('both', {
        by: 'invariant',
        verdict: 'fail',
        deviations: [
          { ...deviation, subject: 'GET /a 200', expected: 'any', exchange: 'e3' },
          { ...deviation, subject: 'GET /b 200', exchange: 'e2' },
        ],
        exchanges: ['e3', 'e2'],
      }),
      judgement('both', {
        verdict: 'fail',
        deviations: [{ ...deviation, subject: 'GET /a 200', exchange: 'e1' }],
        exchanges: ['e1'],
      }),
    ])
    const result = report.results.find(({ requirement }) => requirement.endsWith('/both'))
    expect(result).toMatchObject({
      deviations: [
        { ...deviation, subject: 'GET /a 200', exchange: 'e1' },
        { ...deviation, subject: 'GET /b 200', exchange: 'e2' },
      ],
      exchanges: ['e1', 'e2'],
    })
  })
})

it('sorts the exchanges of a result by request', () => {
  const of = (id: string, path: string) => {
    const request = {
      method: 'GET',
      url: `https://git.example.com${path}`,
      headers: [],
      body: null,
    }
    return exchangeFixture({ id, request })
  }
  const exchanges = [of('e1', '/c'), of('e2', '/a'), of('e3', '/b')]
  const exchangesOf = (parts: Partial<CheckResult>) => {
    const all = { ...parts, exchanges: ['e1', 'e2', 'e3'] }
    const { report } = verdictsOf([judgement('probed', all)], {}, exchanges)
    return report.results[0]?.exchanges
  }
  expect(exchangesOf({})).toEqual(['e2', 'e3', 'e1'])
  const deviations = [{ expected: 'a', actual: 'b', exchange: 'e3' }]
  expect(exchangesOf({ verdict: 'fail', deviations })).toEqual(['e3', 'e2', 'e1'])
  const noVerdict = { kind: 'unclear', text: '', exchange: 'e2' } as const
  expect(exchangesOf({ verdict: 'inconclusive', noVerdict })).toEqual(['e3', 'e1', 'e2'])
})
