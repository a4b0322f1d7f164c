import type { RunReport, Verdict } from '../../results/run-report.ts'
import { quietReport, resultOf } from '../compare/stored-report.fixture.ts'
import { digest, type Fleet, type FleetMember, mergeReports } from './fleet.ts'

const sections = [
  ...['documentation', 'errors', 'tokens', 'scopes', 'resources', 'pagination', 'limits'].map(
    (section) => `code-hosting/${section}`,
  ),
  ...['publish', 'status', 'replay'].map((section) => `event-publishing/${section}`),
  'incident-status/updates',
]

export function reportMember(path: string, parts: Partial<RunReport> = {}): FleetMember {
  return { path, run: digest(quietReport(parts)) }
}

/** Creates a deployment with two requirements in each section; `verdicts` are for the first. */
export function memberOf(name: string, verdicts: Record<string, Verdict> = {}): FleetMember {
  const results = sections.flatMap((section) => [
    resultOf(`${section}/first`, verdicts[section.split('/')[1] ?? ''] ?? 'pass'),
    resultOf(`${section}/second`, 'pass'),
  ])
  const target = { codeHosting: { baseUrl: `https://${name}` } }
  return {
    ...reportMember(`${name}/report.json`, { target, results, verdict: 'conformant' }),
    page: `${name}/report.html`,
  }
}

/** Creates deployments with every verdict, a partly probed one, and a missing report. */
export function fleetFixture(): Fleet {
  return mergeReports([
    memberOf('git.eu.example.com', { limits: 'skipped' }),
    memberOf('git.us.example.com', { documentation: 'fail', errors: 'fail' }),
    memberOf('git.asia.example.com', {
      errors: 'inconclusive',
      tokens: 'waived',
      scopes: 'advisory',
    }),
    reportMember('lab/report.json', { results: [resultOf('code-hosting/errors/first', 'fail')] }),
    { path: 'missing/report.json' },
  ])
}
