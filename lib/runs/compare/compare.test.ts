import { describe, expect, it } from 'vitest'
import { ajv } from '../../conformance/ajv.ts'
import { casesFixture, hostileText } from '../../reports/report.fixture.ts'
import { terminalStyle } from '../../reports/terminal-document.ts'
import { type ChangeKind, changeKinds } from '../../results/changes.ts'
import type { RequirementResult, RunReport, Verdict } from '../../results/run-report.ts'
import { printableJson } from '../../text/printable.ts'
import schema from './compare.schema.json' with { type: 'json' }
import { type Comparison, compareReports, comparisonStatus } from './compare.ts'
import { comparisonMarkdown, comparisonText } from './comparison-text.ts'
import { quietReport, resultOf, unselectedOf } from './stored-report.fixture.ts'

const plain = terminalStyle({ color: false, width: 100 })

const fits = ajv.compile(schema)

function compared(
  before: Partial<RunReport> = {},
  after: Partial<RunReport> = {},
  paths = ['report.json', 'report.json'],
): Comparison {
  const [was, is] = [before, after].map(quietReport) as [RunReport, RunReport]
  const [from = '', to = ''] = paths
  return compareReports({ path: from, report: was }, { path: to, report: is })
}

type State = Verdict | 'not selected' | 'absent'
type Parts = Partial<RequirementResult>

/** Returns the result of a requirement, if the report has it. */
function resultIn(requirement: string, state: State, parts: Parts): RequirementResult[] {
  if (state === 'absent') return []
  return [
    state === 'not selected' ? unselectedOf(requirement) : resultOf(requirement, state, parts),
  ]
}

/** Compares two reports with every kind of difference. */
function everything(text = ''): Comparison {
  const reported = { reason: `because${text}`, expected: `e${text}`, actual: `a${text}` }
  const lostWith = (...numbers: number[]) =>
    Object.fromEntries(numbers.map((number) => [number, `no data${text}`]))
  const deviatingIn = (conforming: number[], ...deviating: number[]) => {
    const deviations = [{ expected: `e${text}`, actual: `a${text}`, cases: deviating }]
    return { ...reported, deviations, cases: casesFixture({ conforming, deviating }) }
  }
  const isSo = { statement: `It is so. ${text}` }
  const rows: [name: string, State, State, before?: Parts, after?: Parts][] = [
    ['newly-failing', 'pass', 'fail', {}, { ...reported, ...isSo }],
    ['unjudged', 'pass', 'inconclusive', {}, reported],
    ['tolerated', 'fail', 'waived', reported, reported],
    ['waived', 'pass', 'waived', {}, reported],
    ['otherwise', 'waived', 'waived', { ...reported, actual: `before ${text}.` }, reported],
    ['unwaived', 'waived', 'fail', reported, reported],
    ['lost', 'fail', 'pass', reported, { ...reported, cases: casesFixture({}, lostWith(1)) }],
    ['partly', 'fail', 'fail', deviatingIn([0], 1, 2), deviatingIn([0, 2], 1)],
    ['another', 'fail', 'fail', deviatingIn([0, 2, 3], 1), deviatingIn([0], 1, 2, 3)],
    ['selected', 'not selected', 'pass'],
    ['fixed', 'fail', 'pass', reported],
    ['still', 'fail', 'fail', reported, { ...reported, actual: `another${text}` }],
    ['gone', 'pass', 'absent'],
    ['unselected', 'pass', 'not selected'],
    ['new', 'absent', 'pass'],
  ]
  const observed = (values: Record<string, unknown>) =>
    Object.entries(values).map(([id, value]) => {
      return { id, description: 'It is so.', value, exchanges: [] }
    })
  const idOf = (name: string) => `code-hosting/errors/${name}${text}`
  return compared(
    {
      tool: { name: 'plumbline', version: `0.0.9${text}` },
      results: rows.flatMap(([name, state, _, parts = {}]) => resultIn(idOf(name), state, parts)),
      observations: observed({ [`a${text}`]: `x ${text}`, b: 401, c: 401, [`gone${text}`]: 1 }),
    },
    {
      results: rows.flatMap(([name, , state, , parts = {}]) => resultIn(idOf(name), state, parts)),
      observations: observed({ [`a${text}`]: `y ${text}`, b: 403, c: 403, new: text }),
    },
    [`before${text}.json`, `after${text}.json`],
  )
}

const id = 'code-hosting/errors/body'
const passed = resultOf('code-hosting/errors/archived', 'pass')
const at = (embedded: boolean) => ({
  target: { codeHosting: { baseUrl: 'https://a.example', ...(embedded && { embedded }) } },
})
const of = (state: State, parts: Parts = {}) => ({
  results: [passed, ...resultIn(id, state, parts)],
})
const notProbed = { target: { eventPublishing: { baseUrl: 'https://events.example.com' } } }
const partial = { cases: casesFixture({}, { 1: 'no data', 2: 'no data' }) }
const [found, other] = [{ actual: '403' }, { actual: '500' }]

/** Returns a result that deviates in these of the first five cases, each time the same way unless `actual` differs. */
const inCases = (deviating: number[], actual = ''): Parts => {
  const conforming = [0, 1, 2, 3, 4].filter((number) => !deviating.includes(number))
  const deviations = [{ expected: 'e', actual, cases: deviating }]
  return { cases: casesFixture({ conforming, deviating }), deviations }
}

const listsOf = ({ requirements }: Comparison) =>
  changeKinds.filter((name) => requirements[name].some(({ requirement }) => requirement === id))

