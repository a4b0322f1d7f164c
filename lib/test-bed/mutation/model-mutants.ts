import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Suites } from '../../cli/suite-runner.ts'
import type { RunReport } from '../../results/run-report.ts'
import { mismatches } from '../prove/mismatches.ts'
import { type Scenario, variantScenario } from '../prove/scenario.ts'
import type { ServiceName } from '../reference/index.ts'
import { type Effect, effectReader, readTargets, startScenario } from './effects.ts'
import { instrument, type Mutant, namespaceOf, project } from './instrument.ts'
import { fileOf, MUTATED_FILES } from './model-files.ts'
import { type MutationTarget, runSuites, type TargetSuites } from './mutation-target.ts'
import { openTableTests, type TableTests } from './table-tests.ts'
import { KillOrder, scenariosOf, type Trial, trialsOf } from './trials.ts'

/** Returns the modules of the suites that import these files, directly or not, with the files. */
function importersOf(files: readonly string[]): RegExp[] {
  const suites = join(project, 'suites')
  const imports = readdirSync(suites, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test|\.fixture)\.ts$/.test(path))
    .map((name) => {
      const path = join(suites, name)
      const found = readFileSync(path, 'utf8').matchAll(/^import(?! type)[^;]*? from '(\.[^']+)'/gm)
      return { path, imported: [...found].map(([, to = '']) => join(dirname(path), to)) }
    })
  const importing = new Set(files)
  // A set visits what is added meanwhile.
  for (const file of importing) {
    for (const { path, imported } of imports) if (imported.includes(file)) importing.add(path)
  }
  return [...importing].map((path) => new RegExp(`^${path.replaceAll(/[^\w/]/g, '\\$&')}$`))
}

const setupFile = fileURLToPath(new URL('model-setup.ts', import.meta.url))

type Verdicts = ReadonlyMap<string, string>

type SuitesRun = NonNullable<Awaited<ReturnType<typeof runSuites>>>

function problemOf(run: SuitesRun | undefined, isNoticed: (run: SuitesRun) => boolean): 0 | 1 | 2 {
  if (run === undefined || run.outOfMemory || run.internalErrors.length > 0) return 2
  return isNoticed(run) ? 1 : 0
}

const unmodified = (services: readonly ServiceName[]): Scenario => ({
  ...variantScenario({ name: 'unmodified' }),
  services,
})

/** Returns 0 if a run has the results that a scenario expects. */
async function problemIn({ scenario, judged }: Trial, { suites }: TargetSuites) {
  const isJudged = (id: string) => judged.includes(id)
  const expected: Scenario = {
    ...scenario,
    failing: scenario.failing.filter(isJudged),
    tolerances: scenario.tolerances.filter(({ requirement }) => isJudged(requirement)),
    expectedVerdicts: Object.fromEntries(
      Object.entries(scenario.expectedVerdicts ?? {}).filter(([id]) => isJudged(id)),
    ),
    verdict: undefined,
  }
  const run = await runSuites(await startScenario(scenario), suites, { requirement: judged })
  return problemOf(run, ({ report }) => mismatches(expected, report).length > 0)
}

/** Runs all checks without a mutant. @throws Error if the unmodified server does not conform */
async function requireConformant(
  { suites, activate }: TargetSuites,
  services: readonly ServiceName[],
): Promise<Verdicts> {
  activate(undefined)
  const run = await runSuites(await startScenario(unmodified(services)), suites, {})
  if (run === undefined || problemOf(run, ({ report }) => report.verdict !== 'conformant') !== 0) {
    throw new Error('the unmodified server does not conform without a mutant')
  }
  return new Map(run.report.results.map(({ requirement, verdict }) => [requirement, verdict]))
}

type Deviating = ReadonlyMap<string, readonly string[]>

/** Runs of scenarios without a mutant, each of them once. */
class UnmutatedRuns {
  readonly #soundness = new Map<string, boolean>()
  readonly #deviating = new Map<Scenario, Promise<Deviating>>()

  /** Returns true if a scenario has the expected results. */
  async isSound(trial: Trial, opened: TargetSuites): Promise<boolean> {
    opened.activate(undefined)
    const key = [trial.scenario.name, ...trial.judged].join()
    const isSound = this.#soundness.get(key) ?? (await problemIn(trial, opened)) === 0
    this.#soundness.set(key, isSound)
    return isSound
  }

  /** Returns the cases in which the requirements of a fault deviate. */
  deviatingIn(scenario: Scenario, { suites, activate }: TargetSuites): Promise<Deviating> {
    const read = async () => {
      activate(undefined)
      const requirement = scenario.failing
      const run = await runSuites(await startScenario(scenario), suites, { requirement })
      const { results = [], cases: ids = [] } = run?.report ?? ({} as Partial<RunReport>)
      return new Map(
        results.map(({ requirement, cases }) => [
          requirement,
          (cases?.deviating ?? []).flatMap((index) => ids[index] ?? []),
        ]),
      )
    }
    const deviating = this.#deviating.get(scenario) ?? read()
    this.#deviating.set(scenario, deviating)
    return deviating
  }
}

interface JudgeParts {
  /** Returns the verdicts on the unmodified server. */
  verdictsOf: (services: readonly ServiceName[]) => Verdicts
  effectsOf: Awaited<ReturnType<typeof effectReader>>
  tests: TableTests
}

