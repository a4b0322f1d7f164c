import { afterEach, describe, expect, it } from 'vitest'
import { closeAll } from '../../../lib/probe/server.fixture.ts'
import {
  ENROLMENT_SECRET,
  type FakeGitea,
  type FakeOptions,
  problem,
  provisioned,
  provisionedWith,
  targetIn,
} from './gitea.fixture.ts'

afterEach(closeAll)

/** The secret of an account on which the operator turned two-factor authentication on. */
const BY_HAND = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** Reads the account from an environment file after removing the comment signs. */
const uncommented = (text: string) =>
  targetIn(text.replace(/^# (CODE_HOSTING_OTP_\w+=)/gm, '$1')).otp

const accountOf = (gitea: FakeGitea) => gitea.accounts.get('plumbline-otp')

/** Repeats the command with this account in the environment. */
function repeated(gitea: FakeGitea, otp: ReturnType<typeof uncommented>) {
  return provisioned(gitea, {
    environment: {
      CODE_HOSTING_OTP_USERNAME: otp?.username ?? '',
      CODE_HOSTING_OTP_PASSWORD: otp?.password ?? '',
      CODE_HOSTING_OTP_SECRET: otp?.secret ?? '',
    },
  })
}

/** Replaces a response, and expects that there is no account with two-factor authentication then. */
async function withoutEnrolment(request: RegExp, response: () => Response) {
  const { status, output, ...provisioning } = await provisionedWith({
    instead: [request, response],
  })
  expect(status).toBe(0)
  expect(targetIn(output).otp).toBeUndefined()
  return { output, ...provisioning }
}

describe('the account with two-factor authentication', () => {
  it.each<[string, FakeOptions]>([
    ['on older servers', { isOld: true }],
    [
      'if its codes cannot be tried, as they work once',
      { instead: [/^GET .*user$/, (count) => (count > 2 ? problem(401) : undefined)] },
    ],
  ])('is enrolled %s', async (_name, options) => {
    const { gitea, output, reported } = await provisionedWith(options)
    expect(targetIn(output).otp?.secret).toBe(ENROLMENT_SECRET)
    expect(accountOf(gitea)?.secret).toBe(ENROLMENT_SECRET)
    expect(reported).not.toContain('X-Gitea-OTP')
  })

  it('is left to the operator if the pages are unknown, and kept if its secret is configured', async () => {
    const page = () => new Response('<p>Ask your provider.</p>')
    const { gitea, reported, output } = await withoutEnrolment(/^GET .*enroll$/, page)
    expect(reported).toContain(' plumbline-otp ')
    expect(output).toContain(`# ${gitea.baseUrl}/user/settings/security,`)

    const account = accountOf(gitea)
    Object.assign(account ?? {}, { secret: BY_HAND })
    const otp = uncommented(output.replace('_OTP_SECRET=', `_OTP_SECRET=${BY_HAND}`))
    const again = await repeated(gitea, otp)
    expect(gitea.changes().filter((request) => request.startsWith('DELETE'))).toEqual([])
    expect(accountOf(gitea)).toBe(account)
    const { password } = account ?? {}
    expect(targetIn(again.output).otp).toMatchObject({ password, secret: BY_HAND })
    expect(password).not.toBe(otp?.password)
  })

  it('is commented out if the server reads codes from an undocumented field', async () => {
    const { gitea, status, output, reported } = await provisionedWith({ codeField: 'X-Gitea-OTP' })
    expect(status).toBe(0)
    expect(reported).toContain('X-Gitea-OTP')
    expect(targetIn(output).otp).toBeUndefined()

    const account = accountOf(gitea)
    const again = await repeated(gitea, uncommented(output))
    expect(accountOf(gitea)).toBe(account)
    expect(again.output).toContain(`# CODE_HOSTING_OTP_SECRET=${ENROLMENT_SECRET}\n`)
  })

  it('is not enrolled if the server rejects the code', async () => {
    const redirect = () => new Response(null, { status: 303 })
    const { reported } = await withoutEnrolment(/^POST .*enroll$/, redirect)
    expect(reported).toContain(' clock ')
  })
})