it.each<[string, Partial<RunReport>, Partial<RunReport>, ChangeKind | undefined, 0 | 1 | 3]>([
  ['nothing was judged in both', {}, {}, undefined, 3],
  ['it fails', of('pass'), of('fail'), 'newlyFailing', 1],
  ['it is not selected', of('pass'), of('not selected'), 'noLongerJudged', 3],
  ['its service is not probed', of('pass'), notProbed, 'noLongerJudged', 3],
  ['its service was not probed', notProbed, of('pass'), undefined, 3],
  ['it was not in the report', of('absent'), of('pass'), undefined, 0],
  ['a case that deviated is lost', of('fail'), of('pass', partial), 'noLongerJudged', 1],
  ['it deviates differently', of('waived', found), of('fail', other), 'failsDifferently', 0],
  ['one run probed the reference server', of('pass'), { ...of('pass'), ...at(true) }, undefined, 3],
  [
    'only the reference server fails',
    of('pass'),
    { ...of('fail'), ...at(true) },
    'newlyFailing',
    1,
  ],
])('if %s, lists and status show it', (_name, before, after, list, status) => {
  const comparison = compared({ ...at(false), ...before }, { ...at(false), ...after })
  expect(listsOf(comparison)).toEqual(list === undefined ? [] : [list])
  expect(comparisonStatus(comparison)).toBe(status)
  expect(comparisonText(comparison, plain)).toMatch(new RegExp(`\\(exit status ${status}\\)\\n$`))
})

describe('the cases of a requirement', () => {
  it('that newly fail show their deviation', () => {
    const after = inCases([1])
    const deviations = [...(after.deviations ?? []), { expected: 'f', actual: 'new', cases: [3] }]
    const cases = casesFixture({ conforming: [0, 2, 4], deviating: [1, 3] })
    const comparison = compared(of('fail', inCases([1])), of('fail', { deviations, cases }))
    expect(comparison.requirements.newlyFailing).toMatchObject([{ expected: 'f', actual: 'new' }])
  })

  it('are the first ones and a number in the text', () => {
    const cases = Array.from({ length: 400 }, (_, number) => `case ${number}, ${'x'.repeat(200)}`)
    const all = cases.map((_, number) => number)
    const [none, every] = [inCases([]), inCases(all)]
    const conforming = { ...none, cases: casesFixture({ conforming: all }) }
    const broken = { ...of('fail', every), cases }
    const comparison = compared({ ...of('pass', conforming), cases }, broken)
    const text = comparisonText(comparison, plain)
    expect(text).toContain('400')
    expect(text.length).toBeLessThan(3000)
    expect(comparisonMarkdown(comparison).length).toBeLessThan(3000)
  })
})

it('reports only the deviations that differ', () => {
  const having = (verdict: Verdict, ...texts: string[]) => {
    const deviations = texts.map((actual, index) => {
      return { subject: 'GET /x 403', expected: 'e', actual, cases: [index] }
    })
    const cases = casesFixture({ conforming: [], deviating: texts.map((_, index) => index) })
    return of(verdict, { expected: 'e', actual: texts[0] ?? '', deviations, cases })
  }
  const comparison = compared(having('waived', 'a', 'b', 'c'), having('fail', 'a', 'd', 'c'))
  const texts = { actual: 'GET /x 403: d', actualBefore: 'GET /x 403: b' }
  expect(comparison.requirements.failsDifferently).toMatchObject([
    { before: 'waived', after: 'fail', ...texts },
  ])
  const same = compared(having('fail', 'a', 'b'), having('fail', 'a', 'b'))
  expect(listsOf(same)).toEqual(['same'])
  expect(same.requirements).toMatchObject({ judgedInBoth: 2, noVerdictInBoth: 0 })
})

it('compares observations without the address of the service', () => {
  const observed = (port: number, status: number) => ({
    target: { codeHosting: { baseUrl: `http://127.0.0.1:${port}` } },
    observations: Object.entries({ status, origin: `http://127.0.0.1:${port}` }).map(
      ([id, value]) => ({ id, description: 'It is so.', value, exchanges: [] }),
    ),
  })
  const { changed, unchanged } = compared(observed(1, 400), observed(2, 422)).observations
  expect([changed, unchanged]).toEqual([[{ id: 'status', before: 400, after: 422 }], 1])
})

it('has the wording of its snapshots', async () => {
  const text = comparisonText(everything(), plain)
  const same = compared({ results: [passed] }, { results: [passed] })
  await expect(text).toMatchFileSnapshot('snapshots/comparison.txt')
  await expect(comparisonText(same, plain)).toMatchFileSnapshot('snapshots/same.txt')
  await expect(comparisonMarkdown(everything())).toMatchFileSnapshot('snapshots/comparison.md')
})

it('escapes text of the reports', () => {
  const hostile = comparisonText(everything(hostileText), plain)
  expect(/[\p{Cf}\p{Cs}\u0080-\u009f]|[^\P{Cc}\n]/u.exec(hostile)).toBeNull()
  expect(hostile).toContain('\\u001b[31m')
  const markup = '</summary> @maria #1 | `x` <img src=x> https://evil.example [a](b)'
  const page = comparisonMarkdown(everything(markup))
  const outside = page.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '')
  expect(outside).not.toMatch(/@maria|(?<!\\)<img|https:\/\/evil|(?<!\\)\[a/)
  expect(page.split('<details>')).toHaveLength(page.split('</details>').length)
})

it.each([
  ['of everything', everything()],
  ['of hostile text', everything(hostileText)],
  ['of nothing', compared()],
])('the JSON %s matches its schema and the comparison', (_name, comparison) => {
  const text = printableJson(comparison)
  const read: Comparison = JSON.parse(text)
  expect(fits(read), JSON.stringify(fits.errors)).toBe(true)
  expect(read).toEqual(comparison)
  expect(/[\p{Cf}\u007f-\u009f]|[^\P{Cc}\n]/u.exec(text)).toBeNull()
})
