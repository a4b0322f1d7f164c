import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

function keyRefusedWith(status: number): RuleChange {
  return (rules) => ({
    ...rules,
    missingKey: (context) => ({ ...rules.missingKey(context), status }),
    wrongKey: (context) => ({ ...rules.wrongKey(context), status }),
  })
}

/** Other statuses and bodies of refusals. */
export const refusalVariants: readonly Variant[] = [
  ...[400, 403, 404].map((status) => ({
    name: `event-key-refused-with-${status}`,
    change: keyRefusedWith(status),
  })),
  {
    name: 'event-missing-key-answered-with-500',
    change: replaceRule('missingKey', (documented) => (context) => ({
      ...documented(context),
      status: 500,
    })),
  },
  {
    name: 'event-errors-in-plain-text',
    change: replaceRule('errorParts', () => ({ status, message }) => ({
      status,
      headers: new Headers({ 'Content-Type': 'text/plain' }),
      body: message,
    })),
  },
  {
    name: 'event-errors-without-body',
    change: replaceRule('errorParts', () => ({ status }) => ({ status, headers: new Headers() })),
  },
]
