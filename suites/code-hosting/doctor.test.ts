import { describe, expect, it } from 'vitest'
import { examineReference, withPasswordOf } from '../../lib/doctor/examination.fixture.ts'
import type { Variant } from '../../lib/reference/index.ts'

type Environment = Record<string, string>
type Change = NonNullable<NonNullable<Variant['codeHosting']>['change']>

describe('wrong credentials', () => {
  it.each([
    ['CODE_HOSTING', /main account maria was refused with 401.*CODE_HOSTING_PASSWORD/],
    ['CODE_HOSTING_OTHER', /oscar was refused with 401.*CODE_HOSTING_OTHER_PASSWORD/],
    ['CODE_HOSTING_ADMIN', /ada was refused with 401.*CODE_HOSTING_ADMIN_PASSWORD/],
    ['CODE_HOSTING_OTP', /tess .*401.*: check CODE_HOSTING_OTP_PASSWORD, CODE_/],
  ] as const)('of %s are tried once', async (prefix, message) => {
    const examined = await examineReference({}, (environment) => ({
      ...environment,
      [`${prefix}_PASSWORD`]: 'not-the-password',
    }))

    expect(examined.texts('target')).toEqual([expect.stringMatching(message)])
    expect(withPasswordOf(examined, prefix)).toHaveLength(1)
    expect(JSON.stringify(examined.findings)).not.toContain('not-the-password')
  })

  it('are not tried again after a server error that they may have caused', async () => {
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

  it('of the event publishing service are reported after two GET requests', async () => {
    const { texts } = await examineReference({}, (environment) => ({
      ...environment,
      EVENT_PUBLISHING_API_KEY: 'not-the-key',
    }))

    expect(texts('target')).toEqual([expect.stringMatching(/EVENT_PUBLISHING_API_KEY .* 401/)])
  })
})

describe('accounts and repositories of the wrong kind', () => {
  it.each<[string, 'configuration' | 'ok', RegExp, Change]>([
    [
      'an admin without sudo',
      'configuration',
      /CODE_HOSTING_ADMIN_USERNAME .*got status 403: name a site admin/,
      (rules) => ({ ...rules, sudoAllowed: () => false }),
    ],
    [
      'another account that sees the private repository',
      'configuration',
      /oscar .*sees the private repository maria\/diary/,
      (rules) => ({ ...rules, maySee: () => true }),
    ],
    [
      'a wrong login name',
      'configuration',
      /"maria-the-second" by its login name, and CODE_HOSTING_USERNAME/,
      (rules) => ({
        ...rules,
        userRecord: (account, context) => ({
          ...Object(rules.userRecord(account, context)),
          login: account.login === 'maria' ? 'maria-the-second' : account.login,
        }),
      }),
    ],
    [
      'two-factor authentication if every request needs a code',
      'ok',
      /tess .* needs its one-time code, which is accepted/,
      (rules) => ({
        ...rules,
        passwordHolds: (account, password, context) =>
          rules.passwordHolds(account, password, context) &&
          (account.oneTimeSecret === undefined || context.headers.has('X-Service-OTP')),
      }),
    ],
  ])('reports %s', async (_name, kind, message, change) => {
    const { texts } = await examineReference({ codeHosting: { change } })

    expect(texts(kind)).toContainEqual(expect.stringMatching(message))
    expect(texts('configuration', 'target')).toHaveLength(kind === 'configuration' ? 1 : 0)
  })

  it.each<[string, (environment: Environment) => Environment, RegExp[]]>([
    [
      'a main account that is a site admin',
      (environment) => ({
        CODE_HOSTING_USERNAME: environment.CODE_HOSTING_ADMIN_USERNAME ?? '',
        CODE_HOSTING_PASSWORD: environment.CODE_HOSTING_ADMIN_PASSWORD ?? '',
        CODE_HOSTING_ADMIN_USERNAME: '',
        CODE_HOSTING_ADMIN_PASSWORD: '',
      }),
      [/The main account is a site admin.*CODE_HOSTING_USERNAME/],
    ],
    [
      'repositories of the wrong kind or with the wrong name',
      (environment) => ({
        CODE_HOSTING_PUBLIC_REPOSITORY: environment.CODE_HOSTING_PRIVATE_REPOSITORY ?? '',
        CODE_HOSTING_PRIVATE_REPOSITORY: 'maria/not-there',
      }),
      [
        /is private: check CODE_HOSTING_PUBLIC_REPOSITORY/,
        /maria\/not-there and got 404: check CODE_HOSTING_PRIVATE_REPOSITORY/,
      ],
    ],
    [
      'a setting that differs from the server',
      () => ({ CODE_HOSTING_DEFAULT_PAGING_NUM: '17' }),
      [/default_paging_num is 20, and CODE_HOSTING_DEFAULT_PAGING_NUM is 17/],
    ],
  ])('reports %s', async (_name, change, messages) => {
    const { texts } = await examineReference({}, (environment) => ({
      ...environment,
      ...change(environment),
    }))
    for (const message of messages) {
      expect(texts('configuration')).toContainEqual(expect.stringMatching(message))
    }
  })

  it('reports facts as unknown that need more than GET requests', async () => {
    const { texts } = await examineReference()

    expect(texts('unknown')).toContainEqual(
      expect.stringMatching(
        /Whether tess .*has two-factor authentication.*CODE_HOSTING_OTP_SECRET/,
      ),
    )
  })
})

describe('repositories', () => {
  it.each<[string, Variant['codeHosting'], object]>([
    ['that are few', { population: { mainRepositories: 5 } }, { repositories: 5 }],
    [
      'that the server does not count',
      { change: (rules) => ({ ...rules, totalCount: () => undefined }) },
      { repositories: 57, totalCount: false },
    ],
  ])('%s are counted', async (_name, codeHosting, expected) => {
    const { facts } = await examineReference({ codeHosting })
    expect(facts['code-hosting']).toMatchObject(expected)
  })
})
