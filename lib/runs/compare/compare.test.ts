import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { hostileText } from '../../reports/report.fixture.ts'
import { changeTitles } from '../../reports/run-changes.ts'
import type { RunReport } from '../../results/run-report.ts'
import schema from './compare.schema.json' with { type: 'json' }
import { type Comparison, compareReports, comparisonJson, comparisonStatus } from './compare.ts'
import { comparisonMarkdown, comparisonText } from './format.ts'
import type { StoredReport } from './read-report.ts'
import { listNames } from './requirements.ts'
import { resultOf, storedReport, unselectedOf } from './stored-report.fixture.ts'

const plain = { color: false, width: 100 }

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
const fits = ajv.compile(schema)

function observed(values: Record<string, unknown>): RunReport['observations'] {
  return Object.entries(values).map(([id, value]) => {
    return { id, description: 'It is so.', value, exchanges: [] }
  })
}

/** Compares two reports with every kind of difference. */
function everything(text = ''): Comparison {
  const result = (name: string, ...rest: [Parameters<typeof resultOf>[1], object?]) =>
    resultOf(`code-hosting/errors/${name}${text}`, ...rest)
  const reported = { reason: `because${text}`, expected: `e${text}`, actual: `a${text}` }
  const before = storedReport(
    {
      tool: { name: 'plumbline', version: `0.0.9${text}` },
      results: [
        result('newly-failing', 'pass'),
        result('unseen', 'skipped'),
        result('advised', 'advisory'),
        result('unjudged', 'pass'),
        result('tolerated', 'fail', reported),
        result('waived', 'pass'),
        result('otherwise', 'waived', { ...reported, actual: `before ${text}.` }),
        result('unwaived', 'waived', reported),
        result('in-part', 'pass'),
        unselectedOf(`code-hosting/errors/selected${text}`),
        result('alike', 'fail', reported),
        result('fixed', 'fail'),
        result('judged', 'skipped'),
        result('still', 'fail', reported),
        result('gone', 'pass'),
        result('unselected', 'pass'),
        result('rewritten', 'pass', { statement: `It was so. ${text}` }),
      ],
      observations: observed({ [`a${text}`]: `x ${text}`, b: 401, c: 401, [`gone${text}`]: 1 }),
    },
    `before${text}.json`,
  )
  const after = storedReport(
    {
      results: [
        result('newly-failing', 'fail', { ...reported, statement: `It is so. ${text}` }),
        result('unseen', 'fail', reported),
        result('advised', 'fail', reported),
        result('unjudged', 'inconclusive', reported),
        result('tolerated', 'waived', reported),
        result('waived', 'waived', reported),
        result('otherwise', 'waived', reported),
        result('unwaived', 'fail', reported),
        result('in-part', 'pass', { reason: `without${text}` }),
        result('selected', 'pass'),
        result('alike', 'fail', reported),
        result('fixed', 'pass'),
        result('judged', 'pass'),
        result('still', 'fail', { ...reported, actual: `another${text}` }),
        unselectedOf(`code-hosting/errors/unselected${text}`),
        result('rewritten', 'pass', { statement: `It is so. ${text}` }),
        result('new', 'pass'),
      ],
      observations: observed({ [`a${text}`]: { [`y${text}`]: 1 }, b: 403, c: 403, new: text }),
    },
    `after${text}.json`,
  )
  return compareReports(before, after)
}

const passed = [resultOf('code-hosting/a/b', 'pass')]
const failed = [resultOf('code-hosting/a/b', 'fail', { expected: '404', actual: '403' })]
const same = compareReports(storedReport({ results: passed }), storedReport({ results: passed }))
const nothing = compareReports(storedReport(), storedReport())

describe('the outcome if', () => {
  const kept = resultOf('code-hosting/a/c', 'pass')
  const on = (verdict: 'pass' | 'fail', embedded?: true) => ({
    target: { codeHosting: { baseUrl: 'https://a.example', ...(embedded && { embedded }) } },
    results: verdict === 'pass' ? passed : failed,
  })
  const unselected = { results: [kept, unselectedOf('code-hosting/a/b')] }
  it.each<[string, Partial<RunReport>, Partial<RunReport>, 0 | 1 | 3]>([
    ['nothing was judged in both', {}, {}, 3],
    ['a requirement fails', on('pass'), on('fail'), 1],
    ['it is fixed', on('fail'), on('pass'), 0],
    ['something was not selected', { results: [kept, ...passed] }, unselected, 3],
    ['something is not in the report', { results: [kept, ...passed] }, { results: [kept] }, 3],
    ['something was not in the report', { results: [kept] }, { results: [kept, ...passed] }, 0],
    ['only one of the runs probed the reference server', on('pass'), on('pass', true), 3],
    [
      'the reference server fails a requirement that a deployment passes',
      on('pass'),
      on('fail', true),
      1,
    ],
  ])('%s', (_name, before, after, status) => {
    const comparison = compareReports(storedReport(before), storedReport(after))
    expect(comparisonStatus(comparison)).toBe(status)
    expect(comparisonText(comparison, plain)).toMatch(new RegExp(`\\(exit status ${status}\\)\\n$`))
  })
})

