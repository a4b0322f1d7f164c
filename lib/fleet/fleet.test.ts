import { describe, expect, it } from 'vitest'
import { quietReport, resultOf } from '../compare/stored-report.fixture.ts'
import type { RunReport } from '../conformance/result.ts'
import { fleetFixture, memberOf } from './fleet.fixture.ts'
import {
  deploymentNames,
  digest,
  type FleetMember,
  fleetText,
  mergeReports,
  occurringVerdicts,
  sectionCounts,
} from './fleet.ts'
import { mergedText } from './text.ts'

describe('names of deployments', () => {
  const probing = (path: string, target: RunReport['target']): FleetMember => ({
    path,
    run: digest(quietReport({ target })),
  })
  const at = (path: string, ...urls: string[]) =>
    probing(path, Object.fromEntries(urls.map((baseUrl, index) => [`${index}`, { baseUrl }])))

  it('are the hosts that were probed, each once', () => {
    expect(
      deploymentNames([
        at('a/report.json', 'https://git.example.com', 'https://git.example.com:8443/x'),
        at('b/report.json', 'http://git.example.org/a', 'http://git.example.org/b'),
      ]),
    ).toEqual(['git.example.com, git.example.com:8443', 'git.example.org'])
  })

  it('are folders where there is nothing else, but never the name that every folder has', () => {
    expect(
      deploymentNames([
        { path: '/fleet/eu/report.json' },
        { path: '/fleet/us/reports/report.json' },
        { path: '/report.json' },
      ]),
    ).toEqual(['eu', 'us', 'report'])
  })

  it('tell the folder too where the hosts are the same, and the path where both are', () => {
    const url = 'https://git.example.com'
    expect(
      deploymentNames([
        at('monday/report.json', url),
        at('a/friday/report.json', url),
        at('b/friday/report.json', url),
        at('c/report.json', 'https://git.example.org'),
      ]),
    ).toEqual([
      'git.example.com (monday)',
      'git.example.com (a/friday/report.json)',
      'git.example.com (b/friday/report.json)',
      'git.example.org',
    ])
  })
})

describe('a run in the table', () => {
  it('has the exit status that its results give', () => {
    const status = (verdict: 'pass' | 'fail' | 'inconclusive' | 'skipped') =>
      digest(
        quietReport({ results: [resultOf('code-hosting/a/b', verdict)], verdict: 'conformant' }),
      ).status
    expect(status('pass')).toBe(0)
    expect(status('fail')).toBe(1)
    expect(status('inconclusive')).toBe(3)
    expect(status('skipped')).toBe(3)
  })
})

describe('a fleet', () => {
  const fleet = fleetFixture()

  it('has the worst status of its runs, and none is a good one for a missing report', () => {
    const good = memberOf('a', {})
    const bad = memberOf('b', { errors: 'fail' })
    const unsure = memberOf('c', { errors: 'inconclusive' })
    const missing = { path: 'd/report.json' }
    const statusOf = (...members: Parameters<typeof mergeReports>[0]) =>
      mergeReports(members).status
    expect(statusOf(good, good)).toBe(0)
    expect(statusOf(good, unsure)).toBe(3)
    expect(statusOf(good, missing)).toBe(3)
    expect(statusOf(bad, missing, unsure)).toBe(1)
  })

  it('counts verdicts by section, and tells the one that matters most first', () => {
    const [, us, asia, lab] = fleet.deployments
    const [documentation, errors] = fleet.sections
    if (us?.run === undefined || asia?.run === undefined || lab?.run === undefined) throw Error()
    if (documentation === undefined || errors === undefined) throw Error()
    expect(sectionCounts(us.run, errors)).toMatchObject({ fail: 1, pass: 1, skipped: 0 })
    expect(sectionCounts(lab.run, documentation)).toBeUndefined()
    const order = (...verdicts: Parameters<typeof resultOf>[1][]) => {
      const results = verdicts.map((verdict, index) => resultOf(`a/b/c${index}`, verdict))
      return occurringVerdicts(digest(quietReport({ results })).counts)
    }
    expect(order('skipped', 'pass', 'waived', 'advisory', 'inconclusive', 'fail')).toEqual([
      'fail',
      'inconclusive',
      'advisory',
      'waived',
      'pass',
      'skipped',
    ])
  })

  it('is told in a sentence', () => {
    expect(fleetText(fleet)).toBe(
      '2 of 5 deployments fail, 1 without a verdict, 1 without a report',
    )
    expect(fleetText(mergeReports([memberOf('a', {})]))).toBe('The deployment conforms')
    expect(fleetText(mergeReports([memberOf('a', {}), memberOf('b', {})]))).toBe(
      'All 2 deployments conform',
    )
    expect(fleetText(mergeReports([memberOf('a', { errors: 'fail' })]))).toBe(
      '1 of 1 deployment fails',
    )
  })

  it('is told on a terminal, the outcome last', () => {
    const text = mergedText(fleet, {
      file: 'reports/merged.html',
      status: 1,
      color: false,
      width: 100,
    })
    expect(text).toContain('git.us.example.com\n  nonconformant: 2 of 28 requirements failed\n')
    expect(text).toContain('missing\n  no report\n')
    expect(text).toContain('Failing (2)\n  code-hosting/errors/first: on 2 of 5\n')
    expect(text.trimEnd().split('\n').slice(-2)).toEqual([
      'page: reports/merged.html',
      '2 of 5 deployments fail, 1 without a verdict, 1 without a report (exit status 1)',
    ])
  })
})
