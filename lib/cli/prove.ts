import type { Command } from 'commander'
import picocolors from 'picocolors'
import { matrixText } from '../prove/matrix-text.ts'
import { type Lane, proveSideBySide, usualThreads } from '../prove/prove.ts'
import { registryProblems } from '../prove/registry.ts'
import { elsewhereSubjects, needSubjects, type Subject, subjects } from '../prove/subject.ts'
import { faults, variants } from '../reference/index.ts'
import { Progress } from '../reports/progress.ts'
import { reportJson } from '../reports/report-files.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { summarize } from '../results/verdict.ts'
import { type CliContext, complain, enclosedContext, terminalOptions } from './context.ts'
import { prepareTarget, selectNamed, selectRequirements, unknownName } from './prepare-run.ts'
import { probeTarget } from './probe-target.ts'
import { catalogueOf, catalogues, loadTarget, services } from './services.ts'
import { Suites } from './suites.ts'

/** Names or globs of what is to be proved; with none, everything is. */
export type SubjectPatterns = Partial<Record<Subject['kind'], readonly string[]>>

/** @throws UsageError for a pattern that names nothing */
export function selectSubjects(
  all: readonly Subject[],
  patterns: SubjectPatterns,
): readonly Subject[] {
  const chosen = (['fault', 'variant', 'need'] as const).flatMap((kind) => {
    const { [kind]: asked } = patterns
    if (asked === undefined) return []
    const ofKind = all.filter((subject) => subject.kind === kind)
    const names = ofKind.map(({ name }) => name)
    const refusal = (pattern: string) => unknownName(kind, pattern, names)
    return selectNamed(ofKind, ({ name }) => name, asked, refusal)
  })
  return chosen.length === 0 ? all : chosen
}

const untold = { start() {}, add() {}, finish() {} }

/** Finds what a run finds, without the files that it writes: the report has to fit its schema. */
export function openLane(): Lane {
  const suites = new Suites()
  return {
    async probe(deployment, directory) {
      const context = enclosedContext(directory)
      const prepared = await prepareTarget(deployment, context)
      const { requirement = [] } = deployment
      const requirements = selectRequirements(prepared.services.map(catalogueOf), requirement)
      const { report, defects, outOfMemory } = await probeTarget(prepared, {
        ...{ requirements, directory, suites, progress: untold },
        interruption: context.interruption(),
        tell: () => {},
      })
      reportJson(report)
      const found = outOfMemory ? ['the run broke off because it ran out of memory'] : defects
      if (found.length > 0) await suites.close()
      return { report, status: summarize(report).exitStatus, defects: found }
    },
    close: () => suites.close(),
  }
}

/** Runs the suites against faulty and conforming deployments, and tells whether they are right. */
export async function action(
  { alone, ...patterns }: SubjectPatterns & { alone?: boolean },
  context: CliContext,
): Promise<number> {
  const { output, errors } = context
  const needs = await needSubjects(catalogues, loadTarget)
  const all = [...subjects, ...needs, ...elsewhereSubjects(Object.values(services))]
  const chosen = selectSubjects(all, patterns)
  const problems = registryProblems(catalogues, { faults, variants })
  for (const problem of problems) complain(problem, context)
  const controller = new AbortController()
  const { signal } = controller
  const notice = 'Interrupted: ending with the deployments under way. Once more to stop at once.'
  void context.interruption(notice).then(() => controller.abort())
  errors.write(`${chosen.length} reference deployments, ${usualThreads()} at a time.\n`)
  const progress = new Progress(errors, { color: picocolors.isColorSupported })
  progress.start(chosen.length)
  const proofs = await proveSideBySide(chosen, {
    openLane,
    signal,
    judgedAlone: alone ? 'all' : 'sample',
    onProof({ subject: { name }, disagreements }) {
      progress.add({ requirement: name, verdict: disagreements.length === 0 ? 'pass' : 'fail' })
    },
  })
  progress.finish()
  if (signal.aborted) {
    const left = chosen.length - proofs.length
    errors.write(`plumbline: interrupted; ${left} of ${chosen.length} were not tried.\n`)
  }
  output.write(`${matrixText(proofs, terminalStyle(terminalOptions(context)))}\n`)
  const isRight = proofs.every(({ disagreements }) => disagreements.length === 0)
  if (!isRight || problems.length > 0) return 1
  return signal.aborted ? 3 : 0
}

export const define = (command: Command) =>
  command
    .option('--fault <name...>', 'only these faults: names or globs')
    .option('--variant <name...>', 'only these variants: names or globs')
    .option('--alone', 'judge every failed requirement again alone, and not one in ten of them')
    .option(
      '--need <name...>',
      "only without these needs, as 'without other account', or 'elsewhere*': names or globs",
    )
