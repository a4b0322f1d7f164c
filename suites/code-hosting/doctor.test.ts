import { beforeAll, describe, expect, it } from 'vitest'
import { isProblem } from '../../lib/doctor/doctor-report.ts'
import {
  type Examined,
  examineReference,
  withPasswordOf,
} from '../../lib/doctor/examination.fixture.ts'
import type { Variant } from '../../lib/reference/index.ts'

type Environment = Record<string, string>
type Change = NonNullable<NonNullable<Variant['codeHosting']>['change']>

interface Scenario {
  change?: Change
  environment?: (environment: Environment) => Environment
  /** Kind of each problem, and the variables that it names. */
  problems: string[]
}

const withPassword = (prefix: string, value: string) => () => ({ [`${prefix}_PASSWORD`]: value })

const scenarios: Record<string, Scenario> = {
  'a conforming server': { problems: [] },
  'a wrong password of the main account': {
    environment: withPassword('CODE_HOSTING', 'not-the-password'),
    problems: ['target CODE_HOSTING_USERNAME CODE_HOSTING_PASSWORD'],
  },
  'a wrong password of the other account': {
    environment: withPassword('CODE_HOSTING_OTHER', 'not-the-password'),
    problems: ['target CODE_HOSTING_OTHER_USERNAME CODE_HOSTING_OTHER_PASSWORD'],
  },
  'a wrong password of the site administrator': {
    environment: withPassword('CODE_HOSTING_ADMIN', 'not-the-password'),
    problems: ['target CODE_HOSTING_ADMIN_USERNAME CODE_HOSTING_ADMIN_PASSWORD'],
  },
  'a wrong password of the two-factor account': {
    environment: withPassword('CODE_HOSTING_OTP', 'not-the-password'),
    problems: [
      'target CODE_HOSTING_OTP_USERNAME CODE_HOSTING_OTP_PASSWORD CODE_HOSTING_OTP_SECRET',
    ],
  },
  'a server error that a wrong password may have caused': {
    change: (rules) => ({
      ...rules,
      passwordHolds: () => {
        throw new Error('the directory is down')
      },
    }),
    problems: ['target'],
  },
  'a wrong API key': {
    environment: () => ({ EVENT_PUBLISHING_API_KEY: 'not-the-key' }),
    problems: ['target EVENT_PUBLISHING_API_KEY'],
  },
  'a site administrator without sudo': {
    change: (rules) => ({ ...rules, sudoAllowed: () => false }),
    problems: ['configuration CODE_HOSTING_ADMIN_USERNAME'],
  },
  'another account that sees the private repository': {
    change: (rules) => ({ ...rules, maySee: () => true }),
    problems: ['configuration CODE_HOSTING_OTHER_USERNAME'],
  },
  'a wrong login name': {
    change: (rules) => ({
      ...rules,
      userRecord: (account, context) => ({
        ...Object(rules.userRecord(account, context)),
        login: account.login === 'maria' ? 'maria-the-second' : account.login,
      }),
    }),
    problems: ['configuration CODE_HOSTING_USERNAME'],
  },
  'one-time codes for every request': {
    change: (rules) => ({
      ...rules,
      passwordHolds: (account, password, context) =>
        rules.passwordHolds(account, password, context) &&
        (account.oneTimeSecret === undefined || context.headers.has('X-Service-OTP')),
    }),
    problems: [],
  },
  'a site administrator as main account': {
    environment: (environment) => ({
      CODE_HOSTING_USERNAME: environment.CODE_HOSTING_ADMIN_USERNAME ?? '',
      CODE_HOSTING_PASSWORD: environment.CODE_HOSTING_ADMIN_PASSWORD ?? '',
      CODE_HOSTING_ADMIN_USERNAME: '',
      CODE_HOSTING_ADMIN_PASSWORD: '',
    }),
    problems: ['configuration CODE_HOSTING_USERNAME'],
  },
  'repositories of the wrong kind or with the wrong name': {
    environment: (environment) => ({
      CODE_HOSTING_PUBLIC_REPOSITORY: environment.CODE_HOSTING_PRIVATE_REPOSITORY ?? '',
      CODE_HOSTING_PRIVATE_REPOSITORY: 'maria/not-there',
    }),
    problems: [
      'configuration CODE_HOSTING_PUBLIC_REPOSITORY',
      'configuration CODE_HOSTING_PRIVATE_REPOSITORY',
    ],
  },
  'a setting that differs from the server': {
    environment: () => ({ CODE_HOSTING_DEFAULT_PAGING_NUM: '17' }),
    problems: ['configuration CODE_HOSTING_DEFAULT_PAGING_NUM'],
  },
}

