import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { historyFixture } from '../history/history.fixture.ts'
import { appendHistory } from '../history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { type HistoryOptions, history } from './history.ts'

const options: HistoryOptions = { history: 'history.ndjson', last: 30, format: 'text' }

let directory: string
let path: string

beforeEach(() => {
  directory = temporaryDirectory()
  path = join(directory, 'history.ndjson')
})

async function told(parts: Partial<HistoryOptions> = {}, environment: NodeJS.ProcessEnv = {}) {
  const context = { ...enclosedContext(directory), environment }
  const status = await history({ ...options, ...parts }, context)
  return { status, ...context.told }
}

function write(series: string): void {
  const rows = { 'code-hosting/a/one': series, 'code-hosting/a/two': 'p'.repeat(series.length) }
  for (const line of historyFixture(rows)) appendHistory(path, line)
}

describe('plumbline history', () => {
  it('tells what fails, since when, and what is flaky', async () => {
    write('pfpf')
    const { status, output, errors } = await told()
    expect([status, errors]).toEqual([0, ''])
    expect(output).toContain('Failing (1)')
    expect(output).toContain('Flaky: changed, and changed back, within the last 4 runs (1)')
    expect(output).toContain('Last runs (4)')
  })

  it('is JSON for programs', async () => {
    write('pff')
    const { targets } = JSON.parse((await told({ format: 'json' })).output)
    expect(targets).toMatchObject([{ failing: [{ requirement: 'code-hosting/a/one', runs: 2 }] }])
  })

  it('tells of lines that it left out', async () => {
    write('pp')
    appendFileSync(path, '{"schema":1,\n')
    const { status, output, errors } = await told()
    expect([status, errors]).toEqual([
      0,
      'history: history.ndjson: left out 1 line of no run, or only a part of one, from line 3 on.\n',
    ])
    expect(output).toContain('2 runs from')
  })

  it('gives a job no command', async () => {
    const target = { codeHosting: { baseUrl: '::error::x' } }
    for (const line of historyFixture({ 'code-hosting/a/one': 'p' }, target)) {
      appendHistory(path, line)
    }
    const { output } = await told({}, { GITHUB_ACTIONS: 'true' })
    expect(output).not.toMatch(/^::/m)
  })

  it('refuses what is no history', async () => {
    await expect(told()).rejects.toThrow('history: history.ndjson does not exist')
    await expect(told({ history: '.' })).rejects.toThrow(
      'history: . cannot be read: illegal operation on a directory (EISDIR)',
    )
    await expect(told({ history: '/dev/zero' })).rejects.toThrow('/dev/zero is no regular file.')
    writeFileSync(path, 'nothing\n')
    await expect(told()).rejects.toThrow('history: history.ndjson has no run')
  })
})
