import type { ResponseParts } from '../http/response-parts.ts'
import type { KeyRules, RefusalRules } from './call.ts'

type Change<Rules> = (rules: Rules) => Rules

type ChangeableRules<Context> = Readonly<Pick<KeyRules<Context>, 'missingKey' | 'wrongKey'>> &
  Readonly<Pick<RefusalRules<Context>, 'errorParts'>>

/** Answers to a redirect in place of a 401: its status, and where it leads. */
export interface SignInPage {
  status: number
  location: string
  text: string
}

/** What a service that is reached with a key may do differently when it refuses. */
export function refusalChanges<Context, Rules extends ChangeableRules<Context>>() {
  const keyRefusedWith =
    (status: number): Change<Rules> =>
    (rules) => ({
      ...rules,
      missingKey: (context: Context) => ({ ...rules.missingKey(context), status }),
      wrongKey: (context: Context) => ({ ...rules.wrongKey(context), status }),
    })

  /** Whoever has no key is sent to a page where people sign in. */
  const sentToSignIn =
    ({ status, location, text }: SignInPage): Change<Rules> =>
    (rules) => ({
      ...keyRefusedWith(401)(rules),
      errorParts: (...[refusal, context]: Parameters<Rules['errorParts']>): ResponseParts => {
        if (refusal.status !== 401) return rules.errorParts(refusal, context)
        const headers = new Headers({ Location: location, 'Content-Type': 'text/html' })
        return { status, headers, body: `<a href="${location}">${text}</a>` }
      },
    })

  const errorsAs =
    (contentType: string, body: (message: string) => string): Change<Rules> =>
    (rules) => ({
      ...rules,
      errorParts: ({ status, message }: Parameters<Rules['errorParts']>[0]): ResponseParts => ({
        status,
        headers: new Headers({ 'Content-Type': contentType }),
        body: body(message),
      }),
    })

  const errorsWithoutBody: Change<Rules> = (rules) => ({
    ...rules,
    errorParts: ({ status }: Parameters<Rules['errorParts']>[0]): ResponseParts => ({
      status,
      headers: new Headers(),
    }),
  })

  return { keyRefusedWith, sentToSignIn, errorsAs, errorsWithoutBody }
}
