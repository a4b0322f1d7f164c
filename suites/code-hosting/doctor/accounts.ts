import { displayValue } from '../../../lib/conformance/exchange-words.ts'
import type { Notes } from '../../../lib/doctor/notes.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingContext } from '../support/context.ts'
import { currentCode } from '../support/one-time-code.ts'

const OTHER = 'CODE_HOSTING_OTHER_USERNAME'
const ADMIN = 'CODE_HOSTING_ADMIN_USERNAME'
const OTP = 'CODE_HOSTING_OTP_USERNAME'

/** Of a user record, which may have any fields beside the login name. */
function userIn({ json }: Exchange): { login?: string; isAdmin?: boolean } {
  const { login, is_admin: isAdmin } = Object(json) as Record<string, unknown>
  return {
    ...(typeof login === 'string' ? { login } : {}),
    ...(typeof isAdmin === 'boolean' ? { isAdmin } : {}),
  }
}

function shows(user: Exchange, login: string): boolean {
  return user.status === 200 && userIn(user).login?.toLowerCase() === login.toLowerCase()
}

/** Whether the main account is an ordinary one; only a site admin may act as somebody else. */
async function examineKind(
  { codeHosting, target }: CodeHostingContext,
  user: Exchange,
  notes: Notes,
): Promise<void> {
  const { isAdmin } = userIn(user)
  if (isAdmin) {
    notes.add(
      'configuration',
      'The main account is a site admin, who may do what a run expects to be refused: name an ' +
        'ordinary account in CODE_HOSTING_USERNAME.',
    )
    return
  }
  const as = target.other?.username ?? target.admin?.username
  const mayAct =
    as !== undefined &&
    !shows(user, as) &&
    shows(await codeHosting.user({ sudo: { as, in: 'header' } }), as)
  if (!mayAct) {
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
  const { login } = userIn(user)
  if (user.status !== 200 || login === undefined) {
    notes.add(
      'warning',
      `The main account reads its own user with status ${user.status} and no login.`,
    )
    return false
  }
  if (target.username !== undefined && !shows(user, target.username)) {
    notes.add(
      'configuration',
      `The main account is ${displayValue(user, login)} by its login name, and ` +
        'CODE_HOSTING_USERNAME names another: set it to the login name.',
    )
  }
  await notes.attempt(() => examineKind(context, user, notes))
  return true
}

/** Whether the other account sees what it should, and does not see what it should not. */
async function examineOther(context: CodeHostingContext, notes: Notes): Promise<void> {
  const { accounts, codeHosting, target } = context
  const { credentials, username } = await accounts.other()
  const seen = async (name: string | undefined) =>
    name === undefined ? undefined : (await codeHosting.repository(name, { credentials })).status
  const shared = await seen(target.publicRepository)
  const hidden = await seen(target.privateRepository)
  if (hidden === 200) {
    notes.add(
      'configuration',
      `${username} (${OTHER}) sees the private repository ${target.privateRepository}: name an ` +
        'account that has no access to it and is no site admin. If it is one, the server is wrong, ' +
        'and a run judges that.',
    )
  } else {
    const what = hidden === undefined ? '' : ' and does not see the private repository'
    notes.add('good', `The other account is accepted${what}.`)
  }
  if (shared !== undefined && shared !== 200) {
    notes.add(
      'warning',
      `${username} (${OTHER}) gets ${shared} for the public repository ${target.publicRepository}, ` +
        'without which it is no control.',
    )
  }
}

/** Whether the site admin is one: it may act as somebody else. */
async function examineAdmin(context: CodeHostingContext, notes: Notes): Promise<void> {
  const { accounts, codeHosting, target } = context
  const { credentials, username } = await accounts.admin()
  const as = target.username ?? target.other?.username
  if (as === undefined) {
    notes.add('untold', 'The site admin is accepted; there is nobody as whom it could act.')
    return
  }
  const user = await codeHosting.user({ credentials, sudo: { as, in: 'header' } })
  if (shows(user, as)) {
    notes.add('good', 'The site admin is accepted and may act as the main account.')
    return
  }
  notes.add(
    user.status === 403 ? 'configuration' : 'warning',
    `${username} (${ADMIN}) asked to act as ${as} and got status ${user.status}: name a site ` +
      'admin. If it is one, the server is wrong, and a run judges that.',
  )
}

/**
 * The password is tried once, with a code: without one a right password may be refused as well. The
 * document asks for codes where tokens are made, and no GET makes one.
 */
async function examineTwoFactor(context: CodeHostingContext, notes: Notes): Promise<void> {
  const { accounts, codeHosting, run } = context
  const { credentials, secret, username } = accounts.twoFactor()
  const request = { method: 'GET', path: '/api/v1/user', body: null }
  const oneTimeCode = currentCode(run, secret)
  const withCode = await codeHosting.undocumented(request, { credentials, oneTimeCode })
  if (withCode.status !== 200) {
    notes.add(
      'target',
      `${username} (${OTP}) with its one-time code was answered with ${withCode.status}: check ` +
        'CODE_HOSTING_OTP_PASSWORD, CODE_HOSTING_OTP_SECRET, the clocks, and whether the server takes ' +
        'codes in X-Service-OTP.',
    )
    return
  }
  const { status } = await codeHosting.user({ credentials })
  if (status !== 200) {
    notes.add(
      'good',
      'The account with two-factor authentication needs its code, which is accepted: without it a ' +
        `GET was answered with ${status}.`,
    )
    return
  }
  notes.add('good', 'The password of the account with two-factor authentication is accepted.')
  notes.add(
    'untold',
    `Whether ${username} (${OTP}) has two-factor authentication, and whether ` +
      'CODE_HOSTING_OTP_SECRET is its secret: codes are asked for where tokens are made.',
  )
}

/** Tries every account but the main one once, and looks whether it is the kind it should be. */
export async function examineAccounts(context: CodeHostingContext, notes: Notes): Promise<void> {
  for (const look of [examineOther, examineAdmin, examineTwoFactor]) {
    await notes.attempt(() => look(context, notes))
  }
}
