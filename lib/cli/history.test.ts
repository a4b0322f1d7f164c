import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hostileText } from '../reports/report.fixture.ts'
import { historyFixture } from '../runs/history/history.fixture.ts'
import { appendHistory } from '../runs/history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { action as history } from './history.ts'

let directory: string
let path: string

beforeEach(() => {
  directory = temporaryDirectory()
  path = join(directory, 'history.ndjson')
})

async function reported(environment: NodeJS.ProcessEnv = {}) {
  const context = { ...createNestedContext(directory), environment }
  const status = await history({ history: 'history.ndjson' }, context)
  return { status, ...context.reported }
}

function write(series: string, target?: Parameters<typeof historyFixture>[1]): void {
  const rows = { 'code-hosting/a/one': series, 'code-hosting/a/two': 'p'.repeat(series.length) }
  for (const line of historyFixture(rows, target)) appendHistory(path, line)
}

describe('plumbline history', () => {
  it('prints since which run requirements fail, and the last runs of each target', async () => {
    write('pfpfif')
    const { status, output, errors } = await reported()
    expect([status, errors]).toEqual([0, ''])
    const rows = output.split('\n').map((row) => row.trim().split(/ {2,}/))
    expect(rows.filter(([name]) => name?.startsWith('code-hosting/'))).toEqual([
      ['code-hosting/a/one', expect.stringMatching(/^2026-01-04/), 'run-4'],
    ])
    const runs = rows.map((row) => row.at(-1)).filter((cell) => /^run-\d$/.test(cell ?? ''))
    expect(runs).toEqual(['run-4', 'run-6', 'run-5', 'run-4', 'run-3', 'run-2', 'run-1'])
  })

  it('reports invalid lines', async () => {
    write('pp')
    appendFileSync(path, '{"schema":1,\n')
    const { status, output, errors } = await reported()
    expect(status).toBe(0)
    expect(errors).toMatch(/^history: history\.ndjson: .* 1 .* line 3 /)
    expect(output).toContain('run-2')
  })

  it('prints no workflow command, and no control character', async () => {
    write('p', { codeHosting: { baseUrl: `::error::x ${hostileText}` } })
    const { output } = await reported({ GITHUB_ACTIONS: 'true' })
    expect(output).not.toMatch(/^::|[\p{Cf}\p{Zl}]|[^\P{Cc}\n]/mu)
  })
})
