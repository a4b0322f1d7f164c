import type { Target } from '../environment/probe-variables.ts'
import { type VariableTable, variablesOf } from '../environment/variable.ts'
import type { UnmetNeed } from '../results/reason.ts'
import type { Observable, Requirement } from '../results/requirement.ts'
import { joinNames } from '../text/names.ts'
import { Skip } from './check-errors.ts'

export const needsOf = ({ needs = [], controlNeeds = [] }: Requirement) =>
  needs.concat(controlNeeds)

export interface Catalogue {
  /** In kebab case, as in requirement ids. */
  service: string
  document: string
  requirements: readonly Requirement[]
  needs: Needs
  observations?: Readonly<Record<string, Observable>>
  /** True if the document states the statuses of rejections; a gateway status is inconclusive then. */
  documentsStatuses?: true
}

export const wordsOf = (ids: readonly string[]) => new Set(ids.flatMap((id) => id.split('/')))

/** Variable, setting of the server, or data that a check needs. */
export interface Need<Facts extends object = object> extends Omit<UnmetNeed, 'name'> {
  /** @param facts observed by the doctor; undefined during a run */
  isMet(target: Target, facts?: Facts): boolean
}

export type Needs = Readonly<Record<string, Need>>

/** Returns the need of variables that must be set, with their meanings as advice. @param cases as in `Need` */
export function needOf(
  row: VariableTable[string],
  cases: string,
  isMet: (target: Target) => boolean,
) {
  const variables = variablesOf({ row })
  const meanings = variables.map(({ meaning }) =>
    // Not of an abbreviation.
    meaning
      .replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
      .replace(/(?:[.;]|, wh).*$/, ''),
  )
  const advice = `Set the ${joinNames(meanings)}.`
  return { variables: variables.map(({ name }) => name), advice, cases, isMet }
}

export function unmetNeeds(needs: Needs, names: readonly string[], target: Target, facts?: object) {
  return names.flatMap((name) => {
    const need = needs[name]
    if (need === undefined) throw new Error(`there is no need named ${name}`)
    return need.isMet(target, facts) ? [] : [{ name, ...need }]
  })
}

function skipWith(unmet: readonly UnmetNeed[]): never {
  const needs = unmet.map(({ name, variables, advice, reason, cases }) => {
    return { name, variables, advice, reason, cases }
  })
  throw new Skip({ kind: 'needs', needs })
}

export function requireNeeds(needs: Needs, names: readonly string[], target: Target): void {
  const unmet = unmetNeeds(needs, names, target)
  if (unmet.length > 0) skipWith(unmet)
}

/** Skips the check because a fixture lacks this need. */
export function skipFor(needs: Needs, name: string): never {
  return skipWith([{ name, variables: [], ...needs[name] }])
}

/** Need of all requests other than GET, so that reports group what waits for it. */
export const writing: Need = {
  variables: ['PROBE_READ_ONLY'],
  advice: 'Unset PROBE_READ_ONLY to allow requests other than GET.',
  reason: 'needs a request other than GET, but PROBE_READ_ONLY is true',
  isMet: ({ probe }) => !probe.readOnly,
}
