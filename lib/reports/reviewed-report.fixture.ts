import type { ReviewedWaiver, RunReport, WaiverState } from '../results/run-report.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'

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

/** Creates a run with a waiver in each state. */
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
