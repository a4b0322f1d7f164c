/** Judges recorded exchanges by the rules that need no request of Plumbline. */
import type { Target } from '../../environment/target.ts'
import { isTestable } from '../../results/requirement.ts'
import type { CheckResult } from '../../results/run-evidence.ts'
import { counted } from '../../text/quantities.ts'
import { type Catalogue, needsOf, requireNeeds } from '../catalogue.ts'
import { currentScope, note } from '../check-scope.ts'
import { type Invariant, judgeExchanges } from '../define-checks.ts'
import { runCheck } from '../run-check.ts'
import { type RecordedExchange, skipUnrecorded } from './recorded-exchange.ts'

/** A rule about single recorded exchanges, or about one compared with others. */
export interface RecordedRule
  extends Pick<Invariant<void>, 'includes' | 'appliesTo' | 'absenceReason' | 'assert'> {
  /** True if the rule states only a part of the requirement, so that it can fail and not pass. */
  isPart?: boolean
}

/** Rules by requirement. */
export type RecordedRules = Readonly<Record<string, readonly RecordedRule[]>>

/** Rules for the recorded traffic of a service. */
export interface RecordedTraffic {
  /** Documented endpoints, such as `GET /v1/events/{eventId}`. */
  endpoints: readonly string[]
  /** Names the cases of exchanges, and returns the rules about them. */
  rules: (
    exchanges: readonly RecordedExchange[],
    target: Target,
  ) => RecordedRules | Promise<RecordedRules>
}

/** The recording of one service. */
interface Recording {
  catalogue: Catalogue
  rules: RecordedRules
  exchanges: readonly RecordedExchange[]
  target: Target
  /** Ids of the requirements to judge. */
  selected: readonly string[]
  normalize: (text: string) => string
}

/** Names the case of each exchange that no rule has named, and returns the cases by their order. */
function namedCases(exchanges: readonly RecordedExchange[]): ReadonlyMap<string, number> {
  const names = exchanges.map(({ request }) => {
    const { endpoint = `${request.method} at an undocumented path` } = request
    request.cases ??= new Set([endpoint])
    return [...request.cases]
  })
  return new Map([...new Set(names.flat())].sort().map((name, index) => [name, index]))
}

/** Returns the results of each selected requirement. Requirements that the recording does not show are skipped. */
export function judgeRecording(recording: Recording): Promise<CheckResult[]> {
  const { catalogue, rules, exchanges, target, selected, normalize } = recording
  const cases = namedCases(exchanges)
  const judge = async (needs: readonly string[], rule: RecordedRule | undefined) => {
    if (rule === undefined) skipUnrecorded()
    requireNeeds(catalogue.needs, needs, target)
    const scope = currentScope()
    if (scope) scope.hasTable = true
    const count = await judgeExchanges(rule, { exchanges, normalize }, undefined, cases)
    if (rule.isPart) skipUnrecorded()
    note(`${counted(count, 'recorded response')}.`)
  }
  const requirements = catalogue.requirements.filter(
    (one) => isTestable(one) && selected.includes(one.id),
  )
  return Promise.all(
    requirements.flatMap((one) => {
      // A recording needs no variables, only the properties of the server.
      const needs = needsOf(one).filter((need) => catalogue.needs[need]?.advice === undefined)
      const { [one.id]: some = [] } = rules
      // A result by probe counts before others.
      return (some.length === 0 ? [undefined] : some).map((rule) =>
        runCheck(one.id, rule?.isPart ? 'invariant' : 'probe', () => judge(needs, rule)),
      )
    }),
  )
}
