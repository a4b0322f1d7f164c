import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Verdict } from '../conformance/result.ts'
import { mergeReports } from '../fleet/fleet.ts'
import { fleetPage } from '../fleet/page.ts'
import { pageTags, references } from '../reports/html/page-tags.fixture.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportFiles } from '../reports/report-files.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { enclosedContext, UsageError } from './context.ts'
import { type MergeOptions, merge } from './merge.ts'

/** Writes a report for each folder, below a directory of its own. */
function fleetOf(folders: Record<string, Verdict>): string {
  const directory = temporaryDirectory()
  for (const [folder, verdict] of Object.entries(folders)) {
    mkdirSync(join(directory, folder), { recursive: true })
    const report = reportFixture({
      target: { codeHosting: { baseUrl: `https://${folder.replace(/\W/g, '-')}.example.com` } },
      results: [resultFixture({ verdict })],
      verdict: 'conformant',
    })
    writeFileSync(join(directory, folder, 'report.json'), JSON.stringify(report))
    writeFileSync(join(directory, folder, 'report.html'), '')
  }
  return directory
}

/** What is in the files below a directory, by their names. */
function contentsOf(directory: string): [string, string][] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(directory, name)).isFile())
    .map((name) => [name, readFileSync(join(directory, name), 'utf8')])
}

async function merged(directory: string, files: string[], options: Partial<MergeOptions> = {}) {
  const context = enclosedContext(directory)
  const all = { output: 'reports/merged.html', ...options }
  const status = await merge(files, all, context)
  return { status, ...context.told }
}

