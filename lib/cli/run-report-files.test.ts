import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readHar } from '../reports/har-schema.fixture.ts'
import { jenkinsProblemsOfKnownParts, xmlProblems } from '../reports/jenkins-schema.fixture.ts'
import {
  toldByJunit2json,
  toldByReport,
  toldByTestResultsParser,
  withoutDistinctions,
} from '../reports/junit-readers.fixture.ts'
import { plumbline } from './command.fixture.ts'

describe.concurrent.each([
  ['conforms', 0, []],
  ['fails', 1, ['--fault', 'limit-not-lowered']],
  ['gives no verdict', 3, ['--variant', 'event-types-limited-untold-inconclusive']],
] as const)('the reports of a run that %s', (_name, status, options) => {
  const running = plumbline(['run', ...options])

  it('belong to it', async () => {
    expect((await running).status).toBe(status)
  })

  it('have a junit.xml that Jenkins takes', async () => {
    const { junit } = await running
    expect(await xmlProblems(junit)).toEqual([])
    expect(await jenkinsProblemsOfKnownParts(junit)).toEqual([])
  })

  it('have a junit.xml that other readers read as report.json tells', async () => {
    const { junit, report } = await running
    const { attachments, ...told } = toldByTestResultsParser(junit)
    expect(await toldByJunit2json(junit)).toEqual(toldByReport(report))
    expect(told).toEqual(withoutDistinctions(toldByReport(report)))
    expect(attachments).toEqual([])
  })

  it('have every exchange in a valid evidence.har', async () => {
    const { report, directory } = await running
    const { log } = readHar(readFileSync(join(directory, 'reports', 'evidence.har'), 'utf8'))
    expect(log.entries.map(({ request, response }) => [request.url, response.status])).toEqual(
      report.exchanges.map(({ request, response }) => [request.url, response?.status ?? 0]),
    )
    expect(log.entries.every(({ request }) => URL.canParse(request.url))).toBe(true)
  })

  it('have a summary.md that begins with the verdict', async () => {
    const { report, directory } = await running
    const summary = readFileSync(join(directory, 'reports', 'summary.md'), 'utf8')
    expect(summary).toMatch(new RegExp(`^## \\S+ ${report.verdict}: `))
    expect(summary.length).toBeLessThan(60_000)
  })
})
