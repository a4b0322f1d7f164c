import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageTags, references } from '../reports/html/page-tags.fixture.ts'
import { reportModel } from '../reports/model.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportFiles } from '../reports/report-files.ts'
import type { Verdict } from '../results/run-report.ts'
import { historyLine } from '../runs/history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.ts'
import { type MergeOptions, action as merge } from './merge.ts'

/** Writes a report for each folder, in a new directory. */
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

async function merged(directory: string, files: string[], options: Partial<MergeOptions> = {}) {
  const context = createNestedContext(directory)
  const all: MergeOptions = { format: 'html', ...options }
  const status = await merge(files, all, context)
  return { status, ...context.reported }
}

describe('plumbline merge', () => {
  it('writes the page and returns the worst status', async () => {
    const directory = fleetOf({ eu: 'pass', us: 'fail', asia: 'inconclusive' })
    const good = await merged(directory, ['eu/report.json', 'eu/../asia'])
    expect(good).toMatchObject({ status: 3, errors: '' })
    const bad = await merged(directory, ['eu', 'us', 'asia'])
    expect(bad.status).toBe(1)
    expect(bad.output).toMatch(
      /\npage: reports\/merged\.html\n3 .*: 1 .*, 1 .*, 1 .* status 1\)\n$/,
    )
    const page = readFileSync(join(directory, 'reports', 'merged.html'), 'utf8')
    expect(references(pageTags(page))).toContain('../us/report.html')
  })

  it.each(['markdown', 'json'] as const)('prints %s and writes nothing', async (format) => {
    const directory = fleetOf({ eu: 'pass', us: 'fail' })
    const { status, output, errors } = await merged(directory, ['eu', 'us'], { format })
    expect([status, errors, existsSync(join(directory, 'reports'))]).toEqual([1, '', false])
    const names = format === 'json' ? JSON.parse(output).deployments : output.split('\n')
    expect(JSON.stringify(names)).toMatch(/us\.example\.com.*eu\.example\.com/)
  })

  it('reads the history next to a report', async () => {
    const directory = fleetOf({ eu: 'fail', us: 'fail', asia: 'fail' })
    const report = JSON.parse(readFileSync(join(directory, 'eu', 'report.json'), 'utf8'))
    const line = JSON.stringify(historyLine(report, 1))
    writeFileSync(join(directory, 'eu', 'history.ndjson'), `${line}\n`)
    mkdirSync(join(directory, 'us', 'history.ndjson'))
    const { output, errors } = await merged(directory, ['eu', 'us', 'asia'], { format: 'json' })
    const { requirements } = JSON.parse(output)
    expect(requirements[0].results).toEqual([
      { verdict: 'fail', since: report.run.startedAt },
      { verdict: 'fail' },
      { verdict: 'fail' },
    ])
    expect(errors).toMatch(/^.*us\/history\.ndjson .*\n$/)
  })

  it('links to pages in folders of any name', async () => {
    const name = 'javascript:alert(50% "x"&#)'
    const directory = fleetOf({ [name]: 'pass' })
    await merged(directory, [name], { output: 'merged.html' })
    const links = references(pageTags(readFileSync(join(directory, 'merged.html'), 'utf8')))
    expect(links).toContain('javascript%3Aalert(50%25%20%22x%22%26%23)/report.html')
  })

  it('shows a missing report with --allow-missing', async () => {
    const directory = fleetOf({ eu: 'pass' })
    const allowed = await merged(directory, ['eu', 'us/report.json'], { allowMissing: true })
    expect(allowed.status).toBe(3)
    expect(allowed.output).toContain('us/report.json\n  no report\n')
  })

  it('uses the names of options and a file', async () => {
    const directory = fleetOf({ eu: 'pass', us: 'fail', asia: 'pass' })
    writeFileSync(join(directory, 'names.json'), '{"./eu": "Europe", "us": "old", "gone": "x"}')
    const name = ['us/report.json=United = States']
    const { output } = await merged(directory, ['eu', 'us', 'asia'], { name, names: 'names.json' })
    for (const line of ['Europe', 'United = States', 'asia.example.com']) {
      expect(output.split('\n')).toContain(line)
    }
  })

  it('shows a report once that is named twice', async () => {
    const directory = fleetOf({ eu: 'pass' })
    const once = await merged(directory, ['eu'])
    expect((await merged(directory, ['eu', 'eu/report.json', './eu'])).output).toBe(once.output)
  })

  it('replaces its own page, and another one with --overwrite', async () => {
    const directory = fleetOf({ eu: 'pass' })
    const output = 'index.html'
    const path = join(directory, output)
    const content = '<!doctype html>\n<body>\n<p>Plumbline</p>'
    writeFileSync(path, content)
    expect((await merged(directory, ['eu'], { output, overwrite: true })).status).toBe(0)
    expect(readFileSync(path, 'utf8')).not.toBe(content)
    expect((await merged(directory, ['eu'], { output })).status).toBe(0)
  })

  it('replaces a link, not its target', async () => {
    const directory = fleetOf({ eu: 'pass' })
    writeFileSync(join(directory, 'own'), 'mine')
    symlinkSync('own', join(directory, 'index.html'))
    expect(
      await merged(directory, ['eu'], { output: 'index.html', overwrite: true }),
    ).toMatchObject({ status: 0, errors: '' })
    expect(readFileSync(join(directory, 'own'), 'utf8')).toBe('mine')
    expect(lstatSync(join(directory, 'index.html')).isFile()).toBe(true)
  })

  it('accepts the name of a missing page of a run', async () => {
    const directory = fleetOf({ eu: 'pass' })
    for (const _ of ['made', 'replaced']) {
      expect((await merged(directory, ['eu'], { output: 'report.html' })).status).toBe(0)
    }
  })

  it.each(
    reportFiles(reportModel(reportFixture())).filter(({ name }) =>
      /json|html|junit|har/.test(name),
    ),
  )('never replaces the $name of a run', async ({ name, content }) => {
    const directory = fleetOf({ eu: 'pass' })
    writeFileSync(join(directory, name), content)
    const attempt = merged(directory, ['eu'], { output: name, overwrite: true })
    await expect(attempt).rejects.toThrow(name)
    expect(readFileSync(join(directory, name), 'utf8')).toBe(content)
  })
})
