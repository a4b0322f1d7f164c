import type { Refusal } from '../../http/refusal.ts'
import type { RequestContext } from '../request-context.ts'
import type { Account } from '../store.ts'

/** Document: Authentication, the sudo row. */
export interface SudoRules {
  /** The login that the request is to be performed as, from the header or else from the query. */
  sudoLogin(context: RequestContext): string | undefined
  sudoAllowed(actor: Account, context: RequestContext): boolean
  /** The account as which the request is performed in the end. */
  performedAs(actor: Account, named: Account, context: RequestContext): Account
  sudoRefused(context: RequestContext): Refusal
  sudoAccountMissing(login: string, context: RequestContext): Refusal
}

export const sudoRules: SudoRules = {
  sudoLogin: (context) =>
    context.headers.get('Sudo') ?? context.url.searchParams.get('sudo') ?? undefined,
  sudoAllowed: (actor) => actor.siteAdmin,
  performedAs: (_actor, named) => named,
  sudoRefused: () => ({ status: 403, message: 'only site admins may use sudo' }),
  sudoAccountMissing: (login) => ({ status: 404, message: `user ${login} does not exist` }),
}
