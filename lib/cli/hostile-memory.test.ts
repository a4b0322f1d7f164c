import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { type HostileOptions, startHostile } from '../test-bed/reference/hostile/index.fixture.ts'
import { atTheEnd, plumbline, temporaryDirectory } from './command.fixture.ts'

/** Maximum memory of a run in excess of a run against a conforming server; 150 to 210 were measured. */
const MAX_EXCESS_MEBIBYTES = 250

/** Lists and tokens, without requirements about all responses, which need all requests. */
const requirements = ['*/pagination/link-targets', '*/pagination/walk', 'scopes']

/** Writes the maximum memory of the process at its end. */
const observer = `
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) {
  process.on('exit', () =>
    writeFileSync(process.env.MEMORY_FILE, String(process.resourceUsage().maxRSS)))
}
`

/** Returns the maximum resident memory of a run in MiB. */
async function memoryAgainst(behaviour: HostileOptions['behaviour']): Promise<number> {
  const hostile = await startHostile({ behaviour })
  atTheEnd(() => hostile.close())
  const directory = temporaryDirectory()
  const script = join(directory, 'observer.mjs')
  const file = join(directory, 'memory')
  writeFileSync(script, observer)
  const outcome = await plumbline(['run', '--requirement', ...requirements], {
    ...hostile.environment,
    NODE_OPTIONS: `--import ${pathToFileURL(script)}`,
    MEMORY_FILE: file,
  })
  expect(outcome.errors).not.toMatch(/^plumbline: /m)
  await hostile.close()
  return Number(readFileSync(file, 'utf8')) / 1024
}

/** Returns large pages, tokens and other responses in turn. */
function inTurns(): HostileOptions['behaviour'] {
  const turns = [
    { at: /^GET .*\/user\/repos/, names: ['endless-body', 'gzip-bomb', 'many-records'] },
    { at: /^POST .*\/tokens/, names: ['long-token', 'token-of-one-letter'] },
    { at: /^/, names: ['many-objects', 'empty-lists', 'long-texts'] },
  ]
  return ({ method, url }) => {
    const turn = turns.find(({ at }) => at.test(`${method} ${url}`))
    const name = turn?.names.shift() ?? 'sets-cookies'
    turn?.names.push(name)
    return name
  }
}

it('memory is bounded for every flood of a server', { timeout: 240_000 }, async () => {
  const normal = await memoryAgainst('sets-cookies')
  expect(normal).toBeGreaterThan(50)
  expect(await memoryAgainst(inTurns())).toBeLessThan(normal + MAX_EXCESS_MEBIBYTES)
})
