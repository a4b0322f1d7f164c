import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { startHostile } from '../reference/hostile/index.fixture.ts'
import { atTheEnd, plumbline, temporaryDirectory } from './command.fixture.ts'

/** What a run may need beyond one that meets nothing hostile. It is given back late. */
const MOST_MORE_MEBIBYTES = 200

/** Writes down, at the end of the process, how much memory it had at most. */
const observer = `
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) {
  process.on('exit', () =>
    writeFileSync(process.env.MEMORY_FILE, String(process.resourceUsage().maxRSS)))
}
`

/** Resident memory of a whole run, at its highest, in MiB. */
async function memoryAgainst(behaviour: string, at = /^/): Promise<number> {
  const hostile = await startHostile({ behaviour, at: ({ url }) => at.test(url ?? '') })
  atTheEnd(() => hostile.close())
  const directory = temporaryDirectory()
  const script = join(directory, 'observer.mjs')
  const file = join(directory, 'memory')
  writeFileSync(script, observer)
  const outcome = await plumbline(['run'], {
    ...hostile.environment,
    NODE_OPTIONS: `--import ${pathToFileURL(script)}`,
    MEMORY_FILE: file,
  })
  expect(outcome.errors).not.toMatch(/^plumbline: /m)
  await hostile.close()
  return Number(readFileSync(file, 'utf8')) / 1024
}

let usual: Promise<number> | undefined
/** Of a run that meets nothing hostile. */
function usualMemory(): Promise<number> {
  usual ??= memoryAgainst('sets-cookies')
  return usual
}

describe('memory', () => {
  it('is measured', async () => {
    expect(await usualMemory()).toBeGreaterThan(50)
  })

  it.each([
    ['endless-body', /user\/repos/],
    ['gzip-bomb', /user\/repos/],
    ['many-records', /user\/repos/],
    ['many-objects', /^/],
    ['empty-lists', /^/],
    ['long-texts', /^/],
    ['long-token', /^/],
    ['token-of-one-letter', /^/],
  ])('is bounded, whatever a server pours out: %s', async (behaviour, at) => {
    const most = (await usualMemory()) + MOST_MORE_MEBIBYTES
    expect(await memoryAgainst(behaviour, at)).toBeLessThan(most)
  })
})
