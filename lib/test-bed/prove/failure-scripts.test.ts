import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, it } from 'vitest'
import { openWorker } from '../../cli/prove.ts'
import { failureScript } from '../../reports/failure-script/failure-script.ts'
import type { NoScriptReason } from '../../reports/failure-script/no-script.ts'
import { type Fault, faults, startReference } from '../reference/index.ts'

/** Requirements whose failures no script repeats, by the reason. */
const withoutScript: Partial<Record<NoScriptReason, string[]>> = {
  oneTimeCode: ['accepted', 'checked', 'insufficient', 'required'].map(
    (name) => `code-hosting/authentication/one-time-code-${name}`,
  ),
  secretOfTheRun: ['event-publishing/publish/key-checked'],
  severalParts: [
    ...['authentication/sudo-admin-only', 'limits/blob', 'limits/response'],
    ...['first-page-default', 'link-targets', 'past-the-end', 'walk'].map(
      (name) => `pagination/${name}`,
    ),
    ...['resources/listed-repository', 'settings/agree-with-pagination'],
    ...['tokens/last-eight-in-reads', 'tokens/value-shown-once'],
  ].map((id) => `code-hosting/${id}`),
  variesByRun: ['code-hosting/tokens/last-eight'],
}
const reasons = Object.entries(withoutScript).flatMap(([reason, ids]) =>
  ids.map((id) => [id, reason] as const),
)

/**
 * Replacements for faults that need earlier requests at other endpoints, which a script does not send, other pages of
 * a list, or minutes.
 */
const INSTEAD: Readonly<Record<string, string>> = {
  'code-hosting/authentication/one-time-code-accepted': 'token-created-with-200',
  'event-publishing/publish/key-checked': 'event-key-checked-without-its-last-four-on-publish',
  'code-hosting/pagination/total-count': 'total-count-of-one-with-public-only-and-more-scopes',
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
const repeatable = requirements.filter((id) => !reasons.some(([other]) => other === id))
const isChosen = (_: string, index: number) =>
  inject('wholeMatrix') || index % SAMPLE_INTERVAL === 0

const worker = openWorker()
const directory = mkdtempSync(join(tmpdir(), 'plumbline-scripts-'))
afterAll(async () => {
  await worker.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Returns the script of the failure that the fault causes, or why there is none. */
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
    const script = await scriptFor(requirement, fault)
    const content = typeof script === 'object' ? script.content : ''
    expect(await exitStatus(content, { fault: name })).toEqual([1, expect.any(String)])
    expect(await exitStatus(content, { variant })).toEqual([0, expect.any(String)])
  },
)

it.each(reasons.filter(([id], index) => isChosen(id, index)))(
  '%s has no script: %s',
  async (requirement, reason) => {
    expect(await scriptFor(requirement, faultOf(requirement))).toBe(reason)
  },
)
