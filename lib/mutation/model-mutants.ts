import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Suites } from '../cli/suite-runner.ts'
import { mismatches } from '../prove/mismatches.ts'
import { coveringScenarios, type Scenario, scenarios } from '../prove/scenario.ts'
import { startReference } from '../reference/index.ts'
import type { RunReport } from '../results/run-report.ts'
import { instrument, type Mutant, namespaceOf } from './instrument.ts'
import { runSuites, type Subject, type SubjectSuites } from './subject.ts'

const FOLDER = 'suites/code-hosting/model'

const ACCESS = ['authentication', 'errors', 'scopes', 'settings', 'tokens']

/** Files with the sections of the requirements that their rules are about. */
const MUTATED_FILES: Readonly<Record<string, readonly string[]>> = {
  'access-table.ts': ACCESS,
  'access.ts': ACCESS,
  'case.ts': [...ACCESS, 'pagination'],
  'list-rules.ts': ['pagination'],
  'list-table.ts': ['pagination'],
  'pages.ts': ['pagination'],
}

/** Variants with other settings and data, which reach rules that the unmodified server does not. */
const VARIANTS = [
  'account-of-many-repositories',
  'account-of-many-repositories-without-total-count',
  'account-of-too-many-repositories-inconclusive',
  'legacy-and-query-disabled',
  'maximum-of-a-thousand',
  'no-repositories',
]

/** Returns the modules of the suites that import one of the files, directly or not, with these files. */
function importersOf(files: readonly string[]): RegExp[] {
  const suites = fileURLToPath(new URL('../../suites', import.meta.url))
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

/** Returns the id of the requirement above a mutant in its statement, such as the one of its rule. */
function requirementOf({ file, line }: Mutant): string | undefined {
  const path = fileURLToPath(new URL(`../../${FOLDER}/${file}`, import.meta.url))
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, line)
  const start = lines.findLastIndex((text) =>
    /^(?:export )?(?:async )?(?:const|function)\b/.test(text),
  )
  const ids = lines
    .slice(start)
    .join('\n')
    .matchAll(/'(code-hosting\/[a-z-]+\/[a-z-]+)'/g)
  return [...ids].at(-1)?.[1]
}

/** Returns the scenarios of the requirement of a mutant, or a covering set of the sections of its file. */
function scenariosOfRules(mutant: Mutant): readonly Scenario[] {
  const about = (isAbout: (requirement: string) => boolean) =>
    ofService.filter(
      ({ failing, tolerances }) =>
        failing.some(isAbout) || tolerances.some(({ requirement }) => isAbout(requirement)),
    )
  const id = requirementOf(mutant)
  const ofRequirement = about((requirement) => requirement === id)
  if (ofRequirement.length > 0) return ofRequirement
  const sections = MUTATED_FILES[mutant.file] ?? []
  return coveringScenarios(about((id) => sections.includes(id.split('/')[1] ?? '')))
}

/** Returns the scenarios that can notice a mutant. */
export function scenariosFor(mutant: Mutant): readonly Scenario[] {
  const withOtherData = ofService.filter(({ name }) => VARIANTS.includes(name))
  return [...new Set([...withOtherData, ...scenariosOfRules(mutant)])]
}

const start = ({ kind, name, variant }: Pick<Scenario, 'kind' | 'name' | 'variant'>) =>
  startReference({
    services: ['code-hosting'],
    ...(kind === 'fault' ? { fault: name } : { variant }),
  })

/** Returns 0 if a run has the results that a scenario expects. */
async function problemIn(scenario: Scenario, { suites }: SubjectSuites): Promise<0 | 1 | 2> {
  // A fault is judged by the requirements that it breaks alone.
  const { failing, expectedVerdicts: _, ...rest } = scenario
  const expected = scenario.kind === 'fault' ? { ...rest, failing } : scenario
  const run = await runSuites(await start(scenario), suites, { requirement: failing })
  return problemOf(run, ({ report }) => mismatches(expected, report).length > 0)
}

/** Runs all checks without a mutant. @throws Error if the unmodified server does not conform */
async function requireConformant({ suites, activate }: SubjectSuites): Promise<Verdicts> {
  activate(undefined)
  const run = await runSuites(await start(unmodified), suites, {})
  if (problemOf(run, ({ report }) => report.verdict !== 'conformant') !== 0) {
    throw new Error('the unmodified server does not conform without a mutant')
  }
  return verdictsOf((run as SuitesRun).report)
}

/** Tries mutants on the unmodified server, which has these verdicts, and then on their scenarios. */
function createJudge(before: Verdicts): Subject['judge'] {
  const soundness = new Map<string, boolean>()

  /** Returns true if a scenario has the expected results without a mutant. */
  async function isSound(scenario: Scenario, opened: SubjectSuites): Promise<boolean> {
    opened.activate(undefined)
    const isSound = soundness.get(scenario.name) ?? (await problemIn(scenario, opened)) === 0
    soundness.set(scenario.name, isSound)
    return isSound
  }

  return async (mutant, opened) => {
    opened.activate(mutant)
    const first = await runSuites(await start(unmodified), opened.suites, { untilDeviation: true })
    const status = problemOf(first, ({ report }) => {
      const after = verdictsOf(report)
      return [...before].some(([id, verdict]) => after.get(id) !== verdict)
    })
    let runs = 1
    // Only a mutant may abort runs.
    if (status === 2) await requireConformant(opened)
    if (status !== 0) return { runs, status }
    for (const scenario of scenariosFor(mutant)) {
      runs += 1
      opened.activate(mutant)
      const status = await problemIn(scenario, opened)
      if (status !== 0 && (await isSound(scenario, opened))) return { runs, status }
    }
    return { runs, status: 0 }
  }
}

/** Adds all mutants to the model. */
export const instrumentModel = () => instrument(FOLDER, Object.keys(MUTATED_FILES))

/** Runs the suites with one mutant in the model of the code hosting service, as `plumbline prove` does. */
export async function modelMutants(isSelected: (mutant: Mutant) => boolean): Promise<Subject> {
  const instrumented = await instrumentModel()
  // Vitest evaluates them for each run; Node.js would evaluate them once.
  const evaluated = importersOf([...instrumented.code.keys(), setupFile])
  function openSuites(): SubjectSuites {
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
  return {
    ...instrumented,
    mutants: instrumented.mutants.filter(isSelected),
    folder: FOLDER,
    survivorsFile: 'model-survivors.json',
    openSuites,
    judge: createJudge(verdicts),
  }
}
