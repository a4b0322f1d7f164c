import { Secret, TOTP } from 'otpauth'
import { parseCookie } from 'undici'
import { anonymous, basic } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { Account } from '../variables.ts'
import type { GiteaClient } from './gitea-client.ts'

const SIGN_IN_PATH = '/user/login'
const ENROLMENT_PATH = '/user/settings/security/two_factor/enroll'

export const SECURITY_PATH = '/user/settings/security'

/** A secret of 20 to 160 bytes in base32, as shown on the page. */
const shownSecret = /\b[A-Z2-7]{32,256}\b/g

/** The token that pages of older servers require with a form. */
const formToken = /name="_csrf" value="([^"]+)"/

/** The base32 secret and, if known, the header field of its codes; or the reason why enrolment failed. */
export type Enrolment =
  | { secret: string; field: 'X-Service-OTP' | 'X-Gitea-OTP' | undefined }
  | { reason: string }

type Server = Pick<GiteaClient, 'send' | 'redactor'>

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** A tag of a page. The expression excludes nested `<`, so that the search takes linear time. */
const tag = /<[^<>]*>/g

function secretIn(page: string): string | undefined {
  const [secret, ...others] = new Set(page.replace(tag, ' ').match(shownSecret))
  return others.length === 0 ? secret : undefined
}

function browse(server: Server) {
  const cookies = new Map<string, string>()
  let token: Record<string, string> = {}

  return async (path: string, fields?: Record<string, string>): Promise<Exchange> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const exchange = await server.send({
      method: fields === undefined ? 'GET' : 'POST',
      path,
      credentials: anonymous,
      headers: { Accept: 'text/html', ...(cookie && { Cookie: cookie }) },
      ...(fields && { form: { ...token, ...fields } }),
      accepted: 'any',
    })
    for (const line of exchange.headers.getSetCookie()) {
      const set = parseCookie(line)
      if (set !== null) cookies.set(set.name, set.value)
    }
    const csrfToken = formToken.exec(exchange.text)?.[1]
    if (csrfToken !== undefined) token = { _csrf: csrfToken }
    return exchange
  }
}

async function statusWith(server: Server, { username, password }: Account, headers = {}) {
  const credentials = basic(username, password)
  const path = '/api/v1/user'
  return (await server.send({ method: 'GET', path, credentials, headers, accepted: 'any' })).status
}

/** Returns true if the server rejects the password without a code. */
export async function usesTwoFactor(server: Server, account: Account): Promise<boolean> {
  // Servers that require everyone to sign in reject with 403.
  return [401, 403].includes(await statusWith(server, account))
}

/** Returns the field from which the server reads codes; undefined for another secret, or a used code. */
export async function codeFieldOf(server: Server, account: Account, secret: string) {
  // The same code in both fields shows that it is valid.
  const code = codeOf(secret)
  const documented = { 'X-Service-OTP': code }
  if ((await statusWith(server, account, documented)) === 200) return 'X-Service-OTP'
  const both = { ...documented, 'X-Gitea-OTP': code }
  return (await statusWith(server, account, both)) === 200 ? 'X-Gitea-OTP' : undefined
}

/** Turns two-factor authentication on by the HTML pages of the server, since its API cannot. */
export async function enrol(server: Server, account: Account): Promise<Enrolment> {
  const { username, password } = account
  const visit = browse(server)
  await visit(SIGN_IN_PATH)
  const signedIn = await visit(SIGN_IN_PATH, { user_name: username, password })
  if (![302, 303].includes(signedIn.status)) {
    return { reason: `signing in at ${SIGN_IN_PATH} returned ${signedIn.status}` }
  }
  const page = await visit(ENROLMENT_PATH)
  const secret = page.status === 200 ? secretIn(page.text) : undefined
  if (secret === undefined) {
    return { reason: `${ENROLMENT_PATH} returned ${page.status} and shows no secret` }
  }
  server.redactor.add('CODE_HOSTING_OTP_SECRET', secret)
  const confirmed = await visit(ENROLMENT_PATH, { passcode: codeOf(secret) })
  if (await usesTwoFactor(server, account)) {
    return { secret, field: await codeFieldOf(server, account, secret) }
  }
  return {
    reason:
      `the code for ${ENROLMENT_PATH} returned ${confirmed.status}, and the password ` +
      'still signs in without a code (is the clock of either machine wrong?)',
  }
}