describe('plumbline merge', () => {
  it('writes the page, and ends with the worst status', async () => {
    const directory = fleetOf({ eu: 'pass', us: 'fail', asia: 'inconclusive' })
    const good = await merged(directory, ['eu/report.json', 'eu/../asia'])
    expect(good).toMatchObject({ status: 3, errors: '' })
    const bad = await merged(directory, ['eu', 'us', 'asia'])
    expect(bad.status).toBe(1)
    expect(bad.output).toMatch(
      /\npage: reports\/merged\.html\n1 of 3 deployments fails, 1 without a verdict \(exit status 1\)\n$/,
    )
    const page = readFileSync(join(directory, 'reports', 'merged.html'), 'utf8')
    expect(references(pageTags(page))).toContain('../us/report.html')
  })

  it('leads to pages in folders of any name', async () => {
    const directory = fleetOf({ 'a b': 'pass', 'javascript:alert(1)': 'pass', '50% "x"&#': 'pass' })
    const output = 'merged.html'
    await merged(directory, ['a b', 'javascript:alert(1)', '50% "x"&#'], { output })
    const links = references(pageTags(readFileSync(join(directory, output), 'utf8')))
    expect(links).toContain('a%20b/report.html')
    expect(links).toContain('javascript%3Aalert(1)/report.html')
    expect(links).toContain('50%25%20%22x%22%26%23/report.html')
  })

  it('shows a report that does not exist only where it may be missing', async () => {
    const directory = fleetOf({ eu: 'pass' })
    await expect(merged(directory, ['eu', 'us/report.json'])).rejects.toThrow(
      /^merge: .*us\/report\.json does not exist\. --allow-missing shows it as a deployment/,
    )
    const allowed = await merged(directory, ['eu', 'us/report.json'], { allowMissing: true })
    expect(allowed.status).toBe(3)
    expect(allowed.output).toContain('us/report.json\n  no report\n')
  })

  it.each([
    ['a damaged report, missing or not', ['eu', 'broken.json'], {}, /broken\.json is damaged/],
    ['a report given twice', ['eu', 'eu/report.json'], {}, /eu\/report\.json and eu are the same/],
    [
      'a page in the place of a report',
      ['eu'],
      { output: 'eu/report.json' },
      /^--output: eu is one of the reports, and would be lost\.$/,
    ],
    [
      'a page in the place of a report of another name',
      ['of-eu.json'],
      { output: 'eu/../of-eu.json' },
      /^--output: of-eu\.json is one of the reports, and would be lost\.$/,
    ],
    [
      'a page that a link leads to a report',
      ['of-eu.json', 'eu'],
      { output: 'link.html' },
      /^--output: of-eu\.json is one of the reports, and would be lost\.$/,
    ],
    [
      'a page in the place of a report that is missing',
      ['eu', 'us.json'],
      { output: 'us.json' },
      /^--output: us\.json is where one of the reports belongs\.$/,
    ],
    [
      'a page in the folder of a report that is missing',
      ['eu', 'us'],
      { output: 'us/report.json' },
      /^--output: us is where one of the reports belongs\.$/,
    ],
    [
      'a page that a link leads to the folder of a report that is missing',
      ['eu', 'asia'],
      { output: 'linked/report.json' },
      /^--output: asia is where one of the reports belongs\.$/,
    ],
    ['an output without a name', ['eu'], { output: ' ' }, /^--output names no file\.$/],
    ['a report without a name', [''], {}, /^merge: one of the reports has no name\.$/],
  ])('refuses %s', async (_name, files, options, message) => {
    const directory = fleetOf({ eu: 'pass' })
    writeFileSync(join(directory, 'broken.json'), '{"schema": 1,')
    copyFileSync(join(directory, 'eu', 'report.json'), join(directory, 'of-eu.json'))
    symlinkSync('of-eu.json', join(directory, 'link.html'))
    mkdirSync(join(directory, 'asia'))
    symlinkSync('asia', join(directory, 'linked'))
    const before = contentsOf(directory)
    const attempt = merged(directory, files, { allowMissing: true, overwrite: true, ...options })
    await expect(attempt).rejects.toThrow(UsageError)
    await expect(attempt).rejects.toThrow(message)
    expect(contentsOf(directory)).toEqual(before)
  })

  it('replaces its own page of yesterday, whatever the reports say', async () => {
    const directory = fleetOf({ eu: 'pass', us: 'fail' })
    const page = join(directory, 'reports', 'merged.html')
    await merged(directory, ['us'])
    const yesterday = readFileSync(page, 'utf8')
    expect((await merged(directory, ['eu'])).status).toBe(0)
    expect(readFileSync(page, 'utf8')).not.toBe(yesterday)
  })

  const farPage = fleetPage(mergeReports([{ path: 'eu' }])).replace(
    /(?<=html>)/,
    ' '.repeat(262_144),
  )

  it.each([
    ['a text', 'README.md', '# Hello\n'],
    ['an empty file', 'empty.html', ''],
    ['another page', 'index.html', '<!doctype html>\n<body>\n<p>Plumbline</p>'],
    ['a page that only its end tells', 'far.html', farPage],
    ['a text that names a page', 'notes.md', 'It has <body class="fleet">, and a <p>.\n'],
  ])('replaces %s only when asked to', async (_name, output, content) => {
    const directory = fleetOf({ eu: 'pass' })
    const path = join(directory, output)
    writeFileSync(path, content)
    const attempt = merged(directory, ['eu'], { output })
    await expect(attempt).rejects.toThrow(UsageError)
    await expect(attempt).rejects.toThrow(
      `${output} is there already, and is no page of merge. Name another file, or replace it with --overwrite. Nothing was written.`,
    )
    expect(readFileSync(path, 'utf8')).toBe(content)
    expect((await merged(directory, ['eu'], { output, overwrite: true })).status).toBe(0)
    expect(readFileSync(path, 'utf8')).toMatch(/^<!doctype html>/)
    expect((await merged(directory, ['eu'], { output })).status).toBe(0)
  })

  it.each([
    ['a directory', 'eu', true, /is no regular file\. Nothing was written\.$/],
    ['a device', '/dev/null', true, /is no regular file\. Nothing was written\.$/],
    ['a file that cannot be read', '/proc/self/mem', false, /is no page of merge\. .*written\.$/],
  ])('never writes to %s', async (_name, output, overwrite, message) => {
    const attempt = merged(fleetOf({ eu: 'pass' }), ['eu'], { output, overwrite })
    await expect(attempt).rejects.toThrow(UsageError)
    await expect(attempt).rejects.toThrow(message)
  })

  it.each(['report.json', 'report.html', 'junit.xml', 'evidence.har'])(
    'never replaces the %s of a run',
    async (name) => {
      const directory = fleetOf({ eu: 'pass' })
      const found = reportFiles(reportFixture()).find((file) => file.name === name)
      mkdirSync(join(directory, 'kept'))
      const path = join(directory, 'kept', name)
      writeFileSync(path, found?.content ?? '')
      const options = { output: `kept/${name}`, overwrite: true }
      await expect(merged(directory, ['eu'], options)).rejects.toThrow(
        `${name} is of the reports of a run, which merge never replaces`,
      )
      expect(readFileSync(path, 'utf8')).toBe(found?.content)
    },
  )

  it('tells the outcome although the page cannot be written, which is no success', async () => {
    const directory = fleetOf({ eu: 'pass' })
    const outcome = await merged(directory, ['eu'], { output: 'eu/report.html/merged.html' })
    expect(outcome.status).toBe(3)
    expect(outcome.output).toMatch(/\nThe deployment conforms \(exit status 3\)\n$/)
    expect(outcome.errors).toMatch(
      /^plumbline: Cannot write .*: file already exists \(EEXIST\)\. Name another file with --output\.\n$/,
    )
  })
})
