import { expect, it } from 'vitest'
import { ajv } from '../../conformance/ajv.ts'
import { pageTags, pageText, policyOf, references } from '../../reports/html/page-tags.fixture.ts'
import { hostileText, runFixture } from '../../reports/report.fixture.ts'
import { outcomeOf } from '../../results/outcome.ts'
import type { Verdict } from '../../results/run-report.ts'
import { quietReport, resultOf } from '../compare/stored-report.fixture.ts'
import { historyLine } from '../history/history.ts'
import { fleetFixture, memberOf, reportMember } from './fleet.fixture.ts'
import schema from './fleet.schema.json' with { type: 'json' }
import { digest, type Fleet, type FleetMember, mergeReports } from './fleet.ts'
import { fleetJson, fleetMarkdown, fleetText, mergedText } from './fleet-text.ts'
import { fleetPage, isFleetPage } from './page.ts'

const fleet = fleetFixture()
const missing = { path: 'd/report.json' }
const namesOf = ({ deployments }: Fleet) => deployments.map(({ name }) => name)

it('names deployments by their hosts, with the path if the hosts are equal', () => {
  const at = (path: string, ...urls: string[]) => {
    const target = Object.fromEntries(urls.map((baseUrl, index) => [`${index}`, { baseUrl }]))
    return reportMember(path, { target })
  }
  const members = [
    at('a.json', 'https://git.example.com', 'https://git.example.com:8443/x'),
    at('b.json', 'http://git.example.org/a', 'http://git.example.org/b'),
    at('monday.json', 'https://git.example.net'),
    at('friday.json', 'https://git.example.net'),
    missing,
  ]
  expect(namesOf(mergeReports(members))).toEqual([
    'git.example.com, git.example.com:8443',
    'git.example.org',
    'git.example.net (monday.json)',
    'git.example.net (friday.json)',
    'd/report.json',
  ])
})

/** Merges deployments by name, each with the verdicts of requirements `a/b/1`, `a/b/2` and so on. */
const fleetOf = (deployments: Record<string, readonly Verdict[]>) =>
  mergeReports([
    ...Object.entries(deployments).map(([name, verdicts]) => {
      const results = verdicts.map((verdict, index) => resultOf(`a/b/${index + 1}`, verdict))
      return { ...reportMember('a', { results }), name }
    }),
    missing,
  ])

it('has the worst deployment first, by failures, then by missing verdicts', () => {
  const names = namesOf(
    fleetOf({
      one: ['fail', 'pass', 'pass', 'pass'],
      conforming: ['pass', 'pass', 'pass', 'pass'],
      skipping: ['pass', 'pass', 'pass', 'skipped'],
      both: ['fail', 'inconclusive', 'skipped', 'pass'],
      two: ['fail', 'fail', 'pass', 'pass'],
    }),
  )
  expect(names).toEqual(['two', 'both', 'one', 'd/report.json', 'skipping', 'conforming'])
})

const good = memberOf('a')
const bad = memberOf('b', { errors: 'fail' })
const little = memberOf('d')
if (little.run) Object.assign(little.run.summary, { displayVerdict: 'belowThreshold' })
const waived = memberOf('e', { errors: 'waived' })
const inconclusive = memberOf('c', { errors: 'inconclusive' })

const fleets: [FleetMember[], 0 | 1 | 3][] = [
  [[good], 0],
  [[good, good], 0],
  [[good, little], 0],
  [[good, waived, little], 0],
  [[good, inconclusive], 3],
  [[good, missing], 3],
  [[bad], 1],
  [fleet.deployments, 1],
]

it.each(fleets)('has the worst status of its runs: %#', (members, status) => {
  expect(mergeReports(members).status).toBe(status)
})

it('lists requirements that differ or that a deployment does not pass, by failures', () => {
  const listOf = (...parameters: Parameters<typeof fleetOf>) =>
    fleetOf(...parameters).differing.map(({ requirement, failures, results }) => {
      return [requirement, failures, ...results.map((result) => result?.verdict)]
    })
  const first = ['pass', 'skipped', 'fail', 'pass', 'waived'] as const
  const second = ['pass', 'skipped', 'fail', 'skipped', 'waived', 'pass', 'fail'] as const
  expect(listOf({ first, second })).toEqual([
    ['a/b/3', 2, 'fail', 'fail', undefined],
    ['a/b/7', 1, 'fail', undefined, undefined],
    ['a/b/4', 0, 'skipped', 'pass', undefined],
    ['a/b/5', 0, 'waived', 'waived', undefined],
  ])
  // A deployment that is down differs in nothing.
  const down = ['inconclusive', 'inconclusive'] as const
  expect(listOf({ up: ['pass', 'fail'], down })).toEqual([
    ['a/b/2', 1, 'fail', 'inconclusive', undefined],
  ])
  expect(listOf({ down })).toEqual([])
})

const reportOf = (date: number, verdict: Verdict) => {
  const startedAt = `2026-02-0${date}T03:00:00.000Z`
  const run = runFixture({ id: `run-${date}`, startedAt, finishedAt: startedAt })
  return quietReport({ run, results: [resultOf('a/b/c', verdict)], verdict: 'nonconformant' })
}
const nights = [reportOf(1, 'pass'), reportOf(2, 'fail'), reportOf(3, 'fail')] as const
const history = nights.map((report) => historyLine(report, outcomeOf(report, true)))

it('has since when a requirement fails, from a history that ends with the run', () => {
  const sinceOf = (...parameters: Parameters<typeof digest>) =>
    digest(...parameters).results.get('a/b/c')?.since
  expect(sinceOf(nights[2], history)).toBe('2026-02-02T03:00:00.000Z')
  expect(sinceOf(nights[2])).toBeUndefined()
  // The history is older, or belongs to another run.
  expect(sinceOf(reportOf(4, 'fail'), history)).toBeUndefined()
  expect(sinceOf(reportOf(1, 'pass'), history.slice(0, 1))).toBeUndefined()
})

