import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CodeHostingTarget } from '../../../suites/code-hosting/variables.ts'
import { loadTarget } from '../../cli/services.ts'
import { Suites } from '../../cli/suite-runner.ts'
import type { RunReport } from '../../results/run-report.ts'
import { mismatches } from '../prove/mismatches.ts'
import { coveringScenarios, type Scenario, scenarios } from '../prove/scenario.ts'
import { startReference } from '../reference/index.ts'
import {
  bundleWithMutants,
  type Instrumented,
  instrument,
  type Mutant,
  namespaceOf,
} from './instrument.ts'
import { type MutationTarget, runSuites, type TargetSuites } from './mutation-target.ts'
import type { Plan } from './plan.ts'
import { openTableTests, type TableTests } from './table-tests.ts'

const FOLDER = 'suites/code-hosting/model'

/** Mutated files, with the test of their tables if the plan of a run has everything that they decide. */
const MUTATED_FILES: Readonly<Record<string, string | undefined>> = {
  'access-table.ts': 'access-table.test.ts',
  'access.ts': 'access-table.test.ts',
  'case.ts': 'access-table.test.ts',
  'list-rules.ts': undefined,
  'list-table.ts': 'list-table.test.ts',
  'pages.ts': undefined,
}

/** Returns the modules of the suites that import these files, directly or not, with the files. */
function importersOf(files: readonly string[]): RegExp[] {
  const suites = fileURLToPath(new URL('../../../suites', import.meta.url))
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

const unmodified = { kind: 'variant', name: 'unmodified' } as const

type Verdicts = ReadonlyMap<string, string>

const verdictsOf = ({ results }: RunReport): Verdicts =>
  new Map(results.map(({ requirement, verdict }) => [requirement, verdict]))

type SuitesRun = NonNullable<Awaited<ReturnType<typeof runSuites>>>

function problemOf(run: SuitesRun | undefined, isNoticed: (run: SuitesRun) => boolean): 0 | 1 | 2 {
  if (run === undefined || run.outOfMemory || run.internalErrors.length > 0) return 2
  return isNoticed(run) ? 1 : 0
}

const ofService = scenarios.filter(({ services }) => services.includes('code-hosting'))

/** Requirements about lists, which rules of lists may judge. */
const listRequirements = [...new Set(ofService.flatMap(({ failing }) => failing))].filter((id) =>
  id.startsWith('code-hosting/pagination/'),
)

/** Returns the requirements of list rules that a mutant is in, or that use the function that it is in; else all. */
function listRequirementsOf({ file, line }: Mutant): readonly string[] {
  const path = fileURLToPath(new URL(`../../../${FOLDER}/${file}`, import.meta.url))
  const start = /^(?:export )?(?:async )?(?:const|function) (\w+)|^ {2}'(code-hosting\/[a-z/-]+)':/
  const parts: { name: string; text: string; end: number }[] = []
  for (const [index, text] of readFileSync(path, 'utf8').split('\n').entries()) {
    const [found, name, id = name] = start.exec(text) ?? []
    const part = parts.at(-1)
    if (found) parts.push({ name: id ?? '', text, end: index + 1 })
    else if (part) Object.assign(part, { text: `${part.text}\n${text}`, end: index + 1 })
  }
  const own = parts.find(({ end }) => line <= end)
  const using = new Set(own && [own])
  // A set visits what is added meanwhile.
  for (const { name } of using) {
    const isUse = new RegExp(`\\b${name}\\b`)
    if (/^\w+$/.test(name)) {
      for (const part of parts) if (isUse.test(part.text)) using.add(part)
    }
  }
  const ids = [...using].map(({ name }) => name).filter((name) => listRequirements.includes(name))
  return ids.length > 0 ? ids : listRequirements
}

const start = ({ kind, name, variant }: Pick<Scenario, 'kind' | 'name' | 'variant'>) =>
  startReference({
    services: ['code-hosting'],
    ...(kind === 'fault' ? { fault: name } : { variant }),
  })

/** The requirements that a mutant changes for a target. */
interface Effect {
  /** Requirements that judge other cases, or judge a case in another way. */
  changed: readonly string[]
  /** Requirements of the controls and explanations of these cases. */
  related: readonly string[]
}

const NO_EFFECT: Effect = { changed: [], related: [] }

/** Returns the requirements of the items that only one of two plans has. */
function differenceOf(before: Plan, after: Plan): Effect {
  const only = (one: Plan, other: Plan) =>
    [...one].flatMap(([text, item]) => (other.has(text) ? [] : [item]))
  const [lost, added] = [only(before, after), only(after, before)]
  return {
    changed: [...new Set([...lost, ...added].flatMap(({ requirements }) => requirements))],
    // Explanations of a mutant may be outside the table.
    related: [...new Set(lost.flatMap(({ related }) => related()))],
  }
}

/** Returns the parts of a target on which the plan of its run depends. */
function planned({ settings, username, other }: CodeHostingTarget): CodeHostingTarget {
  const { allowLegacyTokenScheme, disableQueryAuthToken, maxResponseItems, defaultPagingNum } =
    settings
  const pages = { maxResponseItems, defaultPagingNum }
  return {
    settings: { allowLegacyTokenScheme, disableQueryAuthToken, ...pages },
    ...(username !== undefined && { username: 'main' }),
    ...(other && { other: {} }),
  } as CodeHostingTarget
}

type Targets = ReadonlyMap<Scenario, string>

/** Returns the planned parts of the target of each scenario, as JSON. */
export async function readTargets(): Promise<Targets> {
  const targets = new Map<Scenario, string>()
  for (const scenario of ofService) {
    const { environment, close } = await start(scenario)
    await close()
    const loaded = loadTarget({ environment, directory: import.meta.dirname })
    const target = 'target' in loaded ? loaded.target.codeHosting : undefined
    if (target === undefined) throw new Error(`${scenario.name} has no valid configuration`)
    targets.set(scenario, JSON.stringify(planned(target)))
  }
  return targets
}

type Effects = ReadonlyMap<string, Effect>

/** Returns a function that returns the effects of a mutant by target; undefined if it prevents the plan. */
export async function effectReader(instrumented: Instrumented, targets: Iterable<string>) {
  const load = await bundleWithMutants<typeof import('./plan.ts')>(
    'lib/test-bed/mutation/plan.ts',
    instrumented,
  )
  const distinct = [...new Set(targets)].map((text) => {
    const target = JSON.parse(text) as CodeHostingTarget
    const { casesOf, planOf } = load().module
    const cases = casesOf(target)
    return { text, target, cases, plan: planOf(target, cases, listRequirements) }
  })
  return (mutant: Mutant): Effects | undefined => {
    if (MUTATED_FILES[mutant.file] === undefined) {
      const effect = { changed: listRequirementsOf(mutant), related: [] }
      return new Map(distinct.map(({ text }) => [text, effect]))
    }
    try {
      const { casesOf, planOf } = load(mutant).module
      const effects = distinct.map(({ text, target, cases, plan }) => {
        const ofSame = differenceOf(plan, planOf(target, cases, listRequirements))
        return { text, target, plan, ofSame }
      })
      const isRule = effects.some(({ ofSame }) => ofSame.changed.length > 0)
      // A changed rule changes the choice of the cases too.
      return new Map(
        effects.map(({ text, target, plan, ofSame }) => [
          text,
          isRule ? ofSame : differenceOf(plan, planOf(target, casesOf(target), listRequirements)),
        ]),
      )
    } catch {
      return undefined
    }
  }
}

interface Trial {
  scenario: Scenario
  /** Ids of the requirements that are judged. */
  judged: readonly string[]
  /** True if the scenario is about these requirements. */
  isOwn: boolean
}

/** Most changed requirements for which all their scenarios are tried; for more, a covering set. */
const MAX_JUDGED_BY_ALL = 8

const covering = new Set(coveringScenarios(ofService))

const sectionOf = (id: string) => id.slice(0, id.lastIndexOf('/'))

/** Returns the runs that can notice a mutant: the faults of its requirements and sections, and all variants. */
function trialsOf(effectOf: (scenario: Scenario) => Effect): Trial[] {
  const trials = ofService.map((scenario) => {
    const { changed, related } = effectOf(scenario)
    const isAbout = (ids: readonly string[]) => scenario.failing.some((id) => ids.includes(id))
    const isUsed = scenario.tolerances.some(({ requirement }) => changed.includes(requirement))
    const sections = changed.map(sectionOf)
    const isNear = scenario.failing.some((id) => sections.includes(sectionOf(id)))
    const isVariant = scenario.kind === 'variant'
    const order = [isAbout(changed), isUsed, isAbout(related), isNear, isVariant]
    const isOwn = isAbout(changed) || isUsed
    return { scenario, judged: changed, isOwn, order: order.indexOf(true) }
  })
  return trials
    .filter(
      ({ scenario, order, judged }) =>
        order >= 0 &&
        judged.length > 0 &&
        (judged.length <= MAX_JUDGED_BY_ALL || covering.has(scenario)),
    )
    .sort((one, other) => one.order - other.order)
}

/** Returns 0 if a run has the results that a scenario expects. */
async function problemIn({ scenario, judged }: Trial, suites: Suites): Promise<0 | 1 | 2> {
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
  const run = await runSuites(await start(scenario), suites, { requirement: judged })
  return problemOf(run, ({ report }) => mismatches(expected, report).length > 0)
}

/** Runs all checks without a mutant. @throws Error if the unmodified server does not conform */
async function requireConformant({ suites, activate }: TargetSuites): Promise<Verdicts> {
  activate(undefined)
  const run = await runSuites(await start(unmodified), suites, {})
  if (problemOf(run, ({ report }) => report.verdict !== 'conformant') !== 0) {
    throw new Error('the unmodified server does not conform without a mutant')
  }
  return verdictsOf((run as SuitesRun).report)
}

/** Tries mutants on the unmodified server, which has these verdicts, and then on their scenarios. */
function createJudge(
  before: Verdicts,
  targets: Targets,
  effectsOf: (mutant: Mutant) => Effects | undefined,
  tests: TableTests,
): MutationTarget['judge'] {
  const soundness = new Map<string, boolean>()

  /** Returns true if a scenario has the expected results without a mutant. */
  async function isSound(trial: Trial, { suites, activate }: TargetSuites): Promise<boolean> {
    activate(undefined)
    const key = [trial.scenario.name, ...trial.judged].join()
    const isSound = soundness.get(key) ?? (await problemIn(trial, suites)) === 0
    soundness.set(key, isSound)
    return isSound
  }

  return async (mutant, opened) => {
    const effects = effectsOf(mutant)
    const effectOf = (scenario: Scenario): Effect => {
      const { changed, related } = effects?.get(targets.get(scenario) ?? '') ?? NO_EFFECT
      return { changed: changed.filter((id) => before.has(id)), related }
    }
    const requirement = [...new Set(ofService.flatMap((one) => effectOf(one).changed))]
    // Without a plan, all requirements are judged.
    if (effects && requirement.length === 0) return { runs: 0, status: 0 }
    const test = MUTATED_FILES[mutant.file]
    const isTable = mutant.file.endsWith('-table.ts')
    const failsTest = async () => test !== undefined && (await tests.fail(test, mutant))
    let isTested = isTable
    if (isTable && (await failsTest())) return { runs: 0, status: 1 }
    opened.activate(mutant)
    const options = { untilDeviation: true, requirement }
    const first = await runSuites(await start(unmodified), opened.suites, options)
    const isJudged = (id: string) => requirement.length === 0 || requirement.includes(id)
    const status = problemOf(first, ({ report }) =>
      report.results.some(
        ({ requirement: id, verdict }) => isJudged(id) && before.get(id) !== verdict,
      ),
    )
    let runs = 1
    // Only a mutant may abort runs.
    if (status === 2) await requireConformant(opened)
    if (status !== 0) return { runs, status }
    for (const trial of trialsOf(effectOf)) {
      // Before many runs.
      if (!trial.isOwn && !isTested && (await failsTest())) return { runs, status: 1 }
      isTested ||= !trial.isOwn
      runs += 1
      opened.activate(mutant)
      const status = await problemIn(trial, opened.suites)
      if (status !== 0 && (await isSound(trial, opened))) return { runs, status }
    }
    return { runs, status: !isTested && (await failsTest()) ? 1 : 0 }
  }
}

/** Adds all mutants to the model. */
export const instrumentModel = () => instrument(FOLDER, Object.keys(MUTATED_FILES))

/** Runs the suites with one mutant in the model of the code hosting service, as `plumbline prove` does. */
export async function modelMutants(
  isSelected: (mutant: Mutant) => boolean,
): Promise<MutationTarget> {
  const instrumented = await instrumentModel()
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
  const opened = openSuites()
  await requireConformant(opened)
  // A later run evaluates the suites again.
  const verdicts = await requireConformant(opened)
  await opened.suites.close()
  const targets = await readTargets()
  return {
    ...instrumented,
    mutants: instrumented.mutants.filter(isSelected),
    folder: FOLDER,
    survivorsFile: 'model-survivors.json',
    openSuites,
    judge: createJudge(
      verdicts,
      targets,
      await effectReader(instrumented, targets.values()),
      await openTableTests(
        FOLDER,
        [...new Set(Object.values(MUTATED_FILES).flatMap((file) => file ?? []))],
        instrumented,
      ),
    ),
  }
}
