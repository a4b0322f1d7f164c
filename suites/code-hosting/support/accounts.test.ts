import { describe, expect, it } from 'vitest'
import { errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { Inconclusive, Skip } from '../../../lib/conformance/outcome.ts'
import { createAccounts, createSudo } from './accounts.ts'
import { fakeService, server, targetWith } from './service.fixture.ts'

function accountsOf(target = targetWith(), handler = server()) {
  const { run, client, sent } = fakeService(handler)
  const accounts = createAccounts(run, target, client)
  return { accounts, run, sent, sudo: createSudo(target, client, accounts) }
}

const withoutAccounts = targetWith({
  username: undefined,
  password: undefined,
  other: undefined,
  otp: undefined,
  admin: undefined,
})

describe('the accounts', () => {
  it.each(['other', 'admin'] as const)('are inconclusive when %s is refused', async (name) => {
    const account = { username: 'nobody', password: 'not-the-password' }
    const error = await errorOf(accountsOf(targetWith({ [name]: account })).accounts[name])
    expect(error).toBeInstanceOf(Inconclusive)
    const variable = `CODE_HOSTING_${name.toUpperCase()}`
    expect(String(error)).toContain(`check ${variable}_USERNAME and ${variable}_PASSWORD`)
    expect(String(error)).not.toContain('not-the-password')
  })

  it('are skipped by the names of their variables', async () => {
    const { accounts } = accountsOf(withoutAccounts)
    const reasons = await Promise.all(
      [
        accounts.username,
        accounts.main,
        accounts.mainWithWrongPassword,
        accounts.other,
        accounts.admin,
        accounts.twoFactor,
      ].map(errorOf),
    )
    for (const reason of reasons) expect(reason).toBeInstanceOf(Skip)
    expect(reasons.map((reason) => (reason as Skip).message)).toEqual([
      'CODE_HOSTING_USERNAME is not set',
      'CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD are not set',
      'CODE_HOSTING_USERNAME is not set',
      'CODE_HOSTING_OTHER_USERNAME and CODE_HOSTING_OTHER_PASSWORD are not set',
      'CODE_HOSTING_ADMIN_USERNAME and CODE_HOSTING_ADMIN_PASSWORD are not set',
      'CODE_HOSTING_OTP_USERNAME, CODE_HOSTING_OTP_PASSWORD and CODE_HOSTING_OTP_SECRET are not set',
    ])
  })

  it('have their passwords taken out of every text, also inside of credentials', () => {
    const { accounts, run } = accountsOf()
    const { value } = accounts.main().credentials as { value: string }
    expect(run.redactor.redact(`${value} main-password`)).toBe(
      'Basic base64(maria:$CODE_HOSTING_PASSWORD) $CODE_HOSTING_PASSWORD',
    )
  })
})

describe('sudo', () => {
  it('is skipped without an admin, or without anybody to name', async () => {
    expect(await errorOf(accountsOf(withoutAccounts).sudo)).toHaveProperty(
      'message',
      expect.stringContaining('CODE_HOSTING_ADMIN_USERNAME'),
    )
    const { admin } = targetWith()
    expect(await errorOf(accountsOf({ ...withoutAccounts, admin }).sudo)).toHaveProperty(
      'message',
      'CODE_HOSTING_USERNAME is not set, and there is nobody else to name',
    )
  })

  it.each([
    ['is refused', { status: 403 }],
    ['is the user already', { json: { login: 'MARIA' } }],
  ])('is skipped where the admin without it %s', async (_, answer) => {
    const error = await errorOf(accountsOf(targetWith(), () => answer).sudo)
    expect(error).toBeInstanceOf(Skip)
    expect(error).toHaveProperty('message', expect.stringMatching(/^no control: without sudo/))
  })
})
