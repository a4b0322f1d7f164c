import { stripVTControlCharacters } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { exchangeFixture, hostileText } from '../reports/report.fixture.ts'
import schema from './compare.schema.json' with { type: 'json' }
import { type Comparison, compareReports, comparisonJson } from './compare.ts'
import { comparisonMarkdown } from './markdown.ts'
import { resultOf, storedReport, unselectedOf } from './stored-report.fixture.ts'
import { comparisonText } from './text.ts'

const plain = { color: false, width: 100 }

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
const fits = ajv.compile(schema)

function observed(values: Record<string, unknown>): RunReport['observations'] {
  return Object.entries(values).map(([id, value]) => ({ id, value, exchanges: [] }))
}

function exchanges(durationMs: number): RunReport['exchanges'] {
  return Array.from({ length: 5 }, () =>
    exchangeFixture({ durationMs, endpoint: 'GET /api/v1/user/repos' }),
  )
}

const failed = { expected: 'status 404', actual: 'status 403' }

/** Two reports that differ in everything in which reports can. */
function everything(text = ''): Comparison {
  const result = (name: string, ...rest: [Parameters<typeof resultOf>[1], object?]) =>
    resultOf(`code-hosting/errors/${name}${text}`, ...rest)
  const told = { reason: `because${text}`, expected: `e${text}`, actual: `a${text}` }
  const before = storedReport(
    {
      tool: { name: 'plumbline', version: `0.0.9${text}` },
      waivers: [
        {
          requirement: `code-hosting/errors/unwaived${text}`,
          reason: text,
          owner: text,
          expires: '2027-01-31',
          state: 'used',
          message: text,
        },
      ],
      results: [
        result('newly-failing', 'pass'),
        result('unjudged', 'pass'),
        result('tolerated', 'fail', told),
        result('waived', 'pass'),
        result('otherwise', 'waived', { ...told, actual: `before ${text}.` }),
        result('unwaived', 'waived', told),
        result('in-part', 'pass'),
        unselectedOf(`code-hosting/errors/selected${text}`),
        result('alike', 'fail', told),
        result('mended', 'fail'),
        result('judged', 'skipped'),
        result('still', 'fail', told),
        result('gone', 'pass'),
        result('unselected', 'pass'),
        result('rewritten', 'pass', { statement: `It was so. ${text}` }),
      ],
      observations: observed({ [`a${text}`]: `x ${text}`, b: 401, [`gone${text}`]: 1 }),
      exchanges: exchanges(10),
    },
    `before${text}.json`,
  )
  const after = storedReport(
    {
      results: [
        result('newly-failing', 'fail', { ...told, statement: `It is so. ${text}` }),
        result('unjudged', 'inconclusive', told),
        result('tolerated', 'waived', told),
        result('waived', 'waived', told),
        result('otherwise', 'waived', told),
        result('unwaived', 'fail', told),
        result('in-part', 'pass', { reason: `without${text}` }),
        result('selected', 'pass'),
        result('alike', 'fail', told),
        result('mended', 'pass'),
        result('judged', 'pass'),
        result('still', 'fail', { ...told, actual: `another${text}` }),
        unselectedOf(`code-hosting/errors/unselected${text}`),
        result('rewritten', 'pass', { statement: `It is so. ${text}` }),
        result('new', 'pass'),
      ],
      observations: observed({ [`a${text}`]: { [`y${text}`]: 1 }, b: 403, [`new${text}`]: text }),
      exchanges: exchanges(800),
    },
    `after${text}.json`,
  )
  return compareReports(before, after)
}

const same = compareReports(
  storedReport({ results: [resultOf('code-hosting/a/b', 'pass')] }),
  storedReport({ results: [resultOf('code-hosting/a/b', 'pass')] }),
)
const nothing = compareReports(storedReport(), storedReport())

