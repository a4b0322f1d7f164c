import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../conformance/catalogue.ts'
import type { Requirement } from '../results/requirement.ts'
import { type CheckResult, noEvidence, type RunEvidence } from '../results/run-evidence.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { buildReport, type ReportedRun, type RunEnding } from './build-report.ts'
import { exchangeFixture } from './report.fixture.ts'

type Changes = Partial<ReportedRun & RunEnding>

const idOf = (name: string) => `code-hosting/errors/${name}`

const requirement = (name: string, changes: Partial<Requirement> = {}): Requirement => ({
  id: idOf(name),
  statement: `What ${name} states.`,
  section: 'Errors',
  level: 'contract',
  impact: 'data',
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
    requirement('untestable', { checkedBy: ['untestable'], reason: 'Nothing shows it.' }),
  ],
}

const judgement = (name: string, changes: Partial<CheckResult> = {}): CheckResult => ({
  requirement: idOf(name),
  verdict: 'pass',
  cases: {},
  exchanges: [],
  durationMs: 1,
  ...changes,
})

function reportOf(
  judgements: CheckResult[],
  changes: Changes = {},
  exchanges: RunEvidence['exchanges'] = [],
): RunReport {
  const all = catalogue.requirements.map(({ id }) => id)
  const run = {
    version: '1.0.0',
    runId: 'run',
    startedAt: new Date(0),
    target: { probe: { wording: 'strict' } } as ReportedRun['target'],
    ...{ secrets: [], settings: {}, embedded: true, ledgerFile: '' },
    ...{ selected: all, checks: all },
    ...changes,
  }
  const ending = { interrupted: false, outOfMemory: false, internalErrors: [], ...changes }
  const probed = { catalogues: [catalogue], creationsOf: new Map(), discoveredSecrets: [] }
  return buildReport({ ...noEvidence(), judgements, exchanges }, run, ending, probed).report
}

function resultsOf(...parts: Parameters<typeof reportOf>): Record<string, RequirementResult> {
  const { results } = reportOf(...parts)
  return Object.fromEntries(results.map((one) => [one.requirement.split('/').at(-1), one]))
}

describe('buildReport', () => {
  const ended = { kind: 'interrupted', before: true }

  it.each<[string, Changes, object]>([
    ['judged', {}, ended],
    ['judged because of the operator', { interrupted: true }, { ...ended, by: 'operator' }],
    [
      'judged because of an internal error',
      { outOfMemory: true },
      { ...ended, by: 'internal error' },
    ],
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

  it.each<[Partial<CheckResult>, string[]]>([
    [{}, ['e2', 'e3', 'e1']],
    [
      { verdict: 'fail', deviations: [{ expected: 'a', actual: 'b', exchange: 'e3', cases: [] }] },
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
