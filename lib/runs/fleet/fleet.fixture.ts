import type { Verdict } from '../../results/run-report.ts'
import { quietReport, resultOf } from '../compare/stored-report.fixture.ts'
import { digest, type Fleet, type FleetMember, mergeReports } from './fleet.ts'

const sections = [
  'documentation',
  'errors',
  'tokens',
  'scopes',
  'resources',
  'pagination',
  'limits',
]

/** A deployment on which every section has two requirements: the first ones have these verdicts. */
export function memberOf(name: string, verdicts: Record<string, Verdict> = {}): FleetMember {
  const all = [
    ...sections.map((section) => `code-hosting/${section}`),
    ...['publish', 'status', 'replay'].map((section) => `event-publishing/${section}`),
    'incident-status/updates',
  ]
  const results = all.flatMap((section) => [
    resultOf(`${section}/first`, verdicts[section.split('/')[1] ?? ''] ?? 'pass'),
    resultOf(`${section}/second`, 'pass'),
  ])
  const target = { codeHosting: { baseUrl: `https://${name}` } }
  return {
    path: `${name}/report.json`,
    run: digest(quietReport({ target, results, verdict: 'conformant' })),
    page: `${name}/report.html`,
  }
}

/** Deployments with every verdict, one that was not wholly probed, and one without a report. */
export function fleetFixture(): Fleet {
  const lab = [resultOf('code-hosting/errors/first', 'fail')]
  return mergeReports([
    memberOf('git.eu.example.com', { limits: 'skipped' }),
    memberOf('git.us.example.com', { documentation: 'fail', errors: 'fail' }),
    memberOf('git.asia.example.com', {
      errors: 'inconclusive',
      tokens: 'waived',
      scopes: 'advisory',
    }),
    { path: 'lab/report.json', run: digest(quietReport({ results: lab })) },
    { path: 'missing/report.json' },
  ])
}
