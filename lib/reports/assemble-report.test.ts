import { describe, expect, it } from 'vitest'
import type { Judgement } from '../conformance/judgement.ts'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import { assembleReport, type RunDescription } from './assemble-report.ts'
import type { RunEvidence } from './run-evidence.ts'

function requirement(name: string, changes: Partial<Requirement> = {}): Requirement {
  return {
    id: `code-hosting/errors/${name}`,
    statement: `What ${name} states.`,
    section: 'Errors',
    level: 'contract',
    judged: ['probe'],
    ...changes,
  }
}

const catalogue: Catalogue = {
  service: 'code-hosting',
  document: 'A document',
  needs: {},
  requirements: [
    requirement('probed'),
    requirement('both', { judged: ['probe', 'invariant'] }),
    requirement('worded', { level: 'wording' }),
    requirement('untestable', { judged: ['untestable'], reason: 'Nothing shows it.' }),
  ],
}

function judgement(name: string, changes: Partial<Judgement> = {}): Judgement {
  return {
    requirement: `code-hosting/errors/${name}`,
    by: 'probe',
    verdict: 'pass',
    exchanges: [],
    durationMs: 1,
    ...changes,
  }
}

function verdictsOf(judgements: Judgement[], changes: Partial<RunDescription> = {}) {
  const nothing = { observations: [], exchanges: [], leftBehind: [], defects: [] }
  const evidence: RunEvidence = { judgements, ...nothing }
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
    seed: 1,
    wording: 'strict',
    ...changes,
  })
  const rows = report.results.map(({ requirement: id, verdict, reason, unjudged }) => [
    id.split('/').at(-1),
    { verdict, reason, unjudged },
  ])
  return { report, verdicts: Object.fromEntries(rows) }
}

describe('assembleReport', () => {
  it('lets nothing that was not judged pass', () => {
    const { probed, untestable } = verdictsOf([]).verdicts

    expect(probed.verdict).toBe('inconclusive')
    expect(probed.reason).toContain('before this was judged')
    expect(untestable).toEqual({
      verdict: 'skipped',
      reason: 'cannot be tested: Nothing shows it.',
      unjudged: { kind: 'untestable', why: 'Nothing shows it.' },
    })
    expect(probed.unjudged).toEqual({ kind: 'interrupted' })
    expect(verdictsOf([], { interrupted: true }).verdicts.probed.reason).toContain('interrupted')
    expect(verdictsOf([], { brokenOff: true }).verdicts.probed.reason).toContain('standard error')
    const unselected = verdictsOf([], { selected: [] }).verdicts.probed
    expect(unselected.reason).toBe('not selected')
    expect(unselected.unjudged).toEqual({ kind: 'not selected' })
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

  it('lets a wording advise only where it was asked to', () => {
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
