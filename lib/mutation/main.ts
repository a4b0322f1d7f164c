import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { enclosedContext, UsageError } from '../cli/context.ts'
import { prepareTarget, selectRequirements } from '../cli/prepare-run.ts'
import { probeTarget } from '../cli/probe-target.ts'
import { catalogueOf } from '../cli/services.ts'
import { Suites } from '../cli/suites.ts'
import { type ServiceName, servicesOfVariant, type Variant, variants } from '../reference/index.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { instrumentReference, type Mutant, type MutatedReference } from './instrument.ts'

// Runs the suites against the reference server with one mutant at a time, and compares those that survive with
// survivors.json. Arguments select files of the reference server, such as `code-hosting/rules.ts`; without any, all of them.

/** A mutant that the suites need not notice. */
interface Survivor {
  mutant: string
  /** `equivalent`: no response differs. `not stated`: no document says which response is right. */
  reason: 'equivalent' | 'not stated'
  /** What makes it so, in a sentence. */
  why: string
}

/** A conforming server on which a mutant is tried. */
interface Scenario {
  variant?: Variant
  services: readonly ServiceName[]
}

/** Variants on which a mutant is tried at most, after the unmodified server. */
const MAX_VARIANTS = 4

const survivorsFile = new URL('survivors.json', import.meta.url)

// A mutant that breaks the server makes its HTTP library print the error of each request.
console.error = () => {}

const silentProgress = { start() {}, add() {}, finish() {} }

/** Runs the suites once. @returns the exit status */
async function judge(
  { startReference }: MutatedReference,
  { variant, services }: Scenario,
  suites: Suites,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-mutant-'))
  const server = await startReference({ variant, services })
  try {
    const context = { ...enclosedContext(directory), environment: server.environment }
    const prepared = await prepareTarget({}, context)
    const { report } = await probeTarget(prepared, {
      requirements: selectRequirements(prepared.services.map(catalogueOf), []),
      directory,
      progress: silentProgress,
      interruption: new Promise(() => {}),
      tell: () => {},
      suites,
    })
    return exitStatus(report)
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

/** Conforming servers that the suites find conformant, each with the mutants that it reaches. */
async function scenariosWithCoverage(load: () => ReturnType<Reference['load']>) {
  const scenarios = variants
    .filter(({ verdict, intermediary }) => verdict !== 'inconclusive' && !intermediary)
    .map((variant): Scenario => ({ variant, services: servicesOfVariant(variant) }))
  const covered: { scenario: Scenario; mutants: ReadonlySet<string> }[] = []
  await inWorkers(scenarios, async (scenario, suites) => {
    const reference = await load()
    if ((await judge(reference, scenario, suites)) === 0) {
      covered.push({ scenario, mutants: reference.coverage() })
    }
  })
  // The order in which they ended must not matter. The more specific ones first.
  return covered.sort(
    (one, other) =>
      one.mutants.size - other.mutants.size ||
      String(one.scenario.variant?.name).localeCompare(String(other.scenario.variant?.name)),
  )
}

type Reference = Awaited<ReturnType<typeof instrumentReference>>

const serviceOf = ({ file }: Mutant): readonly ServiceName[] => {
  const [service = ''] = file.split('/')
  return service === 'keyed-service.ts'
    ? ['event-publishing', 'incident-status']
    : [service as ServiceName]
}

const files = process.argv.slice(2)
const { mutants: all, load } = await instrumentReference()
const mutants = all.filter(({ file }) => files.length === 0 || files.includes(file))
const listed = (JSON.parse(readFileSync(survivorsFile, 'utf8')) as Survivor[]).filter(
  ({ mutant }) => files.length === 0 || files.some((file) => mutant.startsWith(`${file}: `)),
)

const survived: Mutant[] = []
const scenarios = await scenariosWithCoverage(load)
let runs = 0
await inWorkers(mutants, async (mutant, suites) => {
  const services = serviceOf(mutant)
  const tried: readonly Scenario[] = [
    { services },
    ...scenarios
      .filter(({ mutants, scenario }) => {
        return mutants.has(mutant.id) && services.some((name) => scenario.services.includes(name))
      })
      .slice(0, MAX_VARIANTS)
      .map(({ scenario }) => scenario),
  ]
  for (const scenario of tried) {
    runs += 1
    if ((await judge(await load(mutant), scenario, suites)) !== 0) return
  }
  survived.push(mutant)
})

const known = new Set(listed.map(({ mutant }) => mutant))
const unlisted = survived
  .filter(({ name }) => !known.has(name))
  .sort((one, other) => Number(one.id) - Number(other.id))
const names = new Set(survived.map(({ name }) => name))
const unused = listed.filter(({ mutant }) => !names.has(mutant))
for (const { file, line, name } of unlisted) {
  console.log(`survived: lib/reference/${file}:${line}\n  ${name}`)
}
for (const { mutant } of unused) console.log(`unused entry in survivors.json:\n  ${mutant}`)
console.log(
  `${mutants.length} mutants in ${runs} runs: ${mutants.length - survived.length} killed, ` +
    `${survived.length} survived (${known.size - unused.length} listed, ${unlisted.length} not); ` +
    `${unused.length} unused entries`,
)
process.exitCode = unlisted.length + unused.length > 0 ? 1 : 0
