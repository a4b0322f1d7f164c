import type { Refusal } from '../http/refusal.ts'
import type { Endpoint, RequestContext } from './request-context.ts'
import type { RuleChange, Rules } from './rules.ts'

/** The rules that say how a request is refused. The context is their last parameter. */
type RefusalRule = {
  [Name in keyof Rules]: Rules[Name] extends (...parameters: never[]) => Refusal ? Name : never
}[keyof Rules]

/** Requests to these endpoints. */
export function on(...endpoints: readonly Endpoint[]): (context: RequestContext) => boolean {
  return ({ endpoint }) => endpoints.includes(endpoint)
}

/** Refuses with another status or message what the rule refuses, everywhere or where it says. */
export function refusedWith(
  rule: RefusalRule,
  change: Partial<Refusal> | ((refusal: Refusal) => Partial<Refusal>),
  where: (context: RequestContext) => boolean = () => true,
): RuleChange {
  return (rules) => {
    const documented = rules[rule] as (...parameters: unknown[]) => Refusal
    return {
      ...rules,
      [rule]: (...parameters: unknown[]): Refusal => {
        const refusal = documented(...parameters)
        if (!where(parameters.at(-1) as RequestContext)) return refusal
        return { ...refusal, ...(typeof change === 'function' ? change(refusal) : change) }
      },
    }
  }
}
