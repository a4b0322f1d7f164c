import type { Endpoint } from './request-context.ts'
import type { RuleChange } from './rules.ts'

/** The first request to the endpoint meets an error of the server; all others are served. */
export function failingOnce(endpoint: Endpoint, message: string): RuleChange {
  return (rules) => {
    let failed = false
    return {
      ...rules,
      begin: (context) => {
        if (failed || context.endpoint !== endpoint) return rules.begin(context)
        failed = true
        throw new Error(message)
      },
    }
  }
}
