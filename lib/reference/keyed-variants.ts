import type { Refusal } from './http.ts'
import type { KeyedRules } from './keyed-service.ts'
import { type Change, tolerance, type VariantTable } from './service.ts'

type RefusingRules = Pick<KeyedRules<never>, 'missingKey' | 'wrongKey' | 'errorParts'>

/**
 * What a service that is reached with a key may do differently when it refuses.
 *
 * @param prefix of their names
 * @param rows ids of the requirements about keys
 * @param signIn the redirect that one of them answers with
 */
export function keyedRefusalVariants<Rules extends RefusingRules, Deployment>(
  prefix: string,
  rows: readonly string[],
  signIn: { readonly status: number; readonly location: string; readonly text: string },
): VariantTable<Rules, Deployment> {
  const anyStatus = tolerance('any-refusal-status', rows)
  const anyBody = tolerance('any-refusal-body', rows)
  const refusedWith =
    (status: number): Change<RefusingRules> =>
    (rules) => ({
      missingKey: (context) => ({ ...rules.missingKey(context), status }),
      wrongKey: (context) => ({ ...rules.wrongKey(context), status }),
    })
  const errorsAs = (type: string, body: (message: string) => string) => ({
    errorParts: ({ status, message }: Refusal) => {
      const headers = new Headers({ 'Content-Type': type })
      return { status, headers, body: body(message) }
    },
  })
  /** Whoever has no key is sent to a page where people sign in. */
  const sentToSignIn: Change<RefusingRules> = (rules) => ({
    errorParts: (refusal, context) => {
      if (refusal.status !== 401) return rules.errorParts(refusal, context)
      const { status, location, text } = signIn
      const headers = new Headers({ Location: location, 'Content-Type': 'text/html' })
      return { status, headers, body: `<a href="${location}">${text}</a>` }
    },
  })
  const table: VariantTable<RefusingRules, Deployment> = {
    ...Object.fromEntries(
      [400, 403, 404, 500, 503].map((code) => [
        `${prefix}-key-refused-with-${code}`,
        { tolerances: anyStatus, change: refusedWith(code) },
      ]),
    ),
    [`${prefix}-key-refused-with-a-redirect`]: {
      tolerances: [...anyStatus, ...anyBody],
      change: sentToSignIn,
    },
    [`${prefix}-errors-in-plain-text`]: {
      tolerances: anyBody,
      change: errorsAs('text/plain', (message) => message),
    },
    [`${prefix}-errors-as-web-pages`]: {
      tolerances: anyBody,
      change: errorsAs('text/html', (message) => `<!doctype html><title>${message}</title>`),
    },
    [`${prefix}-errors-without-body`]: {
      tolerances: anyBody,
      change: { errorParts: ({ status }) => ({ status, headers: new Headers() }) },
    },
  }
  return table as unknown as VariantTable<Rules, Deployment>
}
