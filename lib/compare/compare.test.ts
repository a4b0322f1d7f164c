import { describe, expect, it } from 'vitest'
import { compareReports, comparisonStatus } from './compare.ts'
import type { StoredReport } from './read-report.ts'
import { resultOf, storedReport, unselectedOf } from './stored-report.fixture.ts'
import { comparisonText } from './text.ts'

const plain = { color: false, width: 100 }
const nothing = compareReports(storedReport(), storedReport())

describe('the outcome', () => {
  it.each([
    ['is not selected', { results: [unselectedOf('code-hosting/a/b')] }],
    ['is not in the report', { results: [] }],
  ])('is not good when something that was judged %s', (_name, { results }) => {
    const kept = resultOf('code-hosting/a/c', 'pass')
    const [earlier, later] = [[resultOf('code-hosting/a/b', 'pass')], results].map((others) =>
      storedReport({ results: [kept, ...others] }),
    ) as [StoredReport, StoredReport]
    expect(comparisonStatus(compareReports(earlier, later))).toBe(3)
    expect(comparisonText(compareReports(earlier, later), plain)).toMatch(
      /\nincomplete: 1 requirement was judged before and not looked at after; .*\(exit status 3\)\n$/,
    )
    expect(comparisonStatus(compareReports(later, earlier))).toBe(0)
  })

  it('tells the sections of what was not looked at, and is worse where something is', () => {
    const rows = (...names: string[]) =>
      names.map((name) => resultOf(`code-hosting/${name}`, 'pass'))
    const incident = resultOf('incident-status/a/b', 'fail')
    const both = {
      codeHosting: { baseUrl: 'https://a.example' },
      incidentStatus: { baseUrl: 'https://b.example' },
    }
    const before = storedReport({
      target: both,
      results: [
        ...rows(...Array.from({ length: 12 }, (_, index) => `x/${index}`), 'y/1', 'y/2'),
        resultOf('incident-status/a/b', 'pass'),
      ],
    })
    const laterWith = (verdict: 'pass' | 'fail') =>
      storedReport({
        target: { incidentStatus: both.incidentStatus },
        results: [{ ...incident, verdict }],
      })
    const text = comparisonText(compareReports(before, laterWith('pass')), plain)
    expect(text).toContain(
      'the service was not probed\n     14: code-hosting/x (12), code-hosting/y (2)',
    )
    expect(text).toMatch(
      /\nincomplete: 14 requirements were judged before and not looked at after; /,
    )
    expect(comparisonStatus(compareReports(before, laterWith('fail')))).toBe(1)
  })

  it('is not good when only one of the runs is of the embedded deployment', () => {
    const results = [resultOf('code-hosting/a/b', 'pass')]
    const runs = [undefined, true].map((embedded) =>
      storedReport({
        results,
        target: { codeHosting: { baseUrl: 'http://a', ...(embedded ? { embedded } : {}) } },
      }),
    ) as [StoredReport, StoredReport]
    for (const [before, after] of [runs, runs.toReversed() as typeof runs]) {
      const comparison = compareReports(before, after)
      expect(comparisonStatus(comparison)).toBe(3)
      expect(comparisonText(comparison, plain).trimEnd().split('\n').at(-1)).toMatch(
        /^not comparable: one of the runs probed the embedded deployment/,
      )
    }
    const failed = storedReport({
      ...runs[1].report,
      results: [resultOf('code-hosting/a/b', 'fail')],
    })
    expect(comparisonStatus(compareReports(runs[0], failed))).toBe(1)
  })

  it('is not good when nothing was judged in both', () => {
    expect(comparisonStatus(nothing)).toBe(3)
    expect(comparisonText(nothing, plain)).toContain(
      'nothing was compared: no requirement was judged in both reports; the runs differ in more than the server (exit status 3)',
    )
  })
})
