import type { Command } from 'commander'
import { createProgress } from '../reports/progress.ts'
import { styleOf } from '../reports/terminal-document.ts'
import { matrixText } from '../test-bed/prove/prove-text.ts'
import { registryProblems } from '../test-bed/prove/registry.ts'
import { defaultWorkerCount, runScenarios } from '../test-bed/prove/run-scenarios.ts'
import {
  elsewhereScenarios,
  needScenarios,
  type Scenario,
  scenarios,
} from '../test-bed/prove/scenario.ts'
import { faults, variants } from '../test-bed/reference/index.ts'
import { joinNames } from '../text/names.ts'
import { counted } from '../text/quantities.ts'
import { type CliContext, logError } from './context.ts'
import { openWorker } from './scenario-worker.ts'
import { describeUnknown, selectItems } from './select.ts'
import { catalogues, loadTarget, services } from './services.ts'

/** Names or globs of scenarios by kind; without any, all are selected. */
export type ScenarioPatterns = Partial<Record<Scenario['kind'], readonly string[]>>

/** @throws UsageError for a pattern without a match */
export function selectScenarios(
  all: readonly Scenario[],
  patterns: ScenarioPatterns,
  program?: string,
): readonly Scenario[] {
  const chosen = (['fault', 'variant', 'need'] as const).flatMap((kind) => {
    const { [kind]: requested } = patterns
    if (requested === undefined) return []
    const candidates = all.filter((scenario) => scenario.kind === kind)
    const names = candidates.map(({ name }) => name)
    const describeMismatch = (pattern: string) => describeUnknown(kind, pattern, names, program)
    return selectItems(candidates, ({ name }) => name, requested, describeMismatch)
  })
  return chosen.length === 0 ? all : chosen
}

interface ProveOptions extends ScenarioPatterns {
  alone?: boolean
  service?: readonly string[]
}

/** Returns the scenarios that change one of these services, or all, and the needs of each. @throws UsageError for a pattern without a match */
export async function scenariosOf(patterns: readonly string[]): Promise<readonly Scenario[]> {
  const all = Object.values(services)
  const nameOf = ({ catalogue: { service } }: (typeof all)[number]) => service
  const known = joinNames(all.map(nameOf))
  const chosen = selectItems(all, nameOf, patterns, (pattern) => {
    return `--service ${pattern} matches no service; there is ${known}.`
  })
  const changed = ({ services: probed, variant }: Scenario): readonly string[] => {
    const keys = all.filter(({ variables: { key } }) => key in (variant ?? {}))
    return keys.length > 0 ? keys.map(nameOf) : probed
  }
  const documents = chosen.map(({ catalogue }) => catalogue)
  const needs = await needScenarios(documents, loadTarget)
  return [
    ...scenarios.filter((one) => chosen.some((service) => changed(one).includes(nameOf(service)))),
    ...needs,
    ...elsewhereScenarios(chosen),
  ]
}

export async function action(
  { alone, service = [], ...patterns }: ProveOptions,
  context: CliContext,
): Promise<number> {
  const { output, errors } = context
  const all = await scenariosOf(service)
  const chosen = selectScenarios(all, patterns, context.program)
  const problems = registryProblems(catalogues, { faults, variants })
  for (const problem of problems) logError(problem, context)
  const controller = new AbortController()
  const { signal } = controller
  const notice = 'Interrupted: finishing running scenarios. Press Ctrl-C again to stop immediately.'
  void context.interruption(notice).then(() => controller.abort())
  errors.write(`${counted(chosen.length, 'scenario')}, ${defaultWorkerCount()} at a time.\n`)
  const progress = createProgress(errors)
  progress.start(chosen.length)
  const results = await runScenarios(chosen, {
    openWorker,
    signal,
    extent: alone ? 'again' : 'all',
    onResult: ({ mismatches }) => progress.advance(mismatches.length > 0),
  })
  progress.finish()
  if (signal.aborted) {
    const remaining = chosen.length - results.length
    errors.write(`plumbline: interrupted; ${remaining} of ${chosen.length} were not tried.\n`)
  }
  output.write(`${matrixText(results, styleOf(context), context.program)}\n`)
  const isExpected = results.every(({ mismatches }) => mismatches.length === 0)
  if (!isExpected || problems.length > 0) return 1
  return signal.aborted ? 3 : 0
}

export const define = (command: Command) =>
  command
    .option('--service <name...>', 'run only scenarios of these services: names or globs')
    .option('--fault <name...>', 'run only these faults: names or globs')
    .option('--variant <name...>', 'run only these variants: names or globs')
    .option(
      '--alone',
      'let no scenarios share a server, and run every failed requirement again by itself',
    )
    .option(
      '--need <name...>',
      "run only these needs, such as 'without other account' or 'elsewhere*': names or globs",
    )
