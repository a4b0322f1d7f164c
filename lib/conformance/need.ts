import { joinNames } from '../environment/problems.ts'
import type { Target } from '../environment/target.ts'
import { Skip, type UnmetNeed } from './outcome.ts'

/** Something that a requirement needs to be judged: a variable, a setting of the server, or data. */
export interface Need<Facts extends object = object> {
  /** Those that meet it, or that say that it is not met; none for data. */
  variables: readonly string[]
  /** What to do about it, a sentence. Absent for what a server is or is not. */
  advice?: string
  /** Why nothing is judged without it. Where it is absent, the variables are not set. */
  reason?: string
  /** @param facts what is seen of the deployment before a run; absent in a run, which sees for itself */
  isMet(target: Target, facts?: Facts): boolean
}

/** The needs of one service by name, as its catalogue names them. */
export type Needs = Readonly<Record<string, Need>>

/** Those of the named needs that a target does not meet. */
export function unmetNeeds(
  needs: Needs,
  names: readonly string[],
  target: Target,
  facts?: object,
): (UnmetNeed & Need)[] {
  return names.flatMap((name) => {
    const need = needs[name]
    if (need === undefined) throw new Error(`there is no need named ${name}`)
    return need.isMet(target, facts) ? [] : [{ name, ...need }]
  })
}

/** Why nothing is judged without these. */
export function needsReason(unmet: readonly Pick<Need, 'variables' | 'reason'>[]): string {
  const unset = new Set(
    unmet.flatMap(({ reason, variables }) => (reason === undefined ? variables : [])),
  )
  const reasons = unmet.flatMap(({ reason }) => reason ?? [])
  if (unset.size > 0)
    reasons.push(`${joinNames([...unset])} ${unset.size === 1 ? 'is' : 'are'} not set`)
  return [...new Set(reasons)].join('; ')
}

/** @throws Skip when one of the needs is not met */
export function requireNeeds(needs: Needs, names: readonly string[], target: Target): void {
  const unmet = unmetNeeds(needs, names, target)
  if (unmet.length === 0) return
  throw new Skip(needsReason(unmet), unmet.map(dataOf))
}

function dataOf({ name, variables, advice }: UnmetNeed): UnmetNeed {
  return { name, variables, ...(advice === undefined ? {} : { advice }) }
}

/**
 * For what is shared by checks and is asked for something that is not there: an observation is then
 * not made, and a part of a check is left out.
 *
 * @throws Skip
 */
export function skipFor(needs: Needs, name: string): never {
  const need = needs[name] ?? { variables: [] }
  throw new Skip(needsReason([need]), [dataOf({ name, ...need })])
}

/** The need of whatever sends more than GET requests. */
export function writing(what: string): Need {
  return {
    variables: ['PROBE_READ_ONLY'],
    advice: 'Unset PROBE_READ_ONLY: then a run sends more than GET requests.',
    reason: `needs ${what}, and PROBE_READ_ONLY is true`,
    isMet: ({ probe }) => !probe.readOnly,
  }
}
