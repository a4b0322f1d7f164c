/** Judges recorded exchanges by the rules that need no request of Plumbline. */
import type { Target } from '../../environment/target.ts'
import { isTestable } from '../../results/requirement.ts'
import type { CheckResult } from '../../results/run-evidence.ts'
import { counted } from '../../text/quantities.ts'
import { type Catalogue, needsOf, requireNeeds } from '../catalogue.ts'
import { Skip, skipUnrecorded } from '../check-errors.ts'
import { currentScope, note } from '../check-scope.ts'
import { type Invariant, judgeExchanges } from '../define-checks.ts'
import { runCheck } from '../run-check.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

/** Maximum number of exchanges of a result: a report keeps and shows each. Those that deviate come first. */
const MAX_EXCHANGES = 100

interface PartialRule {
  /** True if it judges only a part of the requirement, so that it can fail and not pass. */
  isPart?: boolean
}

/** A rule about each recorded exchange. */
export interface ExchangeRule
  extends PartialRule,
    Pick<Invariant<void>, 'includes' | 'appliesTo' | 'assert'> {}

/** A rule, or a check of a run whose requests the recording answers. */
export type RecordedRule = ExchangeRule | (PartialRule & { check: () => Promise<void> })

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

/** Skips what was not observed as what is not recorded, and throws other errors again. */
function toUnrecorded(error: unknown): never {
  if (error instanceof Skip && error.reason.kind === 'not observed') skipUnrecorded()
  throw error
}

/** Returns the results of each selected requirement. Requirements that the recording does not show are skipped. */
export async function judgeRecording(recording: Recording): Promise<CheckResult[]> {
  const { catalogue, rules, exchanges, target, selected, normalize } = recording
  const cases = namedCases(exchanges)
  const judge = async (needs: readonly string[], rule: RecordedRule) => {
    requireNeeds(catalogue.needs, needs, target)
    const scope = currentScope()
    if (scope) scope.hasTable = true
    if ('check' in rule) {
      await rule.check()
      const results = [...(scope?.cases.values() ?? [])]
      // Nothing tells whether what was not recorded would conform.
      const isMissing = results.some((one) => Object(one).kind === 'not recorded')
      if (isMissing || !results.includes('conforms')) skipUnrecorded()
    } else {
      const judged = { exchanges, normalize, isInOrder: true }
      const count = await judgeExchanges({ ...rule, absenceReason: '' }, judged, undefined, cases)
      if (!rule.isPart) note(`${counted(count, 'recorded response')}.`)
    }
    if (rule.isPart) skipUnrecorded()
  }
  const requirements = catalogue.requirements.filter(
    (one) => isTestable(one) && selected.includes(one.id),
  )
  const judgments = requirements.flatMap((one) => {
    // A recording needs no variables, only the properties of the server.
    const needs = needsOf(one).filter((need) => catalogue.needs[need]?.advice === undefined)
    const { [one.id]: some = [] } = rules
    return (some.length === 0 ? [undefined] : some).map((rule) => ({
      isCheck: rule !== undefined && 'check' in rule,
      async judge() {
        // A result by probe counts before others.
        const result = await runCheck(one.id, rule?.isPart ? 'invariant' : 'probe', async () =>
          rule ? judge(needs, rule).catch(toUnrecorded) : skipUnrecorded(),
        )
        return { ...result, exchanges: result.exchanges.slice(0, MAX_EXCHANGES) }
      },
    }))
  })
  const results: CheckResult[] = []
  // One after the other, because each keeps what it compared until its end.
  for (const one of judgments.filter(({ isCheck }) => isCheck)) results.push(await one.judge())
  const others = judgments.filter(({ isCheck }) => !isCheck).map((one) => one.judge())
  return [...results, ...(await Promise.all(others))]
}
