import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from './command.fixture.ts'
import type { OperatorFileOptions } from './operator-file-access.ts'
import { assureApart } from './operator-file-clash.ts'
import { UsageError } from './usage-error.ts'

let directory: string
beforeEach(() => {
  directory = temporaryDirectory()
})

function refusal(options: OperatorFileOptions): string {
  try {
    assureApart(options, directory)
    return ''
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.message
  }
}

describe('one file for two purposes is refused', () => {
  it.each<[OperatorFileOptions, string]>([
    [
      { baseline: 'x1', updateBaseline: true, history: 'x1' },
      '--baseline and --history name the same file, x1; nothing was sent.',
    ],
    [{ waivers: 'x1', history: './a/../x1' }, '--waivers and --history name the same file, '],
    [{ waivers: 'a/x1', baseline: 'a//x1' }, '--waivers and --baseline name the same file, a//x1'],
    [
      { history: 'fr/report.json', reports: 'fr' },
      '--history: fr/report.json is a file that the run itself writes into --reports fr; nothing was sent.',
    ],
    [{ baseline: 'fr/report.html', reports: './fr/' }, '--baseline: fr/report.html is a file that'],
    [{ waivers: 'summary.md', reports: '.' }, '--waivers: summary.md is a file that'],
    [{ history: 'fr/junit.xml', reports: 'fr' }, 'is a file that'],
    [{ history: 'fr/evidence.har', reports: 'fr' }, 'is a file that'],
    [{ history: 'fr/ledger-20260101t0300-abcdef.ndjson', reports: 'fr' }, 'is a file that'],
    [{ history: 'fr', reports: 'fr' }, '--reports fr needs a directory there; nothing was sent.'],
    [{ history: 'fr', reports: 'fr/x/y' }, '--history: fr is to be a file, and --reports fr/x/y'],
  ])('in %j', (options, message) => {
    expect(refusal(options)).toContain(message)
  })

  it('by way of links, whether or not they lead to a file', () => {
    mkdirSync(join(directory, 'real'))
    symlinkSync('real', join(directory, 'linked'))
    symlinkSync('real/later', join(directory, 'dangling'))
    symlinkSync('elsewhere', join(directory, 'real', 'report.json'))
    symlinkSync('round', join(directory, 'round'))
    const same = 'name the same file'
    expect(refusal({ baseline: 'real/x', history: 'linked/x' })).toContain(same)
    expect(refusal({ baseline: 'real/later', history: 'dangling' })).toContain(same)
    expect(refusal({ baseline: 'elsewhere/a/x', history: 'linked/../elsewhere/a/x' })).toContain(
      same,
    )
    expect(refusal({ history: 'linked/summary.md', reports: 'real' })).toContain('is a file that')
    expect(refusal({ history: 'real/summary.md', reports: 'linked' })).toContain('is a file that')
    expect(refusal({ history: 'real/report.json', reports: 'real' })).toContain('is a file that')
    expect(refusal({ baseline: 'round', history: 'other' })).toBe('')
  })

  it.each<OperatorFileOptions>([
    {},
    { waivers: 'w', baseline: 'b', history: 'h', reports: 'fr' },
    { baseline: 'fr/baseline.json', history: 'fr/history.ndjson', reports: 'fr' },
    { history: 'fr/older/report.json', reports: 'fr' },
    { history: 'report.json', reports: 'fr' },
    { history: 'fr.ndjson', reports: 'fr' },
  ])('and nothing else is, such as %j', (options) => {
    expect(refusal(options)).toBe('')
  })
})