it('reports a lower coverage', () => {
  const skipped = resultOf('code-hosting/a/c', 'skipped')
  const whole = storedReport({ results: passed })
  const part = storedReport({ results: [...passed, skipped] })
  const fell = compareReports(whole, part)
  expect(fell).toMatchObject({
    coverageDropped: true,
    before: { coverage: { judged: 1, testable: 1 } },
    after: { coverage: { judged: 1, testable: 2 } },
  })
  expect(compareReports(part, whole).coverageDropped).toBe(false)
})

it('lists changed deviations and ended waivers, without a worse outcome', () => {
  const id = 'code-hosting/a/c'
  const run = (verdict: 'waived' | 'fail', actual: string) =>
    storedReport({ results: [...passed, resultOf(id, verdict, { actual })] })
  const listsOf = (before: StoredReport, after: StoredReport) => {
    const comparison = compareReports(before, after)
    expect([comparison.outcome, comparisonStatus(comparison)]).toEqual(['no worse', 0])
    return listNames.filter((name) => comparison.requirements[name].length > 0)
  }
  expect(listsOf(run('waived', '403'), run('fail', '403'))).toEqual(['noLongerWaived'])
  expect(listsOf(run('waived', '403'), run('fail', '500'))).toEqual(['changedDeviations'])
  expect(listsOf(run('fail', '403'), run('waived', '403'))).toEqual(['newlyAccepted'])
})

describe('the text', () => {
  const text = comparisonText(everything(), plain)

  it('has each list, the most important one last', () => {
    const titles = [...text.matchAll(/^(\w.*) \(\d+\)$/gm)].map(([, title]) => title)
    expect(titles).toHaveLength(21)
    expect(titles.slice(-listNames.length)).toEqual(
      listNames.map((name) => changeTitles[name]).toReversed(),
    )
  })

  it('has the wording of its snapshots', async () => {
    await expect(text).toMatchFileSnapshot('snapshots/comparison.txt')
    await expect(comparisonText(same, plain)).toMatchFileSnapshot('snapshots/same.txt')
    await expect(comparisonMarkdown(everything())).toMatchFileSnapshot('snapshots/comparison.md')
  })

  it('groups requirements that lost their verdict for the same reason', () => {
    const results = Array.from({ length: 12 }, (_, row) =>
      resultOf(`code-hosting/x/${row}`, 'pass'),
    )
    const target = { eventPublishing: { baseUrl: 'https://b.example' } }
    const gone = compareReports(storedReport({ results }), storedReport({ target }))
    expect(comparisonText(gone, plain)).toMatch(/\n {5}code-hosting\/x \(12\)\n/)
  })

  it('has no control sequences of the reports', () => {
    const hostile = comparisonText(everything(hostileText), plain)
    expect(/[\p{Cf}\p{Cs}\u0080-\u009f]|[^\P{Cc}\n]/u.exec(hostile)).toBeNull()
    expect(hostile).toContain('\\u001b[31m')
  })
})

describe('the Markdown', () => {
  it('folds less important sections', () => {
    const [shown = '', ...folded] = comparisonMarkdown(everything()).split('<details>')
    expect(shown).toContain(`### ${changeTitles.regressions} (1)`)
    expect(folded).toHaveLength(12)
    expect(folded.join()).toContain(changeTitles.fixed)
  })

  it('keeps text of the reports in code spans or without meaning', () => {
    const markup = '</summary> @maria #1 | `x` <img src=x> https://evil.example [a](b)'
    const page = comparisonMarkdown(everything(markup))
    const outside = page.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '')
    expect(outside).not.toMatch(/@maria|(?<!\\)<img|https:\/\/evil|(?<!\\)\[a/)
    expect(page.split('<details>')).toHaveLength(page.split('</details>').length)
  })
})

it.each([
  ['of everything', everything()],
  ['of hostile text', everything(hostileText)],
  ['of nothing', nothing],
])('the JSON %s matches its schema and the comparison', (_name, comparison) => {
  const text = comparisonJson(comparison)
  const read: Comparison = JSON.parse(text)
  expect(fits(read), JSON.stringify(fits.errors)).toBe(true)
  expect(read).toEqual(comparison)
  expect(/[\p{Cf}\u007f-\u009f]|[^\P{Cc}\n]/u.exec(text)).toBeNull()
})
