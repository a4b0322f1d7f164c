import { displayValue } from '../../../lib/conformance/exchange-words.ts'
import type { Notes } from '../../../lib/doctor/examine.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingContext } from '../support/context.ts'
import { currentCode } from '../support/one-time-code.ts'

/** Of a user record, which may have any fields beside the login name. */
function userIn({ json }: Exchange): { login?: unknown; is_admin?: unknown } {
  return Object(json)
}

function shows(user: Exchange, login: string): boolean {
  const { login: shown } = userIn(user)
  return (
    user.status === 200 && typeof shown === 'string' && shown.toLowerCase() === login.toLowerCase()
  )
}

/** The record may not say who is a site admin: it is one who may act as another user. */
async function mayActAsAnother(
  { codeHosting, target }: CodeHostingContext,
  user: Exchange,
): Promise<boolean> {
  const as = target.other?.username ?? target.admin?.username
  if (as === undefined || shows(user, as)) return false
  return shows(await codeHosting.user({ sudo: { as, in: 'header' } }), as)
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
  const { login, is_admin: isAdmin } = userIn(user)
  if (user.status !== 200 || typeof login !== 'string') {
    const reported = `status ${user.status} and no login`
    notes.add('warning', `The main account reads its own user with ${reported}: a run judges that.`)
    return false
  }
  if (isAdmin === true) {
    notes.add(
      'configuration',
      'The main account is a site admin, who may do what a run expects to be refused: name an ' +
        'ordinary account in CODE_HOSTING_USERNAME.',
    )
  } else if (target.username !== undefined && !shows(user, target.username)) {
    notes.add(
      'configuration',
      `The main account is ${displayValue(user, login)} by its login name, and ` +
        'CODE_HOSTING_USERNAME names another: set it to the login name.',
    )
  } else if (await notes.attempt(() => mayActAsAnother(context, user))) {
    notes.add(
      isAdmin === false ? 'warning' : 'configuration',
      'The main account may act as somebody else (sudo), as site admins may: name an ordinary account ' +
        'in CODE_HOSTING_USERNAME. If it is one, the server is wrong, and a run judges that.',
    )
  } else notes.add('good', 'The main account is accepted.')
  return true
}

/** Whether the other account is one that does not see what it should not. */
async function examineOther(context: CodeHostingContext, notes: Notes): Promise<void> {
  const { accounts, codeHosting, target } = context
  const { credentials, username } = await accounts.other()
  const hidden = target.privateRepository
  if (
    hidden !== undefined &&
    (await codeHosting.repository(hidden, { credentials })).status === 200
  ) {
    notes.add(
      'configuration',
      `${username} (CODE_HOSTING_OTHER_USERNAME) sees the private repository ${hidden}: name an ` +
        'account that has no access to it and is no site admin. If it is one, the server is wrong, ' +
        'and a run judges that.',
    )
  } else {
    const what = hidden === undefined ? '' : ' and does not see the private repository'
    notes.add('good', `The other account is accepted${what}.`)
  }
}

/** Whether the site admin is one: it may act as somebody else. */
async function examineAdmin(context: CodeHostingContext, notes: Notes): Promise<void> {
  const { credentials, as } = await context.sudo()
  const user = await context.codeHosting.user({ credentials, sudo: { as, in: 'header' } })
  if (shows(user, as)) {
    notes.add('good', `The site admin is accepted and may act as ${as}.`)
    return
  }
  notes.add(
    user.status === 403 ? 'configuration' : 'warning',
    `The account of CODE_HOSTING_ADMIN_USERNAME asked to act as ${as} and got status ` +
      `${user.status}: name a site admin. If it is one, the server is wrong, and a run judges that.`,
  )
}

/**
 * The password is tried once, with a code: without one a right password may be refused as well. The
 * document asks for codes where tokens are made, and no GET makes one.
 */
async function examineTwoFactor(context: CodeHostingContext, notes: Notes): Promise<void> {
  const { accounts, codeHosting, run } = context
  const { credentials, secret, username } = accounts.twoFactor()
  const account = `${username} (CODE_HOSTING_OTP_USERNAME)`
  const request = { method: 'GET', path: '/api/v1/user', body: null }
  const oneTimeCode = currentCode(run, secret)
  const withCode = await codeHosting.undocumented(request, { credentials, oneTimeCode })
  if (withCode.status !== 200) {
    notes.add(
      'target',
      `${account} with its one-time code was answered with ${withCode.status}: check ` +
        'CODE_HOSTING_OTP_PASSWORD, CODE_HOSTING_OTP_SECRET, the clocks, and whether the server takes ' +
        'codes in X-Service-OTP.',
    )
    return
  }
  const { status } = await codeHosting.user({ credentials })
  if (status !== 200) {
    notes.add('good', `${account} needs its one-time code, which is accepted.`)
    return
  }
  notes.add(
    'untold',
    `Whether ${account}, whose password is accepted, has two-factor authentication, and whether ` +
      'CODE_HOSTING_OTP_SECRET is its secret: codes are asked for where tokens are made.',
  )
}

/** Tries every account but the main one once, and looks whether it is the kind it should be. */
export async function examineAccounts(context: CodeHostingContext, notes: Notes): Promise<void> {
  for (const look of [examineOther, examineAdmin, examineTwoFactor]) {
    await notes.attempt(() => look(context, notes))
  }
}