/** Tries mutants on the unmodified server, and then on their scenarios, the likeliest first. */
function createJudge({ verdictsOf, effectsOf, tests }: JudgeParts): MutationTarget['judge'] {
  const unmutated = new UnmutatedRuns()
  const order = new KillOrder()

  return async (mutant, opened) => {
    const { services, tests: files = [], isTestFirst = false } = fileOf(mutant)
    const before = verdictsOf(services)
    const effectOf = effectsOf(mutant, new Set(before.keys()))
    // A fault has the settings of the unmodified server.
    const [usual] = scenariosOf(services)
    const requirement = [
      ...new Set(scenariosOf(services).flatMap((one) => effectOf?.(one).changed ?? [])),
    ]
    const failsTest = async () => files.length > 0 && (await tests.fail(files, mutant))
    if (isTestFirst && (await failsTest())) return { runs: 0, status: 1 }
    // Without a plan, all requirements are judged.
    if (effectOf && requirement.length === 0) return { runs: 0, status: 0 }
    let runs = 0
    for (const judged of subsetsOf(requirement, effectOf?.(usual as Scenario))) {
      opened.activate(mutant)
      const options = { untilDeviation: true, requirement: judged }
      const run = await runSuites(await startScenario(unmodified(services)), opened.suites, options)
      const isJudged = (id: string) => judged.length === 0 || judged.includes(id)
      const status = problemOf(run, ({ report }) =>
        report.results.some(
          ({ requirement: id, verdict }) => isJudged(id) && before.get(id) !== verdict,
        ),
      )
      runs += 1
      // Only a mutant may abort runs.
      if (status === 2) await requireConformant(opened, services)
      if (status !== 0) return { runs, status }
    }
    const trials = effectOf ? trialsOf(services, effectOf, order) : []
    for (const trial of trials) {
      const { scenario, effect, isOwn } = trial
      if (isOwn && effect.lost && scenario.kind === 'fault') {
        const deviating = await unmutated.deviatingIn(scenario, opened)
        if (!mayHide(effect, deviating)) continue
      }
      opened.activate(mutant)
      runs += 1
      const status = await problemIn(trial, opened)
      if (status !== 0 && (await unmutated.isSound(trial, opened))) {
        order.add(scenario)
        return { runs, status }
      }
    }
    return { runs, status: !isTestFirst && (await failsTest()) ? 1 : 0 }
  }
}

/** Requirements of a first run, which takes a fifth of the time of a run with all. */
const FIRST_REQUIREMENTS = 5

/** Returns the requirements that a mutant changes, sorted by their number of changed cases. */
function subsetsOf(changed: readonly string[], effect: Effect | undefined) {
  if (changed.length <= FIRST_REQUIREMENTS * 2) return [changed]
  const casesOf = (id: string) => effect?.lost?.get(id)?.size ?? 0
  const sorted = changed.toSorted((one, other) => casesOf(other) - casesOf(one))
  return [sorted.slice(0, FIRST_REQUIREMENTS), sorted.slice(FIRST_REQUIREMENTS)]
}

/** Returns true unless each failure has a planned case that the mutant does not change. */
function mayHide({ lost, planned, changed }: Effect, deviating: Deviating): boolean {
  return changed.some((requirement) => {
    const cases = deviating.get(requirement)
    const others = cases?.filter((id) => planned?.has(id) && !lost?.get(requirement)?.has(id))
    return others?.length === 0
  })
}

/** Adds all mutants to the model. */
export const instrumentModel = () => instrument('.', Object.keys(MUTATED_FILES))

/** Runs the suites with one mutant in their model, as `plumbline prove` does. */
export async function modelMutants(
  isSelected: (mutant: Mutant) => boolean,
): Promise<MutationTarget> {
  const instrumented = await instrumentModel()
  const mutants = instrumented.mutants.filter(isSelected)
  // Vitest evaluates them for each run; Node.js would evaluate them once.
  const evaluated = importersOf([...instrumented.code.keys(), setupFile])
  function openSuites(): TargetSuites {
    let active = namespaceOf()
    const provided = () => ({ ...active })
    const changes = { code: instrumented.code, evaluated, setupFile, provided }
    return {
      suites: new Suites({ changes }),
      activate(mutant) {
        active = namespaceOf(mutant)
      },
    }
  }
  const files = [...new Set(mutants.map(({ file }) => file))].map((file) => MUTATED_FILES[file])
  const verdicts = new Map<string, Verdicts>()
  const opened = openSuites()
  for (const services of files.flatMap((one) => (one ? [one.services] : []))) {
    if (verdicts.has(services.join())) continue
    await requireConformant(opened, services)
    // A later run evaluates the suites again.
    verdicts.set(services.join(), await requireConformant(opened, services))
  }
  await opened.suites.close()
  const verdictsOf = (services: readonly ServiceName[]) =>
    verdicts.get(services.join()) ?? new Map<string, string>()
  const isPlanned = files.some((one) => one?.isPlanned)
  const effectsOf = await effectReader(
    instrumented,
    isPlanned ? await readTargets(scenariosOf(['code-hosting'])) : new Map(),
  )
  const tests = [...new Set(files.flatMap((one) => one?.tests ?? []))]
  return {
    ...instrumented,
    mutants,
    folder: '.',
    survivorsFile: 'model-survivors.json',
    openSuites,
    judge: createJudge({ verdictsOf, effectsOf, tests: await openTableTests(tests, instrumented) }),
  }
}
