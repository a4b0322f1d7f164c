import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, it } from 'vitest'
import { openWorker } from '../../cli/prove.ts'
import { failureScript } from '../../reports/failure-script.ts'
import { type Fault, faults, startReference } from '../reference/index.ts'

/**
 * Requirements whose failures no script repeats: they depend on several pages, on the count of a page, on a value that
 * differs in every run, on a near miss of a key, on one-time codes, or on more than one part of a response.
 */
const WITHOUT_SCRIPT = [
  ...['accepted', 'checked', 'insufficient', 'required'].map(
    (name) => `code-hosting/authentication/one-time-code-${name}`,
  ),
  'code-hosting/authentication/sudo-admin-only',
  ...['blob', 'git-trees', 'response'].map((name) => `code-hosting/limits/${name}`),
  ...[...['first-page-default', 'limit-honoured', 'link-targets', 'past-the-end'], ...['walk']].map(
    (name) => `code-hosting/pagination/${name}`,
  ),
  'code-hosting/resources/listed-repository',
  'code-hosting/settings/agree-with-pagination',
  ...['last-eight', 'last-eight-in-reads', 'value-shown-once'].map(
    (name) => `code-hosting/tokens/${name}`,
  ),
  'event-publishing/publish/key-checked',
]

/**
 * Replacements for faults that need earlier requests at other endpoints, which a script does not send, other pages of
 * a list, or minutes.
 */
const INSTEAD: Readonly<Record<string, string>> = {
  'code-hosting/authentication/one-time-code-accepted': 'token-created-with-200',
  'code-hosting/pagination/total-count': 'total-count-of-one-with-a-write-scope',
  'code-hosting/pagination/walk': 'item-lost-between-pages',
  'event-publishing/replay/key-required': 'event-missing-key-accepted-on-replay',
  'event-publishing/status/key-required': 'event-missing-key-accepted-on-status',
}

const SAMPLE_INTERVAL = 12
const MAX_SCRIPT_MS = 60_000

/** Returns the fault of a requirement that breaks the fewest others. */
function faultOf(requirement: string): Fault {
  const found = faults
    .filter(({ name, requirements }) => {
      return requirements.includes(requirement) && name === (INSTEAD[requirement] ?? name)
    })
    .sort((a, b) => a.requirements.length - b.requirements.length)
  if (found[0] === undefined) throw new Error(`${requirement} has no such fault`)
  return found[0]
}

const requirements = [...new Set(faults.flatMap((fault) => fault.requirements))].sort()
const repeatable = requirements.filter((id) => !WITHOUT_SCRIPT.includes(id))
const isChosen = (_: string, index: number) =>
  inject('wholeMatrix') || index % SAMPLE_INTERVAL === 0

const worker = openWorker()
const directory = mkdtempSync(join(tmpdir(), 'plumbline-scripts-'))
afterAll(async () => {
  await worker.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Returns the script of the failure that the fault causes; undefined if there is none. */
async function scriptFor(requirement: string, { name, service }: Fault) {
  const server = { fault: name, service: [service], requirement: [requirement] }
  const { report } = await worker.probe(server)
  // A server that outlives the run.
  const target = Object.fromEntries(
    Object.entries(report.target).map(([key, { baseUrl }]) => [key, { baseUrl }]),
  )
  const result = report.results.find((one) => one.requirement === requirement)
  expect(result?.verdict).toBe('fail')
  return result && failureScript(result, { ...report, target })
}

/** Runs a script against a reference server, and returns its exit status with its output. */
async function exitStatus(content: string, options: Parameters<typeof startReference>[0]) {
  const server = await startReference(options)
  const file = join(directory, 'script.sh')
  writeFileSync(file, content)
  const env = { PATH: process.env.PATH, ...server.environment }
  const ended = await new Promise((resolve) => {
    execFile('sh', [file], { env, timeout: MAX_SCRIPT_MS }, (error, output, errors) => {
      resolve([error === null ? 0 : error.code, output + errors])
    })
  })
  await server.close()
  return ended
}

it.each(repeatable.filter(isChosen))(
  'the script of %s ends with 1 on the faulty server and with 0 on the unmodified one',
  async (requirement) => {
    const fault = faultOf(requirement)
    const { name, variant } = fault
    const content = (await scriptFor(requirement, fault))?.content ?? ''
    expect(await exitStatus(content, { fault: name })).toEqual([1, expect.any(String)])
    expect(await exitStatus(content, { variant })).toEqual([0, expect.any(String)])
  },
)

it.each(WITHOUT_SCRIPT.filter(isChosen))('%s has no script', async (requirement) => {
  expect(await scriptFor(requirement, faultOf(requirement))).toBeUndefined()
})