it('is the same in JSON and in Markdown', () => {
  const fleet = mergeReports([
    { path: 'a', name: 'a', run: digest(nights[2], history) },
    { path: 'b', name: 'b|<b>@c', run: digest(nights[0]) },
    missing,
  ])
  const json = JSON.parse(fleetJson(fleet))
  const validate = ajv.compile(schema)
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true)
  const since = '2026-02-02T03:00:00.000Z'
  expect(json).toMatchObject({
    status: 1,
    deployments: [
      { name: 'a', path: 'a', verdict: 'nonconformant', coverage: { judged: 1, testable: 1 } },
      { name: 'd/report.json' },
      { name: 'b|<b>@c', verdict: 'conformant', counts: { pass: 1, fail: 0 } },
    ],
    requirements: [
      { requirement: 'a/b/c', results: [{ verdict: 'fail', since }, null, { verdict: 'pass' }] },
    ],
  })
  const rows = fleetMarkdown(fleet)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\) \| |^\| | \|$/).slice(1, -1))
  expect(rows.map((cells) => cells.length)).toEqual([8, 8, 8, 8, 8, 4, 4, 4])
  expect(rows.map(([name]) => name)).toContain('b\\|\\<b\\>@<!-- -->c')
  expect(rows.at(-1)?.slice(1)).toEqual(['failed since 2026-02-02', '–', 'passed'])
})

const page = fleetPage(fleet)
const tags = pageTags(page)

it('has the wording of its snapshots, on a terminal with the outcome last', async () => {
  const plain = { status: 1, color: false, width: 100 }
  const many = Array.from({ length: 50 }, (_, index) => memberOf(`host-${index}`))
  const texts = [
    ...fleets.map(([members]) => fleetText(mergeReports(members))),
    mergedText(fleet, { ...plain, file: 'reports/merged.html' }),
    mergedText(mergeReports([...many, bad]), plain),
  ]
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/fleet.txt')
  const content = [page, fleetPage(mergeReports([little]))].map((text) =>
    text.slice(text.indexOf('<body')),
  )
  await expect(content.join('\n')).toMatchFileSnapshot('snapshots/page.txt')
})

it('has a page without a script that loads nothing', () => {
  expect(tags.filter(({ name }) => ['script', 'img'].includes(name))).toEqual([])
  expect(policyOf(tags)).toMatch(
    /^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; base-uri 'none'/,
  )
  expect([page, page.slice(0, 4), '<!doctype html>'].map(isFleetPage)).toEqual([true, false, false])
})

it('omits sections without problems on the page, and names them', () => {
  const columnsOf = (verdicts: Record<string, Verdict>) => {
    const text = fleetPage(mergeReports([memberOf('a', verdicts), memberOf('b')]))
    const [, head = ''] = /<thead>(.*?)<\/thead>/s.exec(text) ?? []
    return pageText(head).split(/\s+|(?<=[a-z])(?=[A-Z])/)
  }
  // A single service has no heading.
  expect(columnsOf({ errors: 'fail', limits: 'skipped' })).toEqual(['Deployment', 'Errors'])
  expect(columnsOf({ errors: 'inconclusive', replay: 'advisory' }).join(' ')).toBe(
    'Deployment Code hosting Event publishing Errors Replay',
  )
})

it('notes on the page that runs are days apart, or of several versions', () => {
  const at = (startedAt: string, toolVersion: string) => ({
    path: `${startedAt}/report.json`,
    run: { ...digest(quietReport()), startedAt, toolVersion },
  })
  const [monday, tuesday] = ['2026-02-02T03:00:00.000Z', '2026-02-03T02:00:00.000Z']
  const friday = '2026-02-06T03:30:00.000Z'
  const notices = (...members: FleetMember[]) =>
    fleetPage(mergeReports(members)).split('<p class="notice">').length - 1
  expect(notices(at(monday, '1'), at(tuesday, '1'))).toBe(0)
  expect(notices(at(friday, '1'), at(monday, '1'))).toBe(1)
  expect(notices(at(monday, '1'), at(tuesday, '2'))).toBe(1)
  expect(notices(at(monday, '1'), at(friday, '2'))).toBe(2)
})

it('has hostile text on the page as text', () => {
  const text = `"'><img src=x onerror=alert(1)></style><script>alert(1)</script>${hostileText}`
  const member = reportMember(`${text}/report.json`, {
    tool: { name: 'plumbline', version: text },
    run: runFixture({ id: text, startedAt: text, finishedAt: text }),
    target: { [text]: { baseUrl: text } },
    results: [resultOf(`${text}/${text}/${text}`, 'fail', { statement: text })],
  })
  const members = [{ ...member, page: 'a/report.html' }, { path: `b${text}/report.json` }]
  const hostile = fleetPage(mergeReports(members))
  const found = pageTags(hostile)
  const known = new Set(tags.map(({ name }) => name))
  expect(found.filter(({ name }) => !known.has(name))).toEqual([])
  expect(pageText(hostile).split('<img src=x onerror=alert(1)>').length).toBeGreaterThan(5)
  expect(references(found).filter((each) => !/^(#|a\/report\.html)/.test(each))).toEqual([])
  expect(policyOf(found)).toBe(policyOf(tags))
  expect(/[\p{Cf}\p{Cs}\u0080-\u009f]|[^\P{Cc}\n\t]/u.exec(hostile)).toBeNull()
})
