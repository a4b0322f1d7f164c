import { assembleTarget } from './assemble-target.ts'
import { problemsOfRelations, problemsOfValues } from './environment-problems.ts'
import { validateRelations, validateValues } from './environment-schema.ts'
import type { Problem } from './problems.ts'
import { type EnvironmentOptions, readEnvironment, type Setting } from './read-environment.ts'
import { settingsOf, type Settings as TargetSettings } from './settings.ts'
import type { Target } from './target.ts'
import { isVariableName, proxyVariables, variablePrefixes, variables } from './variables.ts'

export type { Problem } from './problems.ts'

/** A target, and the settings that a report of a run tells. */
export interface ConfiguredTarget {
  target: Target
  settings: TargetSettings
}

export type LoadedTarget = ConfiguredTarget | { problems: Problem[] }

type Settings = ReadonlyMap<string, Setting>
type Texts = Record<string, string>

/**
 * Reads the target from the environment and an environment file, or tells everything that is wrong
 * with them: first the file, then the variables in the order of the table. Throws nothing, sends
 * nothing and leaves the environment as it is.
 */
export function loadTarget(options: EnvironmentOptions): LoadedTarget {
  const { settings, problem: fileProblem } = readEnvironment(options)
  const texts = ownTexts(settings)
  const proxy = proxyTexts(settings)

  // What seems to be missing may well be in the file that could not be read.
  validateRelations(fileProblem === undefined ? texts : {})
  const values: unknown = { ...texts, ...proxy.byName }
  const valid = validateValues(values)

  const problems = [
    ...problemsOfRelations(validateRelations.errors ?? []),
    ...problemsOfValues(validateValues.errors ?? []),
  ].sort((one, other) => rank(one) - rank(other))
  if (fileProblem === undefined && problems.length === 0 && valid) {
    const target = assembleTarget(values, proxy.byScheme, (name) => name in texts)
    return { target, settings: settingsOf(values) }
  }
  const located = problems.map((problem) => withSource(problem, settings))
  return { problems: fileProblem === undefined ? located : [fileProblem, ...located] }
}

function ownTexts(settings: Settings): Texts {
  return Object.fromEntries(
    [...settings]
      .filter(([name]) => variablePrefixes.some((prefix) => name.startsWith(prefix)))
      .map(([name, { text }]) => [name, isSecret(name) ? text : text.trim()]),
  )
}

// Whitespace around a value is an accident of pasting, but it may belong to a password.
function isSecret(name: string): boolean {
  return isVariableName(name) && variables[name].secret
}

function proxyTexts(settings: Settings): { byName: Texts; byScheme: Texts } {
  const found = Object.entries(proxyVariables).flatMap(([scheme, names]) => {
    const name = names.find((candidate) => settings.has(candidate))
    const text = name === undefined ? undefined : settings.get(name)?.text.trim()
    return name === undefined || text === undefined ? [] : [{ scheme, name, text }]
  })
  return {
    byName: Object.fromEntries(found.map(({ name, text }) => [name, text])),
    byScheme: Object.fromEntries(found.map(({ scheme, text }) => [scheme, text])),
  }
}

const order = Object.keys(variables)

function rank({ variable }: Problem): number {
  const index = order.indexOf(variable)
  return index < 0 ? order.length : index
}

function withSource(problem: Problem, settings: Settings): Problem {
  const source = settings.get(problem.variable)?.source
  return source === undefined ? problem : { ...problem, source }
}
