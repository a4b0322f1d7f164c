import { describe, expect, it } from 'vitest'
import { formatProblems, joinNames } from './problems.ts'

describe('formatProblems', () => {
  it('has a heading, a line for each problem and where values come from', () => {
    const text = formatProblems([
      { variable: '--env-file', message: 'names a file that does not exist' },
      { variable: 'PROBE_RETRIES', message: 'must be a number', source: 'process' },
      { variable: 'PROBE_WORDING', message: 'must be strict or advisory', source: '.env' },
    ])
    expect(text.split('\n')).toEqual([
      'The configuration has 3 problems; nothing was sent.',
      '',
      '  --env-file     names a file that does not exist',
      '  PROBE_RETRIES  must be a number (set in the process environment)',
      '  PROBE_WORDING  must be strict or advisory (set in .env)',
      '',
      expect.stringMatching(/^Values were read from the process environment first.*--env-file,$/),
      expect.stringContaining('.env in the working directory'),
    ])
  })

  it('counts one problem as one', () => {
    const text = formatProblems([{ variable: 'A', message: 'is wrong', source: '--env-file' }])
    expect(text).toMatch(/^The configuration has 1 problem; nothing was sent\.$/m)
    expect(text).toMatch(/^ {2}A {2}is wrong \(set in the file of --env-file\)$/m)
  })
})

describe('joinNames', () => {
  it.each([
    [[], ''],
    [['A'], 'A'],
    [['A', 'B'], 'A and B'],
    [['A', 'B', 'C'], 'A, B and C'],
  ])('joins %j to %j', (names, expected) => {
    expect(joinNames(names)).toBe(expected)
  })
})
