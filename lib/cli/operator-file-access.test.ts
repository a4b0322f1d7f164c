import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reportFixture } from '../reports/report.fixture.ts'
import { temporaryDirectory } from './command.fixture.ts'
import {
  type OperatorFileOptions,
  openBaseline,
  openWaivers,
  requireApart,
} from './operator-file-access.ts'
import { UsageError } from './usage-error.ts'

let directory: string
beforeEach(() => {
  directory = temporaryDirectory()
})

function file(name: string, content: string): void {
  writeFileSync(join(directory, name), content)
}

it.each([
  ['--waivers', openWaivers],
  ['--baseline', (name: string) => openBaseline(name, false, directory, new Set())],
] as const)('%s does not wait for a pipe', (option, open) => {
  execFileSync('mkfifo', [join(directory, 'pipe')])
  expect(() => open('pipe', directory)).toThrow(
    `${option}: pipe is no regular file; nothing was sent.`,
  )
})

describe('a file that is none of the kind that its option takes', () => {
  const asBaseline = (content: string, update = false) => {
    file('x.json', content)
    try {
      openBaseline('x.json', update, directory, new Set(['incident-status/updates/status']))
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each<[string, string]>([
    ['cannot be used: it is no baseline;', JSON.stringify(reportFixture())],
    ['cannot be used: it is no baseline;', '{}'],
    ['cannot be used: it is no baseline;', '[]'],
    ['cannot be used: it is no JSON (', '{"name":'],
    ['cannot be used: it is empty: restore it if it was one;', ''],
  ])('is refused, and nobody is told to delete it: it %s', (told, content) => {
    for (const updateBaseline of [false, true]) {
      const message = asBaseline(content, updateBaseline)
      expect(message).toContain(`--baseline: x.json ${told}`)
      expect(message).toContain('nothing was sent. Name the file that --update-baseline wrote')
      expect(message).not.toMatch(/delete|additional propert|must (NOT )?have/)
      expect(readFileSync(join(directory, 'x.json'), 'utf8')).toBe(content)
    }
  })

  it('is a baseline with an observation that nobody knows, unless it is to be written', () => {
    const ids = ['incident-status/updates/statsu', 'incident-status/updates/status']
    const baseline = (...names: string[]) =>
      JSON.stringify({
        schema: 1,
        target: {},
        observations: Object.fromEntries(names.map((id) => [id, 200])),
      })
    expect(asBaseline(baseline(...ids))).toBe(
      '--baseline: x.json has 1 id of no observation; nothing was sent: ' +
        'incident-status/updates/statsu. Did you mean incident-status/updates/status? ' +
        'Correct the file, or run with --update-baseline, which takes away what is not known.',
    )
    expect(asBaseline(baseline(...ids), true)).toBe('')
    expect(asBaseline(baseline(...ids.slice(1)))).toBe('')
    const many = Array.from({ length: 7 }, (_, index) => `a/b/c${index}`)
    expect(asBaseline(baseline(...many))).toMatch(/has 7 ids .* a\/b\/c4\. And 2 more\. Correct/)
  })
})

function refusal(options: OperatorFileOptions): string {
  try {
    requireApart(options, directory)
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
      '--baseline and --history lead to the same file, x1; nothing was sent.',
    ],
    [{ waivers: 'x1', history: './a/../x1' }, '--waivers and --history lead to the same file, '],
    [{ waivers: 'a/x1', baseline: 'a//x1' }, '--waivers and --baseline lead to the same file, '],
    [
      { history: 'fr/report.json', reports: 'fr' },
      '--reports and --history lead to the same file, fr/report.json; nothing was sent.',
    ],
    [{ baseline: 'fr/report.html', reports: './fr/' }, '--reports and --baseline lead to'],
    [{ waivers: 'summary.md', reports: '.' }, '--reports and --waivers lead to'],
    [{ history: 'fr/junit.xml', reports: 'fr' }, '--reports and --history lead to'],
    [{ history: 'fr/evidence.har', reports: 'fr' }, '--reports and --history lead to'],
  ])('in %j', (options, message) => {
    expect(refusal(options)).toContain(message)
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