describe('the text', () => {
  const text = comparisonText(everything(), plain)

  it('ends with what matters, in one row', () => {
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      'worse: 1 newly failing, 1 newly without a verdict; 1 requirement was judged before and not looked at after, 2 deviating otherwise than before, 1 no longer waived, 1 newly deviating but waived or advisory, 1 still failing, 1 mended, 1 now waived or advisory, 1 judged less than before, 1 newly judged, 1 judged in the report after only, 2 observations changed, 1 endpoint slower, the runs differ in more than the server (exit status 1)',
    )
    expect(comparisonText(same, plain).trimEnd().split('\n').at(-1)).toBe(
      'no worse: nothing is newly failing or newly without a verdict; the runs differ in more than the server (exit status 0)',
    )
  })

  it('has each list, the worst of them last', () => {
    const titles = [...text.matchAll(/^(\w.*) \((\d+)\)$/gm)].map(([row]) => row)
    expect(titles).toEqual([
      'The runs differ in more than the server (4)',
      'Slower endpoints (1)',
      'Observed before only (1)',
      'Observed after only (1)',
      'Observations that changed (2)',
      'Requirements that read differently (2)',
      'Requirements that are gone (1)',
      'New requirements (1)',
      'Judged after, and not asked for before (1)',
      'Newly judged (1)',
      'Judged less than before (1)',
      'Now waived or advisory (1)',
      'Mended (1)',
      'Still failing (1)',
      'Newly deviating, and waived or advisory (1)',
      'No longer waived (1)',
      'Deviating otherwise than before (2)',
      'Judged before, and not looked at after (1)',
      'Newly without a verdict (1)',
      'Newly failing (1)',
    ])
  })

  it('has colours only where it may, and the same words', () => {
    const colored = comparisonText(everything(), { ...plain, color: true })
    expect(colored).toContain('\u001b[')
    expect(stripVTControlCharacters(colored)).toBe(text)
  })

  it('cannot be steered by text of the reports', () => {
    const hostile = comparisonText(everything(hostileText), plain)
    expect(/[\p{Cf}\p{Cs}\u0080-\u009f]|[^\P{Cc}\n]/u.exec(hostile)).toBeNull()
    expect(hostile).toContain('\\u001b[31m')
  })
})

describe('the Markdown', () => {
  it('begins with the outcome', () => {
    expect(comparisonMarkdown(everything())).toMatch(/^## ❌ worse: 1 newly failing, /)
    expect(comparisonMarkdown(same)).toMatch(/^## ✅ no worse: /)
    expect(comparisonMarkdown(nothing)).toMatch(/^## ⚠️ nothing was compared: /)
  })

  it('shows what is worse and folds the rest', () => {
    const [shown = '', ...folded] = comparisonMarkdown(everything()).split('<details>')
    expect(shown).toContain('### Newly failing (1)')
    expect(shown).toContain('### Newly without a verdict (1)')
    expect(shown).toContain('| 1 | `not selected` | `code-hosting/errors/unselected` |')
    expect(shown).toContain(
      '| `code-hosting/errors/otherwise` | The user record of the caller is served. | waived → waived | `e` | `before .` | `a` |',
    )
    expect(shown).toContain(
      '| `code-hosting/errors/waived` | The user record of the caller is served. | passed → waived | `e` | – | `a` |',
    )
    expect(shown).toContain('### No longer waived (1)')
    expect(shown).toContain('| `code-hosting GET /api/v1/user/repos` | `median 10 ms → 800 ms')
    expect(folded.map((part) => part.match(/<summary>(.*)<\/summary>/)?.[1])).toEqual([
      'Still failing (1)',
      'Mended (1)',
      'Now waived or advisory (1)',
      'Judged less than before (1)',
      'Newly judged (1)',
      'Judged after, and not asked for before (1)',
      'New requirements (1)',
      'Requirements that are gone (1)',
      'Requirements that read differently (2)',
      'Observations that changed (2)',
      'Observed after only (1)',
      'Observed before only (1)',
    ])
  })

  it('keeps text of the reports in code spans or without meaning', () => {
    const markup = '</summary> @maria #1 | `x` <img src=x> https://evil.example [a](b)'
    const page = comparisonMarkdown(everything(markup))
    const outside = page.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '')
    expect(outside).not.toMatch(/@maria|(?<!\\)<img|https:\/\/evil|(?<!\\)\[a/)
    expect(page.split('<details>')).toHaveLength(page.split('</details>').length)
  })

  it('fits into a comment, however much there is to say', () => {
    const results = (verdict: 'pass' | 'fail') =>
      Array.from({ length: 3000 }, (_, index) =>
        resultOf(`code-hosting/errors/row-${index}`, verdict, failed),
      )
    const page = comparisonMarkdown(
      compareReports(
        storedReport({ results: results('pass') }),
        storedReport({ results: results('fail') }),
      ),
    )
    expect(page.length).toBeLessThanOrEqual(60_000)
    expect(page).toMatch(/… and \d+ more, with `--format json`\./)
  })
})

describe('the JSON', () => {
  it.each([
    ['of everything', everything()],
    ['of hostile text', everything(hostileText)],
    ['of two that are the same', same],
    ['of nothing', nothing],
  ])('%s fits its schema, and is what was compared', (_name, comparison) => {
    const text = comparisonJson(comparison)
    const read: Comparison = JSON.parse(text)
    expect(fits(read), JSON.stringify(fits.errors)).toBe(true)
    expect(read).toEqual(comparison)
    expect(/[\p{Cf}\u007f-\u009f]|[^\P{Cc}\n]/u.exec(text)).toBeNull()
  })
})
