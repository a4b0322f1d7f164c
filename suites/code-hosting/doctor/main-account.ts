import { displayValue } from '../../../lib/conformance/exchange-words.ts'
import type { Notes } from '../../../lib/doctor/notes.ts'
import { authorization } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingContext } from '../support/context.ts'

/** The login name in a user record. */
export function loginOf({ json }: Exchange): string | undefined {
  const login = (json as { login?: unknown } | null | undefined)?.login
  return typeof login === 'string' ? login : undefined
}

export function isSameLogin(one: string | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}

/**
 * Whether a user record says that it is of a site admin. The document shows no such field; where a
 * server has it, it is worth a look.
 */
function saysAdmin({ json }: Exchange): boolean | undefined {
  const told = (json as { is_admin?: unknown } | null | undefined)?.is_admin
  return typeof told === 'boolean' ? told : undefined
}

/** Whether the main account may act as somebody else, which is for site admins. */
async function mayActAsOthers(
  { codeHosting, target }: CodeHostingContext,
  login: string | undefined,
): Promise<boolean> {
  const as = target.other?.username ?? target.admin?.username
  if (as === undefined || isSameLogin(login, as)) return false
  const user = await codeHosting.user({ sudo: { as, in: 'header' } })
  return user.status === 200 && isSameLogin(loginOf(user), as)
}

async function examineKind(
  context: CodeHostingContext,
  user: Exchange,
  notes: Notes,
): Promise<void> {
  const isAdmin = saysAdmin(user)
  if (isAdmin) {
    notes.add(
      'configuration',
      'The main account is a site admin, who may do what a run expects to be refused: name an ' +
        'ordinary account in CODE_HOSTING_USERNAME.',
    )
  } else if (!(await mayActAsOthers(context, loginOf(user)))) {
    notes.add('good', 'The main account is accepted, and nothing shows that it is a site admin.')
  } else if (isAdmin === undefined) {
    notes.add(
      'configuration',
      'The main account may act as somebody else (sudo), as site admins may: name an ordinary ' +
        'account in CODE_HOSTING_USERNAME. If it is one, the server is wrong, and a run judges that.',
    )
  } else {
    notes.add(
      'warning',
      'The main account may act as somebody else (sudo), although the server says that it is no ' +
        'site admin: a run judges that.',
    )
  }
}

/** What a token alone can show: whether the server takes the old prefix as it is said to. */
async function examineLegacyPrefix(
  { codeHosting, settings, target }: CodeHostingContext,
  notes: Notes,
): Promise<void> {
  if (target.token === undefined) return
  const { status } = await codeHosting.user({ credentials: authorization('token', target.token) })
  if ((status === 200) === settings.allowLegacyTokenScheme) return
  notes.add(
    'warning',
    `With the old prefix the token was answered with ${status}, and ` +
      `CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME is ${settings.allowLegacyTokenScheme}: a run judges ` +
      'that, unless the variable is to be changed.',
  )
}

/**
 * Tries the main account once, and looks whether it is the kind of account that it should be.
 *
 * @returns whether it can be used
 */
export async function examineMainAccount(
  context: CodeHostingContext,
  notes: Notes,
): Promise<boolean> {
  const { codeHosting, target, tokens } = context
  const user = await notes.attempt(async () => {
    await tokens.mainCredentials()
    return codeHosting.user()
  })
  if (user === undefined) return false
  const login = loginOf(user)
  if (user.status !== 200 || login === undefined) {
    notes.add(
      'warning',
      `The main account reads its own user with status ${user.status} and no login.`,
    )
    return false
  }
  if (target.username !== undefined && !isSameLogin(login, target.username)) {
    notes.add(
      'configuration',
      `The main account is ${displayValue(user, login)} by its login name, and ` +
        'CODE_HOSTING_USERNAME names another: set it to the login name.',
    )
  }
  await notes.attempt(() => examineKind(context, user, notes))
  await notes.attempt(() => examineLegacyPrefix(context, notes))
  return true
}
