import { expect, it } from 'vitest'
import { quietReport } from '../compare/stored-report.fixture.ts'
import { fleetFixture, memberOf } from './fleet.fixture.ts'
import { digest, type FleetMember, fleetText, mergeReports } from './fleet.ts'
import { mergedText } from './text.ts'

const fleet = fleetFixture()
const missing = { path: 'd/report.json' }

it('names deployments by the hosts that were probed, with the path where that is not enough', () => {
  const at = (path: string, ...urls: string[]): FleetMember => {
    const target = Object.fromEntries(urls.map((baseUrl, index) => [`${index}`, { baseUrl }]))
    return { path, run: digest(quietReport({ target })) }
  }
  const { deployments } = mergeReports([
    at('a.json', 'https://git.example.com', 'https://git.example.com:8443/x'),
    at('b.json', 'http://git.example.org/a', 'http://git.example.org/b'),
    at('monday.json', 'https://git.example.net'),
    at('friday.json', 'https://git.example.net'),
    missing,
  ])
  expect(deployments.map(({ name }) => name)).toEqual([
    'git.example.com, git.example.com:8443',
    'git.example.org',
    'git.example.net (monday.json)',
    'git.example.net (friday.json)',
    'd/report.json',
  ])
})

const good = memberOf('a')
const bad = memberOf('b', { errors: 'fail' })
const unsure = memberOf('c', { errors: 'inconclusive' })

it.each<[FleetMember[], 0 | 1 | 3, string]>([
  [[good], 0, 'The deployment conforms'],
  [[good, good], 0, 'All 2 deployments conform'],
  [[good, unsure], 3, '1 of 2 deployments without a verdict'],
  [[good, missing], 3, '1 of 2 deployments without a report'],
  [[bad], 1, '1 of 1 deployment fails'],
  [fleet.deployments, 1, '2 of 5 deployments fail, 1 without a verdict, 1 without a report'],
])('has the worst status of its runs', (members, status, text) => {
  const merged = mergeReports(members)
  expect([merged.status, fleetText(merged)]).toEqual([status, text])
})

it('is told on a terminal, the outcome last', () => {
  const file = 'reports/merged.html'
  const text = mergedText(fleet, { file, status: 1, color: false, width: 100 })
  expect(text).toContain('git.us.example.com\n  nonconformant: 2 of 22 requirements failed\n')
  expect(text).toContain('missing/report.json\n  no report\n')
  expect(text).toContain('Failing (2)\n  code-hosting/errors/first: on 2 of 5\n')
  expect(text.trimEnd().split('\n').slice(-2)).toEqual([
    'page: reports/merged.html',
    '2 of 5 deployments fail, 1 without a verdict, 1 without a report (exit status 1)',
  ])
})
