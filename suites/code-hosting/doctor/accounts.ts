import type { Notes } from '../../../lib/doctor/notes.ts'
import type { CodeHostingContext } from '../support/context.ts'
import { currentCode } from '../support/one-time-code.ts'
import { isSameLogin, loginOf } from './main-account.ts'

const OTHER = 'CODE_HOSTING_OTHER_USERNAME'
const ADMIN = 'CODE_HOSTING_ADMIN_USERNAME'
const OTP = 'CODE_HOSTING_OTP_USERNAME'

/** Whether the other account sees what it should, and does not see what it should not. */
async function examineOther(context: CodeHostingContext, notes: Notes): Promise<void> {
  const { accounts, codeHosting, target } = context
  const other = await notes.attempt(() => accounts.other())
  if (other === undefined) return
  const { credentials, username } = other
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
  const admin = await notes.attempt(() => accounts.admin())
  if (admin === undefined) return
  const { credentials, username } = admin
  const as = target.username ?? target.other?.username
  if (as === undefined) {
    notes.add('untold', 'The site admin is accepted; there is nobody as whom it could act.')
  } else {
    const user = await codeHosting.user({ credentials, sudo: { as, in: 'header' } })
    if (user.status === 200 && isSameLogin(loginOf(user), as)) {
      notes.add('good', 'The site admin is accepted and may act as the main account.')
    } else {
      notes.add(
        user.status === 403 ? 'configuration' : 'warning',
        `${username} (${ADMIN}) asked to act as ${as} and got status ${user.status}: name a site ` +
          'admin. If it is one, the server is wrong, and a run judges that.',
      )
    }
  }
}

/**
 * The password is tried once, with a code: without one a right password may be refused as well. The
 * document asks for codes where tokens are made, and no GET makes one.
 */
async function examineTwoFactor(
  { accounts, codeHosting, run, target }: CodeHostingContext,
  notes: Notes,
): Promise<void> {
  if (target.otp === undefined) return
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
  const withoutCode = await codeHosting.user({ credentials })
  if (withoutCode.status !== 200) {
    notes.add(
      'good',
      'The account with two-factor authentication needs its code, which is accepted: without it a ' +
        `GET was answered with ${withoutCode.status}.`,
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
