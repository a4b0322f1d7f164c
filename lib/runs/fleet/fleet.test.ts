import { expect, it } from 'vitest'
import { quietReport } from '../compare/stored-report.fixture.ts'
import { fleetFixture, memberOf } from './fleet.fixture.ts'
import { digest, type FleetMember, fleetText, mergedText, mergeReports } from './fleet.ts'

const fleet = fleetFixture()
const plain = { status: 1, color: false, width: 100 }
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

it('calls deployments as it is told to, and has the worst first', () => {
  const [failing, passing] = [memberOf('b', { errors: 'fail' }), memberOf('c')]
  const { deployments } = mergeReports([{ ...passing, name: 'Europe' }, missing, failing])
  expect(deployments.map(({ name }) => name)).toEqual(['b', 'd/report.json', 'Europe'])
})

it('lists on a terminal, of many, those of which there is more to say', () => {
  const members = Array.from({ length: 50 }, (_, index) => memberOf(`host-${index}`))
  const text = mergedText(mergeReports([...members, memberOf('bad', { errors: 'fail' })]), plain)
  expect(text).toMatch(/^50 that conform are on the page\.\nbad\n {2}nonconformant: /)
})

const good = memberOf('a')
const bad = memberOf('b', { errors: 'fail' })
const little = memberOf('d')
if (little.run) Object.assign(little.run, { verdict: 'belowThreshold' })
const waived = memberOf('e', { errors: 'waived' })
const unsure = memberOf('c', { errors: 'inconclusive' })

it.each<[FleetMember[], 0 | 1 | 3, string]>([
  [[good], 0, '1 deployment: 1 conforming'],
  [[good, good], 0, '2 deployments: 2 conforming'],
  [[good, little], 0, '2 deployments: 1 with less than half judged, 1 conforming'],
  [
    [good, waived, little],
    0,
    '3 deployments: 1 with less than half judged, 1 passing with known deviations, 1 conforming',
  ],
  [[good, unsure], 3, '2 deployments: 1 without a verdict, 1 conforming'],
  [[good, missing], 3, '2 deployments: 1 without a report, 1 conforming'],
  [[bad], 1, '1 deployment: 1 failing'],
  [
    fleet.deployments,
    1,
    '5 deployments: 2 failing, 1 without a verdict, 1 without a report, 1 conforming',
  ],
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
    '5 deployments: 2 failing, 1 without a verdict, 1 without a report, 1 conforming (exit status 1)',
  ])
})
