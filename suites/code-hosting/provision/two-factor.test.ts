import { afterEach, describe, expect, it } from 'vitest'
import { closeAll } from '../../../lib/probe/server.fixture.ts'
import { ENROLMENT_SECRET, type FakeGitea, startGitea } from './gitea.fixture.ts'
import { provisioned, targetIn } from './provision.fixture.ts'

afterEach(closeAll)

/** The secret of an account on which the operator turned two-factor authentication on. */
const BY_HAND = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** Reads the account from an environment file after removing the comment signs. */
function uncommented(text: string) {
  return targetIn(text.replace(/^# (CODE_HOSTING_OTP_\w+=)/gm, '$1')).otp
}

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

describe('the account with two-factor authentication', () => {
  it.each<[string, Parameters<typeof startGitea>[0]]>([
    ['on pages with form tokens', { withFormTokens: true }],
    ['if the server requires everyone to sign in', { requireSignIn: true }],
    [
      'if its codes cannot be tried, as they work once',
      {
        intervene: ({ method, path, number }) =>
          method === 'GET' && path === '/api/v1/user' && number > 2
            ? Response.json({ message: 'used already' }, { status: 401 })
            : undefined,
      },
    ],
  ])('is enrolled %s', async (_name, options) => {
    const gitea = await startGitea(options)
    const { output, reported } = await provisioned(gitea)
    expect(targetIn(output).otp?.secret).toBe(ENROLMENT_SECRET)
    expect(gitea.accounts.get('plumbline-otp')?.secret).toBe(ENROLMENT_SECRET)
    expect(reported).not.toContain('X-Gitea-OTP')
  })

  it('is recreated by a repeated command, since its secret cannot be read', async () => {
    const gitea = await startGitea()
    await provisioned(gitea)
    const { status, output } = await provisioned(gitea)
    expect(status).toBe(0)
    expect(gitea.requests).toContain('DELETE /api/v1/admin/users/plumbline-otp')
    const { password } = gitea.accounts.get('plumbline-otp') ?? {}
    expect(targetIn(output).otp).toMatchObject({ password, secret: ENROLMENT_SECRET })
  })

  it('is left to the operator if the pages are unknown, and kept if its secret is configured', async () => {
    const gitea = await startGitea({ withoutEnrolment: true })
    const { status, reported, output } = await provisioned(gitea)
    expect(status).toBe(0)
    expect(reported).toContain(' plumbline-otp ')
    expect(targetIn(output).otp).toBeUndefined()
    expect(output).toContain(`# ${gitea.baseUrl}/user/settings/security,`)

    const account = gitea.accounts.get('plumbline-otp')
    Object.assign(account ?? {}, { secret: BY_HAND })
    const otp = uncommented(output.replace('_OTP_SECRET=', `_OTP_SECRET=${BY_HAND}`))
    const again = await repeated(gitea, otp)
    expect(gitea.requests.filter((request) => request.startsWith('DELETE'))).toEqual([])
    expect(gitea.accounts.get('plumbline-otp')).toBe(account)
    expect(targetIn(again.output).otp).toMatchObject({
      password: account?.password,
      secret: BY_HAND,
    })
    expect(account?.password).not.toBe(otp?.password)
  })

  it('is commented out if the server reads codes from an undocumented field', async () => {
    const gitea = await startGitea({ codeField: 'X-Gitea-OTP' })
    const { status, output, reported } = await provisioned(gitea)
    expect(status).toBe(0)
    expect(reported).toContain('X-Gitea-OTP')
    expect(targetIn(output).otp).toBeUndefined()

    const account = gitea.accounts.get('plumbline-otp')
    const again = await repeated(gitea, uncommented(output))
    expect(gitea.accounts.get('plumbline-otp')).toBe(account)
    expect(again.output).toContain(`# CODE_HOSTING_OTP_SECRET=${ENROLMENT_SECRET}\n`)
  })

  it('is not enrolled if the server rejects the code', async () => {
    const gitea = await startGitea({
      intervene: ({ method, path }) =>
        method === 'POST' && path.endsWith('/enroll')
          ? new Response(null, { status: 303, headers: { Location: '/' } })
          : undefined,
    })
    const { status, reported, output } = await provisioned(gitea)
    expect(status).toBe(0)
    expect(reported).toContain(' clock ')
    expect(targetIn(output).otp).toBeUndefined()
  })
})
