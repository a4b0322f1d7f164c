import { describe, expect, it } from 'vitest'
import { examineReference, withPasswordOf } from '../../../lib/doctor/examination.fixture.ts'

describe('wrong credentials', () => {
  it.each([
    ['CODE_HOSTING', /main account maria was refused with 401.*CODE_HOSTING_PASSWORD/],
    ['CODE_HOSTING_OTHER', /oscar was refused with 401.*CODE_HOSTING_OTHER_PASSWORD/],
    ['CODE_HOSTING_ADMIN', /ada was refused with 401.*CODE_HOSTING_ADMIN_PASSWORD/],
  ] as const)('of %s are tried once', async (prefix, message) => {
    const examined = await examineReference({}, (environment) => ({
      ...environment,
      [`${prefix}_PASSWORD`]: 'not-the-password',
    }))

    expect(examined.texts('target')).toEqual([expect.stringMatching(message)])
    expect(withPasswordOf(examined, prefix)).toHaveLength(1)
    expect(JSON.stringify(examined.findings)).not.toContain('not-the-password')
  })

  it('of the two-factor account are tried once, with a code', async () => {
    const examined = await examineReference({}, (environment) => ({
      ...environment,
      CODE_HOSTING_OTP_PASSWORD: 'not-the-password',
    }))

    expect(examined.texts('target')).toEqual([
      expect.stringMatching(/tess .*answered with 401: check CODE_HOSTING_OTP_PASSWORD, CODE_/),
    ])
    expect(withPasswordOf(examined, 'CODE_HOSTING_OTP')).toHaveLength(1)
  })

  it('are not tried again where a server error may have come of them', async () => {
    const examined = await examineReference({
      codeHosting: {
        change: (rules) => ({
          ...rules,
          passwordHolds: () => {
            throw new Error('the directory of users is away')
          },
        }),
      },
    })

    expect(examined.texts('target')).toContainEqual(
      expect.stringMatching(
        /GET .*\/user met trouble on its way, and with a password that may be wrong/,
      ),
    )
    expect(withPasswordOf(examined, 'CODE_HOSTING')).toHaveLength(1)
    expect(withPasswordOf(examined, 'CODE_HOSTING_OTHER')).toHaveLength(1)
  })

  it('of the event publishing service are told by two GETs', async () => {
    const { texts } = await examineReference({}, (environment) => ({
      ...environment,
      EVENT_PUBLISHING_API_KEY: 'not-the-key',
    }))

    expect(texts('target')).toEqual([
      expect.stringMatching(
        /EVENT_PUBLISHING_API_KEY looks refused: a GET was answered with 401, with the key and without/,
      ),
    ])
  })
})

describe('accounts of the wrong kind', () => {
  it('tells of a main account that is a site admin', async () => {
    const { texts } = await examineReference({}, (environment) => ({
      ...environment,
      CODE_HOSTING_USERNAME: environment.CODE_HOSTING_ADMIN_USERNAME ?? '',
      CODE_HOSTING_PASSWORD: environment.CODE_HOSTING_ADMIN_PASSWORD ?? '',
      CODE_HOSTING_ADMIN_USERNAME: '',
      CODE_HOSTING_ADMIN_PASSWORD: '',
    }))

    expect(texts('configuration')).toContainEqual(
      expect.stringMatching(/The main account is a site admin.*CODE_HOSTING_USERNAME/),
    )
  })

  it('tells of a site admin by what it may do, where the record does not say it', async () => {
    const { texts } = await examineReference({
      codeHosting: {
        change: (rules) => ({
          ...rules,
          userRecord: ({ login }) => ({ login }),
          sudoAllowed: () => true,
        }),
      },
    })

    expect(texts('configuration')).toEqual([
      expect.stringMatching(/The main account may act as somebody else .* as site admins may/),
    ])
  })

  it('does not take a server that lets everybody act as others for a wrong account', async () => {
    const { texts } = await examineReference({
      codeHosting: { change: (rules) => ({ ...rules, sudoAllowed: () => true }) },
    })

    expect(texts('configuration')).toEqual([])
    expect(texts('warning')).toEqual([
      expect.stringMatching(
        /may act as somebody else .*says that it is no site admin: a run judges/,
      ),
    ])
  })

  it('tells of an admin that is none', async () => {
    const { texts } = await examineReference({
      codeHosting: { change: (rules) => ({ ...rules, sudoAllowed: () => false }) },
    })

    expect(texts('configuration')).toEqual([
      expect.stringMatching(
        /ada \(CODE_HOSTING_ADMIN_USERNAME\).*got status 403: name a site admin/,
      ),
    ])
  })

  it('tells of another account that sees the private repository', async () => {
    const { texts } = await examineReference({
      codeHosting: { change: (rules) => ({ ...rules, maySee: () => true }) },
    })

    expect(texts('configuration')).toEqual([
      expect.stringMatching(/oscar .*sees the private repository maria\/diary/),
    ])
  })

  it('leaves two-factor authentication open where codes are asked for with tokens only', async () => {
    const { texts } = await examineReference()

    expect(texts('warning', 'configuration')).toEqual([])
    expect(texts('good')).toContainEqual(expect.stringMatching(/password of the account with two/))
    expect(texts('untold')).toContainEqual(
      expect.stringMatching(
        /Whether tess .*has two-factor authentication.*CODE_HOSTING_OTP_SECRET/,
      ),
    )
  })

  it('is sure of two-factor authentication where every request needs a code', async () => {
    const { texts } = await examineReference({
      codeHosting: {
        change: (rules) => ({
          ...rules,
          passwordHolds: (account, password, context) =>
            rules.passwordHolds(account, password, context) &&
            (account.oneTimeSecret === undefined || context.headers.has('X-Service-OTP')),
        }),
      },
    })

    expect(texts('warning')).toEqual([])
    expect(texts('good')).toContainEqual(expect.stringMatching(/needs its code, which is accepted/))
  })

  it('tells of a login name that is none', async () => {
    const { texts } = await examineReference({
      codeHosting: {
        change: (rules) => ({
          ...rules,
          userRecord: (account, context) => ({
            ...Object(rules.userRecord(account, context)),
            login: account.login === 'maria' ? 'maria-the-second' : account.login,
          }),
        }),
      },
    })

    expect(texts('configuration')).toEqual([
      expect.stringMatching(/"maria-the-second" by its login name, and CODE_HOSTING_USERNAME/),
    ])
  })
})
