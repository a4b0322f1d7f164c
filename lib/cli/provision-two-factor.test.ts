import { afterEach, describe, expect, it } from 'vitest'
import { closeAll } from '../probe/server.fixture.ts'
import { ENROLMENT_SECRET, type Intervention, startGitea } from '../provision/gitea.fixture.ts'
import { provisioned, targetIn } from './provision.fixture.ts'

afterEach(closeAll)

/** As a person has turned it on by hand. */
const BY_HAND = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('the account with two-factor authentication', () => {
  it('is enrolled on pages that want a token back with each form', async () => {
    const gitea = await startGitea({ withFormTokens: true })
    const { output } = await provisioned(gitea)
    expect(targetIn(output).otp?.secret).toBe(ENROLMENT_SECRET)
    expect(gitea.accounts.get('plumbline-otp')?.secret).toBe(ENROLMENT_SECRET)
  })

  it('is made anew on a repeat, since nobody can read its secret back', async () => {
    const gitea = await startGitea()
    await provisioned(gitea)
    const { status, output, told } = await provisioned(gitea)
    expect(status).toBe(0)
    expect(told).toContain('made anew plumbline-otp, if it uses one-time codes already')
    expect(told).toContain('Deleted the account plumbline-otp')
    expect(targetIn(output).otp).toMatchObject({
      password: gitea.accounts.get('plumbline-otp')?.password,
      secret: ENROLMENT_SECRET,
    })
  })

  it('is left to a person where the pages are others, and kept when its secret is known', async () => {
    const gitea = await startGitea({ withoutEnrolment: true })
    const first = await provisioned(gitea)
    expect(first.status).toBe(0)
    expect(first.told).toContain(
      'Two-factor authentication of plumbline-otp could not be turned on',
    )
    expect(first.told).toContain('answered with 200 and shows no secret')
    expect(targetIn(first.output).otp).toBeUndefined()
    expect(first.output).toContain(`# ${gitea.baseUrl}/user/settings/security, put the secret`)

    const account = gitea.accounts.get('plumbline-otp')
    const byHand = first.output
      .replace(/^# (CODE_HOSTING_OTP_\w+=)/gm, '$1')
      .replace('CODE_HOSTING_OTP_SECRET=', `CODE_HOSTING_OTP_SECRET=${BY_HAND}`)
    Object.assign(account ?? {}, { secret: BY_HAND })
    const { otp } = targetIn(byHand)
    expect(otp).toEqual({
      username: 'plumbline-otp',
      password: account?.password,
      secret: BY_HAND,
    })

    const repeated = await provisioned(gitea, {
      environment: {
        CODE_HOSTING_OTP_USERNAME: otp?.username ?? '',
        CODE_HOSTING_OTP_PASSWORD: otp?.password ?? '',
        CODE_HOSTING_OTP_SECRET: BY_HAND,
      },
    })
    expect(repeated.told).not.toContain('made anew')
    expect(gitea.accounts.get('plumbline-otp')).toBe(account)
    expect(targetIn(repeated.output).otp).toEqual({
      username: 'plumbline-otp',
      password: account?.password,
      secret: BY_HAND,
    })
    expect(account?.password).not.toBe(otp?.password)
  })

  it('is for a run where its codes are taken in the field of the document', async () => {
    const { output, told } = await provisioned(await startGitea({ codeField: 'X-Service-OTP' }))
    expect(targetIn(output).otp?.secret).toBe(ENROLMENT_SECRET)
    expect(told).not.toContain('X-Gitea-OTP')
  })

  it('is a comment where the server takes codes in another field than that of the document', async () => {
    const gitea = await startGitea({ codeField: 'X-Gitea-OTP' })
    const { status, output, told } = await provisioned(gitea)
    expect(status).toBe(0)
    expect(told).toContain('one-time codes in X-Gitea-OTP, and not in X-Service-OTP')
    expect(targetIn(output).otp).toBeUndefined()
    expect(output).toContain(`# CODE_HOSTING_OTP_SECRET=${ENROLMENT_SECRET}\n`)

    const account = gitea.accounts.get('plumbline-otp')
    const known = targetIn(output.replace(/^# (CODE_HOSTING_OTP_\w+=)/gm, '$1')).otp
    const repeated = await provisioned(gitea, {
      environment: {
        CODE_HOSTING_OTP_USERNAME: known?.username ?? '',
        CODE_HOSTING_OTP_PASSWORD: known?.password ?? '',
        CODE_HOSTING_OTP_SECRET: known?.secret ?? '',
      },
    })
    expect(gitea.accounts.get('plumbline-otp')).toBe(account)
    expect(repeated.output).toContain(`# CODE_HOSTING_OTP_SECRET=${ENROLMENT_SECRET}\n`)
  })

  it('is enrolled where those who are not signed in get 403', async () => {
    const gitea = await startGitea({ requireSignIn: true })
    const first = await provisioned(gitea)
    expect(targetIn(first.output).otp?.secret).toBe(ENROLMENT_SECRET)
    expect((await provisioned(gitea)).told).toContain('Deleted the account plumbline-otp')
  })

  it('is for a run where its codes could not be tried, as they work once', async () => {
    const gitea = await startGitea({
      intervene: ({ method, path, number }) =>
        method === 'GET' && path === '/api/v1/user' && number > 2
          ? Response.json({ message: 'used already' }, { status: 401 })
          : undefined,
    })
    const { output, told } = await provisioned(gitea)
    expect(targetIn(output).otp?.secret).toBe(ENROLMENT_SECRET)
    expect(told).not.toContain('X-Gitea-OTP')
  })

  it.each<[string, Intervention, string]>([
    [
      'where signing in is not possible',
      ({ path }) =>
        path === '/user/login' ? new Response('Sign in elsewhere', { status: 403 }) : undefined,
      'signing in at /user/login was answered with 403',
    ],
    [
      'where the server does not take the code',
      ({ method, path }) =>
        method === 'POST' && path.endsWith('/enroll')
          ? new Response(null, { status: 303, headers: { Location: '/' } })
          : undefined,
      'is the clock of either machine wrong?',
    ],
  ])('is not enrolled %s', async (_name, intervene, reason) => {
    const { status, told, output } = await provisioned(await startGitea({ intervene }))
    expect(status).toBe(0)
    expect(told).toContain(reason)
    expect(targetIn(output).otp).toBeUndefined()
  })
})
