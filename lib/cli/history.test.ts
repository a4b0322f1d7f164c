import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { historyFixture } from '../runs/history/history.fixture.ts'
import { appendHistory } from '../runs/history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.ts'
import { type HistoryOptions, action as history } from './history.ts'

let directory: string
let path: string

beforeEach(() => {
  directory = temporaryDirectory()
  path = join(directory, 'history.ndjson')
})

async function reported(parts: Partial<HistoryOptions> = {}, environment: NodeJS.ProcessEnv = {}) {
  const context = { ...createNestedContext(directory), environment }
  const options = { history: 'history.ndjson', last: 30, format: 'text', ...parts } as const
  const status = await history(options, context)
  return { status, ...context.reported }
}

function write(series: string, target?: Parameters<typeof historyFixture>[1]): void {
  const rows = { 'code-hosting/a/one': series, 'code-hosting/a/two': 'p'.repeat(series.length) }
  for (const line of historyFixture(rows, target)) appendHistory(path, line)
}

describe('plumbline history', () => {
  it('reports since when requirements fail, and which are flaky', async () => {
    write('pfpf')
    const { status, output, errors } = await reported()
    expect([status, errors]).toEqual([0, ''])
    expect(output).toContain('Failing (1)')
    expect(output).toMatch(/^Flaky.* 4 .*\(1\)$/m)
    expect(output).toContain('Last runs (4)')
    const { targets } = JSON.parse((await reported({ format: 'json' })).output)
    expect(targets).toMatchObject([{ failing: [{ requirement: 'code-hosting/a/one', runs: 1 }] }])
  })

  it('reports invalid lines', async () => {
    write('pp')
    appendFileSync(path, '{"schema":1,\n')
    const { status, output, errors } = await reported()
    expect(status).toBe(0)
    expect(errors).toMatch(/^history: history\.ndjson: .* 1 .* line 3 /)
    expect(output).toContain('2 runs from')
  })

  it('writes complete JSON without control characters', async () => {
    const target = { codeHosting: { baseUrl: 'https://a.example.com/\u009b2J\u202e\u2028' } }
    write('p', target)
    const { output } = await reported({ format: 'json' })
    expect(output).not.toMatch(/[\p{Cf}\p{Zl}]|[^\P{Cc}\n]/u)
    expect(JSON.stringify(JSON.parse(output))).toContain(JSON.stringify(target.codeHosting.baseUrl))
  })

  it('prints no workflow command', async () => {
    write('p', { codeHosting: { baseUrl: '::error::x' } })
    const { output } = await reported({}, { GITHUB_ACTIONS: 'true' })
    expect(output).not.toMatch(/^::/m)
  })
})
