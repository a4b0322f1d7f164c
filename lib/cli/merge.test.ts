import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageTags, references } from '../reports/html/page-tags.fixture.ts'
import { reportModel } from '../reports/model.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportFiles } from '../reports/report-files.ts'
import { outcomeOf } from '../results/outcome.ts'
import type { RunReport, Verdict } from '../results/run-report.ts'
import { historyLine } from '../runs/history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.ts'
import { type MergeOptions, action as merge } from './merge.ts'

function fleetOf(verdicts: Record<string, Verdict>) {
  const directory = temporaryDirectory()
  const pathTo = (name: string) => join(directory, name)
  const reports = new Map<string, RunReport>()
  for (const [folder, verdict] of Object.entries(verdicts)) {
    mkdirSync(pathTo(folder))
    const baseUrl = `https://${folder.replace(/\W/g, '-')}.example.com`
    const results = [resultFixture({ verdict })]
    const target = { codeHosting: { baseUrl } }
    const report = reportFixture({ target, results, verdict: 'conformant' })
    reports.set(folder, report)
    writeFileSync(pathTo(`${folder}/report.json`), JSON.stringify(report))
    writeFileSync(pathTo(`${folder}/report.html`), '')
  }
  return {
    reports,
    pathTo,
    textOf: (name: string) => readFileSync(pathTo(name), 'utf8'),
    async merged(options: Partial<MergeOptions> = {}, files = Object.keys(verdicts)) {
      const context = createNestedContext(directory)
      const status = await merge(files, { format: 'html', ...options }, context)
      return { status, ...context.reported }
    },
  }
}

describe('plumbline merge', () => {
  it('writes the page and returns the worst status', async () => {
    const { merged, textOf } = fleetOf({ eu: 'pass', us: 'fail', asia: 'inconclusive' })
    const good = await merged({}, ['eu/report.json', 'eu/../asia'])
    expect(good).toMatchObject({ status: 3, errors: '' })
    const bad = await merged()
    expect(bad.status).toBe(1)
    expect(bad.output).toMatch(
      /\npage: reports\/merged\.html\n3 .*: 1 .*, 1 .*, 1 .* status 1\)\n$/,
    )
    expect(references(pageTags(textOf('reports/merged.html')))).toContain('../us/report.html')
  })

  it.each(['markdown', 'json'] as const)('prints %s and writes nothing', async (format) => {
    const { merged, pathTo } = fleetOf({ eu: 'pass', us: 'fail' })
    const { status, output, errors } = await merged({ format })
    expect([status, errors, existsSync(pathTo('reports'))]).toEqual([1, '', false])
    const names = format === 'json' ? JSON.parse(output).deployments : output.split('\n')
    expect(JSON.stringify(names)).toMatch(/us\.example\.com.*eu\.example\.com/)
  })

  it('reads the history next to a report', async () => {
    const { merged, pathTo, reports } = fleetOf({ eu: 'fail', us: 'fail', asia: 'fail' })
    const report = reports.get('eu') ?? reportFixture()
    const line = historyLine(report, outcomeOf(report, true))
    writeFileSync(pathTo('eu/history.ndjson'), `${JSON.stringify(line)}\n`)
    mkdirSync(pathTo('us/history.ndjson'))
    const { output, errors } = await merged({ format: 'json' })
    const failed = { verdict: 'fail' }
    expect(JSON.parse(output).requirements[0].results).toEqual([
      { ...failed, since: report.run.startedAt },
      failed,
      failed,
    ])
    expect(errors).toMatch(/^.*us\/history\.ndjson .*\n$/)
  })

  it('links to pages in folders of any name', async () => {
    const { merged, textOf } = fleetOf({ 'javascript:alert(50% "x"&#)': 'pass' })
    await merged({ output: 'merged.html' })
    const links = references(pageTags(textOf('merged.html')))
    expect(links).toContain('javascript%3Aalert(50%25%20%22x%22%26%23)/report.html')
  })

  it('shows a missing report with --allow-missing', async () => {
    const { merged } = fleetOf({ eu: 'pass' })
    const allowed = await merged({ allowMissing: true }, ['eu', 'us/report.json'])
    expect(allowed.status).toBe(3)
    expect(allowed.output).toContain('us/report.json\n  no report\n')
  })

  it('uses the names of options and a file', async () => {
    const { merged, pathTo } = fleetOf({ eu: 'pass', us: 'fail', asia: 'pass' })
    writeFileSync(pathTo('names.json'), '{"./eu": "Europe", "us": "old", "gone": "x"}')
    const name = ['us/report.json=United = States']
    const lines = (await merged({ name, names: 'names.json' })).output.split('\n')
    expect(lines).toEqual(expect.arrayContaining(['Europe', 'United = States', 'asia.example.com']))
  })

  it('shows a report once that is named twice', async () => {
    const { merged } = fleetOf({ eu: 'pass' })
    const twice = await merged({}, ['eu', 'eu/report.json', './eu'])
    expect(twice.output).toBe((await merged()).output)
  })

  it('replaces its own page, and other files with --overwrite; of a link not the target', async () => {
    const { merged, pathTo, textOf } = fleetOf({ eu: 'pass' })
    const output = 'index.html'
    const content = '<!doctype html>\n<body>\n<p>Plumbline</p>'
    writeFileSync(pathTo('own'), content)
    symlinkSync('own', pathTo(output))
    expect(await merged({ output, overwrite: true })).toMatchObject({ status: 0, errors: '' })
    expect(textOf('own')).toBe(content)
    expect(lstatSync(pathTo(output)).isFile()).toBe(true)
    expect(textOf(output)).not.toBe(content)
    expect((await merged({ output })).status).toBe(0)
  })

  it('accepts the name of a missing page of a run', async () => {
    const { merged } = fleetOf({ eu: 'pass' })
    for (const _ of ['made', 'replaced']) {
      expect((await merged({ output: 'report.html' })).status).toBe(0)
    }
  })

  it.each(
    reportFiles(reportModel(reportFixture())).filter(({ name }) =>
      /json|html|junit|har/.test(name),
    ),
  )('never replaces the $name of a run', async ({ name, content }) => {
    const { merged, pathTo, textOf } = fleetOf({ eu: 'pass' })
    writeFileSync(pathTo(name), content)
    await expect(merged({ output: name, overwrite: true })).rejects.toThrow(name)
    expect(textOf(name)).toBe(content)
  })
})
