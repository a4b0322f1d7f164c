import { describe, expect, it } from 'vitest'
import { pageTags, pageText, policyOf, references } from '../../reports/html/page-tags.fixture.ts'
import { hostileText, runFixture } from '../../reports/report.fixture.ts'
import { quietReport, resultOf } from '../compare/stored-report.fixture.ts'
import { fleetFixture, memberOf } from './fleet.fixture.ts'
import { digest, mergeReports } from './fleet.ts'
import { fleetPage } from './page.ts'

const page = fleetPage(fleetFixture())
const tags = pageTags(page)

describe('the page of a fleet', () => {
  it('has no script and loads nothing', () => {
    expect(tags.filter(({ name }) => ['script', 'img'].includes(name))).toEqual([])
    expect(policyOf(tags)).toMatch(
      /^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; base-uri 'none'/,
    )
  })

  it('has a row for each deployment, with its verdict', () => {
    const rows = [...page.matchAll(/<th scope="row"( class="\w+")?>(<a [^>]*>)?([\w./]+)/g)]
    expect(rows.map(([, verdict = '', , name]) => `${name}${verdict}`).slice(0, 5)).toEqual([
      'git.us.example.com class="nonconformant"',
      'git.example.com class="nonconformant"',
      'git.asia.example.com class="inconclusive"',
      'missing/report.json',
      'git.eu.example.com class="conformant"',
    ])
  })

  it('omits sections without problems, and names them', () => {
    const columns = (verdicts: Parameters<typeof memberOf>[1]) => {
      const text = fleetPage(mergeReports([memberOf('a', verdicts), memberOf('b')]))
      const [, head = ''] = /<thead>(.*?)<\/thead>/s.exec(text) ?? []
      const quiet = /Nothing failed .*<\/p>/.exec(text)?.[0]
      return { columns: pageText(head).split(/\s+|(?<=[a-z])(?=[A-Z])/), quiet }
    }
    expect(columns({ errors: 'fail', limits: 'skipped' })).toEqual({
      // A single service has no heading.
      columns: ['Deployment', 'Errors'],
      quiet: expect.stringMatching(
        / 10 sections\. Code hosting: .*Limits.*; Incident status: Updates/,
      ),
    })
    expect(columns({ errors: 'inconclusive', replay: 'advisory' }).columns.join(' ')).toMatch(
      /^Deployment Code hosting Event publishing Errors Replay$/,
    )
  })

  it('has a cell for each deployment and requirement that differs', () => {
    const cells = [
      ...page.matchAll(/<td class="(\w+)"><b>(?:(?!<td).)*#code-hosting\/errors\/first/g),
    ]
    expect(cells.map(([, verdict]) => verdict)).toEqual(['fail', 'inconclusive', 'pass'])
  })

  it('has its own symbol for low coverage', () => {
    const results = ['pass', 'skipped', 'skipped'] as const
    const run = digest(
      quietReport({ results: results.map((verdict, row) => resultOf(`a/b/row-${row}`, verdict)) }),
    )
    const text = fleetPage(mergeReports([{ path: 'a', run }]))
    expect(text.match(/class="symbol belowThreshold"/g)).toHaveLength(2)
  })

  it('links to the sections and failures on the page of the deployment', () => {
    const page = 'git.us.example.com/report.html'
    expect(references(tags)).toEqual(
      expect.arrayContaining([
        page,
        `${page}#section/code-hosting/documentation`,
        `${page}#code-hosting/documentation/first`,
      ]),
    )
    expect(references(tags).filter((reference) => reference.startsWith('lab/'))).toEqual([])
  })

  it('notes runs that are days apart, or of several versions', () => {
    const of = (startedAt: string, version: string) => ({
      path: `${startedAt}/report.json`,
      run: { ...digest(quietReport({})), startedAt, toolVersion: version },
    })
    const [monday, tuesday] = ['2026-02-02T03:00:00.000Z', '2026-02-03T02:00:00.000Z']
    const friday = '2026-02-06T03:30:00.000Z'
    const notices = (...members: ReturnType<typeof of>[]) =>
      [...fleetPage(mergeReports(members)).matchAll(/<p class="notice">(.*)<\/p>/g)].length
    expect(notices(of(monday, '1'), of(tuesday, '1'))).toBe(0)
    expect(notices(of(friday, '1'), of(monday, '1'))).toBe(1)
    expect(notices(of(monday, '1'), of(tuesday, '2'))).toBe(1)
    expect(notices(of(monday, '1'), of(friday, '2'))).toBe(2)
  })
})

describe('hostile text', () => {
  const payload = `"'><img src=x onerror=alert(1)></style><script>alert(1)</script>${hostileText}`
  const hostile = fleetPage(
    mergeReports([
      {
        path: `${payload}/report.json`,
        page: 'a/report.html',
        run: digest(
          quietReport({
            tool: { name: 'plumbline', version: payload },
            run: runFixture({ id: payload, startedAt: payload, finishedAt: payload }),
            target: { [payload]: { baseUrl: payload } },
            results: [resultOf(`${payload}/${payload}/${payload}`, 'fail', { statement: payload })],
          }),
        ),
      },
      { path: `b${payload}/report.json` },
    ]),
  )

  it('stays text', () => {
    const found = pageTags(hostile)
    const known = new Set(tags.map(({ name }) => name))
    expect(found.filter(({ name }) => !known.has(name))).toEqual([])
    expect(pageText(hostile).split('<img src=x onerror=alert(1)>').length).toBeGreaterThan(5)
    expect(references(found).filter((each) => !/^(#|a\/report\.html)/.test(each))).toEqual([])
    expect(policyOf(found)).toBe(policyOf(tags))
    expect(/[\p{Cf}\p{Cs}\u0080-\u009f]|[^\P{Cc}\n\t]/u.exec(hostile)).toBeNull()
  })
})
