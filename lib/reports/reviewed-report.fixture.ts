import type {
  ObservationDiff,
  ReviewedWaiver,
  RunReport,
  WaiverState,
} from '../results/run-report.ts'
import { countVerdicts } from '../results/verdict.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import type { HistoryEntry } from './run-changes.ts'

/** Creates a waiver of the proxy team; `parts` replace the defaults. */
export function waiverFixture(parts: Partial<ReviewedWaiver> = {}): ReviewedWaiver {
  return {
    requirement: 'code-hosting/pagination/limit-capped',
    reason: 'The proxy in front has its own limit.',
    owner: 'Platform team',
    expires: '2026-02-10',
    link: 'https://tracker.example.com/PLAT-12',
    state: 'used',
    message: 'This waiver expires in 7 days: then the failure fails the run.',
    ...parts,
  }
}

function waiverIn(state: WaiverState, requirement: string): ReviewedWaiver {
  return waiverFixture({ requirement, state, message: `This one is ${state}.` })
}

const diffs: ObservationDiff[] = [
  {
    id: 'code-hosting/errors/malformed-body',
    state: 'changed',
    before: 400,
    after: 422,
    exchanges: ['e2'],
  },
  { id: 'code-hosting/tokens/unknown-scope', state: 'missing', before: 400, exchanges: [] },
  {
    id: 'code-hosting/resources/user-fields',
    state: 'new',
    after: { type: 'object' },
    exchanges: ['e1'],
  },
  {
    id: 'event-publishing/publish/status',
    state: 'unchanged',
    before: 202,
    after: 202,
    exchanges: [],
  },
]

/** Creates a run with waivers and observations in each state, and `--pin`. */
export function reviewedFixture(parts: Partial<RunReport> = {}): RunReport {
  const report = reportFixture()
  const { requirement, state, message, ...waiver } = waiverFixture()
  const waived = resultFixture({
    requirement,
    verdict: 'waived',
    expected: 'X-PerPage: 25',
    actual: 'X-PerPage: 50',
    exchanges: ['e1'],
    waiver,
  })
  return {
    ...report,
    results: [...report.results, waived],
    waivers: [
      waiverFixture(),
      waiverIn('expired', 'code-hosting/pagination/limit-lowered'),
      waiverIn('unused', 'code-hosting/resources/user'),
      waiverIn('unknown', 'code-hosting/resources/usr'),
      waiverIn('noVerdict', 'code-hosting/authentication/sudo-header'),
      waiverIn('notApplicable', 'event-publishing/publish/accepted'),
    ],
    baseline: { pinned: true, observations: diffs },
    ...parts,
  }
}

const identifiers = [
  'requirement',
  'id',
  'exchange',
  'exchanges',
  'startedAt',
  'finishedAt',
  'expires',
]

/**
 * Returns a run with the text in every string from a server or an operator: before its value, or after a URL.
 *
 * @param kept names of the strings that stay, in addition to verdicts
 */
export function withText(report: RunReport, text: string, kept = identifiers): RunReport {
  const plain = new Set(['verdict', 'level', 'state', 'kind', ...kept])
  const changed = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') {
      if (plain.has(name)) return value
      return URL.canParse(value) ? `${value}${text}` : `${text}${value}`
    }
    if (Array.isArray(value)) return value.map((each) => changed(each, name))
    if (typeof value !== 'object' || value === null) return value
    const key = (own: string) => (name === 'target' && kept.length === 0 ? `${text}${own}` : own)
    return Object.fromEntries(
      Object.entries(value).map(([own, each]) => [key(own), changed(each, own)]),
    )
  }
  return changed(report) as RunReport
}

/** Creates daily runs of one target, oldest first: passed, failed, inconclusive, and so on. */
export function pastRunsFixture(count: number): HistoryEntry[] {
  const kinds = [
    { verdict: 'conformant', status: 0, pass: 9 },
    { verdict: 'nonconformant', status: 1, pass: 6, fail: 3 },
    { verdict: 'inconclusive', status: 3, pass: 4, inconclusive: 5 },
    { verdict: 'conformant', status: 1, pass: 9, reasons: ['4 observations changed'] },
  ] as const
  return Array.from({ length: count }, (_, index) => {
    const { verdict, status, reasons, ...counts } = {
      reasons: [],
      ...(kinds[index % 4] ?? kinds[0]),
    }
    return {
      run: `run-${index}`,
      startedAt: new Date(Date.UTC(2026, 0, 5 + index, 3)).toISOString(),
      coverage: { judged: 9, testable: 9, belowThreshold: false },
      ...{ verdict, status, reasons, counts: { ...countVerdicts(), ...counts } },
    }
  })
}
