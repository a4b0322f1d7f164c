import { describe, expect, it } from 'vitest'
import { verdicts } from '../conformance/result.ts'
import { reportFixture } from './report.fixture.ts'
import { countVerdicts, judgedCount, noVerdicts, verdictCountsText } from './verdict-counts.ts'

const counts = countVerdicts(reportFixture().results)

describe('countVerdicts', () => {
  it('counts each verdict', () => {
    expect(counts).toEqual({
      pass: 2,
      fail: 2,
      inconclusive: 1,
      skipped: 2,
      waived: 1,
      advisory: 1,
    })
  })

  it('has every verdict when there are no results', () => {
    expect(Object.keys(countVerdicts([])).sort()).toEqual([...verdicts].sort())
    expect(Object.values(countVerdicts([]))).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('judgedCount', () => {
  it('leaves out what is skipped or inconclusive', () => {
    expect(judgedCount(counts)).toBe(6)
    expect(judgedCount({ ...noVerdicts(), skipped: 3, inconclusive: 2 })).toBe(0)
  })
})

describe('verdictCountsText', () => {
  it('names passed and failed always, the others when they occur', () => {
    expect(verdictCountsText({ ...noVerdicts(), pass: 40, skipped: 3 })).toBe(
      '40 passed, 0 failed, 3 skipped',
    )
  })

  it('lets the caller paint each part', () => {
    const painted = verdictCountsText(noVerdicts(), (verdict, text) => `<${verdict} ${text}>`)
    expect(painted).toBe('<pass 0 passed>, <fail 0 failed>')
  })
})
