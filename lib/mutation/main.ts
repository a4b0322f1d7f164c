import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNestedContext, UsageError } from '../cli/context.ts'
import { executeRun } from '../cli/execute-run.ts'
import { prepareTarget, selectRequirements } from '../cli/prepare-run.ts'
import { catalogueOf } from '../cli/services.ts'
import { Suites } from '../cli/suite-runner.ts'
import { type ServiceName, servicesOfVariant, variants } from '../reference/index.ts'
import * as services from '../reference/services.ts'
import { summarize } from '../results/verdict.ts'
import {
  compareSurvivors,
  type InstrumentedReference,
  instrumentReference,
  type Mutant,
  type MutatedReference,
  type SurvivorEntry,
} from './instrument.ts'

// Runs the suites against the reference server with one mutant at a time, and compares the survivors with
// survivors.json. Arguments select files of the reference server, such as `code-hosting/rules.ts`; without any, all of them.

/** Conforming server on which mutants are tried. */
interface Scenario {
  /** Name of a variant; undefined for the unmodified server. */
  variant?: string
  services: readonly ServiceName[]
}

/** Variants with other settings and data, on which the mutants that they reach are tried too. */
const VARIANTS = [
  'legacy-and-query-disabled',
  'every-category-supplied',
  'base-path',
  'no-repositories',
  'names-and-passwords-of-many-characters',
  'server-errors-exposed-to-site-admins',
]

/** Mutants after which a line says how far the command is. */
const PROGRESS_STEP = 25

/** Characters of the code of a mutant that are printed. */
const MAX_CODE_CHARS = 160

const survivorsFile = new URL('survivors.json', import.meta.url)

// A mutant that breaks the server makes its HTTP library print the error of each request.
console.error = () => {}

const log = (line: string) => process.stderr.write(`${line}\n`)

/** A mutant may never respond; the unmodified server responds immediately. */
const timeLimits = { PROBE_TIMEOUT_MS: '10000', PROBE_RETRIES: '1' }

/** Runs the suites until a requirement fails or is inconclusive. @returns the exit status; 2 without a server */
async function judge(
  load: () => MutatedReference,
  { variant, services }: Scenario,
  suites: Suites,
): Promise<number> {
  // The copy has its own variants: rules of another copy throw errors that it does not know.
  const start = async () => load().startReference({ ...(variant && { variant }), services })
  const server = await start().catch(() => undefined)
  if (server === undefined) return 2
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-mutant-'))
  try {
    const environment = { ...server.environment, ...timeLimits }
    const context = { ...createNestedContext(directory), environment }
    const prepared = await prepareTarget({}, context)
    let stop = (): void => {}
    const interruption = new Promise<void>((resolve) => {
      stop = resolve
    })
    const { report } = await executeRun(prepared, {
      requirements: selectRequirements(prepared.services.map(catalogueOf), []),
      directory,
      progress: {
        start() {},
        add({ verdict }) {
          if (verdict === 'fail' || verdict === 'inconclusive') stop()
        },
        finish() {},
      },
      interruption,
      log: () => {},
      suites,
    })
    return summarize(report).exitStatus
  } catch (error) {
    // A mutant may change the variables that describe the server.
    if (error instanceof UsageError) return 2
    throw error
  } finally {
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Calls `work` for each item, several at a time; each worker has its own thread for the suites. */
async function inWorkers<Item>(
  items: readonly Item[],
  work: (item: Item, suites: Suites) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  async function worker(): Promise<void> {
    const suites = new Suites()
    for (const item of queue) await work(item, suites)
    await suites.close()
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker))
}

/** Returns the conforming servers, each with the mutants that it reaches. @throws Error if a run fails */
async function scenariosWithCoverage(
  load: InstrumentedReference['load'],
  services: readonly ServiceName[],
) {
  const scenarios: Scenario[] = [
    { services },
    ...variants
      .filter(({ name }) => VARIANTS.includes(name))
      .map((variant) => ({ variant: variant.name, services: servicesOfVariant(variant) }))
      .filter((scenario) => services.some((service) => scenario.services.includes(service))),
  ]
  const coverage = new Map<Scenario, ReadonlySet<string>>()
  await inWorkers(scenarios, async (scenario, suites) => {
    const reference = load()
    if ((await judge(() => reference, scenario, suites)) !== 0) {
      throw new Error(`not conformant without a mutant: ${scenario.variant ?? 'no variant'}`)
    }
    coverage.set(scenario, reference.coverage())
  })
  return scenarios.map((scenario) => ({
    scenario,
    mutants: coverage.get(scenario) ?? new Set<string>(),
  }))
}

/** Returns the service of a file; for rules that services share, those that have them. */
function serviceOf({ file }: Mutant): readonly ServiceName[] {
  const all = Object.values(services)
  const own = all.filter(({ name }) => file.startsWith(`${name}/`))
  const keyed = all.filter(({ rules }) => 'keyNeeded' in rules)
  return (own.length > 0 ? own : keyed).map(({ name }) => name)
}

const files = process.argv.slice(2)
const isSelected = ({ file }: { file: string }) => files.length === 0 || files.includes(file)
const { mutants: all, sources, load } = await instrumentReference()
const mutants = all.filter(isSelected)
const entries = (JSON.parse(readFileSync(survivorsFile, 'utf8')) as SurvivorEntry[]).filter(
  isSelected,
)

function describeMutant({ file, line, start, end, replacement }: Mutant): string {
  const shorten = (code: string) =>
    code.length > MAX_CODE_CHARS ? `${code.slice(0, MAX_CODE_CHARS)}…` : code
  const code = sources.get(file)?.slice(start, end) ?? ''
  return `lib/reference/${file}:${line}\n  ${shorten(code)}\n  → ${shorten(replacement)}`
}

const survivors: Mutant[] = []
let runs = 0
let tried = 0
let noVerdict = 0
const scenarios = await scenariosWithCoverage(load, [...new Set(mutants.flatMap(serviceOf))])
log(`${mutants.length} mutants, ${scenarios.length} conforming servers`)
await inWorkers(mutants, async (mutant, suites) => {
  const reaching = scenarios.filter(
    ({ mutants, scenario }) =>
      mutants.has(mutant.id) && serviceOf(mutant).some((name) => scenario.services.includes(name)),
  )
  let status = 0
  for (const { scenario } of reaching) {
    runs += 1
    const services = scenario.services.filter((name) => serviceOf(mutant).includes(name))
    status = await judge(() => load(mutant), { ...scenario, services }, suites)
    if (status !== 0) break
  }
  if (status === 0) {
    survivors.push(mutant)
    log(`survived: ${describeMutant(mutant)}`)
  } else if (status !== 1) noVerdict += 1
  tried += 1
  if (tried % PROGRESS_STEP === 0) log(`${tried} of ${mutants.length}`)
})

const { unlisted, unused } = compareSurvivors(entries, survivors, sources)
unlisted.sort((one, other) => Number(one.id) - Number(other.id))
for (const mutant of unlisted) console.log(`survived: ${describeMutant(mutant)}`)
for (const part of unused) console.log(`unused in survivors.json: ${part}`)
const killed = mutants.length - survivors.length
console.log(
  `${mutants.length} mutants in ${runs} runs: ${killed} killed (${noVerdict} of them without a verdict), ` +
    `${survivors.length} survived, ${unlisted.length} of them not listed; ${unused.length} unused entries`,
)
// A partly started server of a mutant may still run.
process.exit(unlisted.length + unused.length > 0 ? 1 : 0)