const examined = new Map<string, Examined>()

beforeAll(async () => {
  for (const [name, { change, environment = () => ({}) }] of Object.entries(scenarios)) {
    const parts = change === undefined ? {} : { codeHosting: { change } }
    const examination = await examineReference(parts, (all) => ({ ...all, ...environment(all) }))
    examined.set(name, examination)
  }
})

/** Returns kind and text of each finding about these services, without the address of the server. */
const linesOf = ({ findings, environment }: Examined) =>
  findings
    .filter(({ service }) => ['code-hosting', 'event-publishing'].includes(service))
    .map(({ kind, text }) =>
      `${kind}: ${text}`.replaceAll(environment.CODE_HOSTING_BASE_URL ?? '', '<base URL>'),
    )

describe('examine', () => {
  it.each(Object.entries(scenarios))('returns the problems of %s', (name, { problems }) => {
    const { findings = [] } = examined.get(name) ?? {}
    const reported = findings.filter(isProblem).map(({ kind, text }) => {
      const variables = text.match(/\b(?:CODE_HOSTING|EVENT_PUBLISHING)_[A-Z_]+/g) ?? []
      return [kind, ...new Set(variables)].join(' ')
    })
    expect(reported).toEqual(problems)
    expect(JSON.stringify(findings)).not.toMatch(/not-the-(?:password|key)/)
  })

  it('returns the texts of the snapshot', async () => {
    let shared: string[] = []
    const texts = [...examined].map(([name, examination]) => {
      const lines = linesOf(examination).filter((line) => !shared.includes(line))
      if (shared.length === 0) shared = lines
      return [name, ...lines].join('\n  ')
    })
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('snapshots/findings.txt')
  })

  it.each([
    ['a wrong password of the main account', 'CODE_HOSTING'],
    ['a wrong password of the other account', 'CODE_HOSTING_OTHER'],
    ['a wrong password of the site administrator', 'CODE_HOSTING_ADMIN'],
    ['a wrong password of the two-factor account', 'CODE_HOSTING_OTP'],
    ['a server error that a wrong password may have caused', 'CODE_HOSTING'],
    ['a server error that a wrong password may have caused', 'CODE_HOSTING_OTHER'],
  ] as const)('sends %s once: %s', (name, prefix) => {
    const examination = examined.get(name)
    expect(examination && withPasswordOf(examination, prefix)).toHaveLength(1)
  })

  it('reports two-factor authentication as unknown after GET requests', () => {
    const unknown = examined.get('a conforming server')?.texts('unknown') ?? []
    expect(unknown.filter((text) => text.includes('CODE_HOSTING_OTP_SECRET'))).toHaveLength(1)
  })

  it.each<[string, Variant['codeHosting'], object]>([
    ['few', { population: { mainRepositories: 5 } }, { repositories: 5 }],
    [
      'not counted by the server',
      { change: (rules) => ({ ...rules, totalCount: () => undefined }) },
      { repositories: 57, totalCount: false },
    ],
  ])('counts repositories that are %s', async (_name, codeHosting, expected) => {
    const { facts } = await examineReference({ codeHosting })
    expect(facts['code-hosting']).toMatchObject(expected)
  })
})
