import { beforeAll, describe, expect, it } from 'vitest'
import { isProblem } from '../../lib/doctor/doctor-report.ts'
import {
  type Examined,
  examineReference,
  withPasswordOf,
} from '../../lib/doctor/examination.fixture.ts'
import type { Variant } from '../../lib/test-bed/reference/index.ts'

type Environment = Record<string, string>
type Rules = Variant['codeHosting']
type Change = NonNullable<NonNullable<Rules>['change']>

interface Scenario {
  /** Replaced rules of the server. */
  rules?: Rules
  environment?: Environment | ((environment: Environment) => Environment)
  /** Kind of each problem, and the variables that it names. */
  problems?: string[]
  /** Variables that the warnings name. */
  warnings?: string[]
  facts?: object
}

const changed = (change: Change): Pick<Scenario, 'rules'> => ({ rules: { change } })

/** Prefixes of the variables of accounts. */
const prefixes = {
  'the main account': 'CODE_HOSTING',
  'the other account': 'CODE_HOSTING_OTHER',
  'the site administrator': 'CODE_HOSTING_ADMIN',
  'the two-factor account': 'CODE_HOSTING_OTP',
} as const

const wrongPasswords = Object.entries(prefixes).map(([account, prefix]): [string, Scenario] => {
  const secret = prefix === 'CODE_HOSTING_OTP' ? ' CODE_HOSTING_OTP_SECRET' : ''
  const problems = [`target ${prefix}_USERNAME ${prefix}_PASSWORD${secret}`]
  const environment = { [`${prefix}_PASSWORD`]: 'not-the-password' }
  return [`a wrong password of ${account}`, { environment, problems }]
})

const scenarios: Record<string, Scenario> = {
  'a conforming server': {},
  ...Object.fromEntries(wrongPasswords),
  'a server error that a wrong password may have caused': {
    ...changed((rules) => ({
      ...rules,
      passwordHolds: () => {
        throw new Error('the directory is down')
      },
    })),
    problems: ['target'],
  },
  'a wrong API key': {
    environment: { EVENT_PUBLISHING_API_KEY: 'not-the-key' },
    problems: ['target EVENT_PUBLISHING_API_KEY'],
  },
  'a site administrator without sudo': {
    ...changed((rules) => ({ ...rules, sudoAllowed: () => false })),
    problems: ['configuration CODE_HOSTING_ADMIN_USERNAME'],
  },
  'another account that sees the private repository': {
    ...changed((rules) => ({ ...rules, maySee: () => true })),
    problems: ['configuration CODE_HOSTING_OTHER_USERNAME'],
  },
  'a wrong login name': {
    ...changed((rules) => ({
      ...rules,
      userRecord: (account, context) => ({
        ...Object(rules.userRecord(account, context)),
        login: account.login === 'maria' ? 'maria-the-second' : account.login,
      }),
    })),
    problems: ['configuration CODE_HOSTING_USERNAME'],
  },
  'one-time codes for every request': changed((rules) => ({
    ...rules,
    passwordHolds: (account, password, context) =>
      rules.passwordHolds(account, password, context) &&
      (account.oneTimeSecret === undefined || context.headers.has('X-Service-OTP')),
  })),
  'a site administrator as main account': {
    environment: ({ CODE_HOSTING_ADMIN_USERNAME = '', CODE_HOSTING_ADMIN_PASSWORD = '' }) => ({
      CODE_HOSTING_USERNAME: CODE_HOSTING_ADMIN_USERNAME,
      CODE_HOSTING_PASSWORD: CODE_HOSTING_ADMIN_PASSWORD,
      CODE_HOSTING_ADMIN_USERNAME: '',
      CODE_HOSTING_ADMIN_PASSWORD: '',
    }),
    facts: { isMainAdmin: true },
    warnings: ['CODE_HOSTING_USERNAME'],
  },
  'repositories of the wrong kind or with the wrong name': {
    environment: ({ CODE_HOSTING_PRIVATE_REPOSITORY = '' }) => ({
      CODE_HOSTING_PUBLIC_REPOSITORY: CODE_HOSTING_PRIVATE_REPOSITORY,
      CODE_HOSTING_PRIVATE_REPOSITORY: 'maria/not-there',
    }),
    problems: [
      'configuration CODE_HOSTING_PUBLIC_REPOSITORY',
      'configuration CODE_HOSTING_PRIVATE_REPOSITORY',
    ],
  },
  'a setting that differs from the server': {
    environment: { CODE_HOSTING_DEFAULT_PAGING_NUM: '17' },
    problems: ['configuration CODE_HOSTING_DEFAULT_PAGING_NUM'],
  },
  'a setting that differs, of a server that requires signing in': {
    ...changed((rules) => ({ ...rules, needsCaller: () => true })),
    environment: { CODE_HOSTING_DEFAULT_PAGING_NUM: '17' },
    problems: ['configuration CODE_HOSTING_DEFAULT_PAGING_NUM'],
  },
  'few repositories': {
    rules: { population: { mainRepositories: 5 } },
    facts: { repositories: 5 },
  },
  'repositories that the server does not count': {
    ...changed((rules) => ({ ...rules, totalCount: () => undefined })),
    facts: { repositories: 57, totalCount: false },
  },
}

const examined = new Map<string, Examined>()

beforeAll(async () => {
  const examining = Object.entries(scenarios).map(
    async ([name, { rules: codeHosting, environment = {} }]) => {
      const set = typeof environment === 'function' ? environment : () => environment
      const parts = codeHosting && { codeHosting }
      return [name, await examineReference(parts, (all) => ({ ...all, ...set(all) }))] as const
    },
  )
  for (const [name, examination] of await Promise.all(examining)) examined.set(name, examination)
})

describe('examine', () => {
  it.each(Object.entries(scenarios))('returns the problems of %s', (name, scenario) => {
    const { findings = [], facts = {} } = examined.get(name) ?? {}
    const variablesIn = (text: string) => [
      ...new Set(text.match(/\b(?:CODE_HOSTING|EVENT_PUBLISHING)_[A-Z_]+/g)),
    ]
    const reported = findings
      .filter(isProblem)
      .map(({ kind, text }) => [kind, ...variablesIn(text)].join(' '))
    expect(reported).toEqual(scenario.problems ?? [])
    const warnings = findings.filter(({ kind }) => kind === 'warning')
    const warned = warnings.flatMap(({ text }) => variablesIn(text))
    if (scenario.warnings) expect(warned).toEqual(scenario.warnings)
    expect(facts['code-hosting'] ?? {}).toMatchObject(scenario.facts ?? {})
    expect(JSON.stringify(findings)).not.toMatch(/not-the-(?:password|key)/)
  })

  it('returns the texts of the snapshot', async () => {
    let shared: string[] = []
    const texts = [...examined].map(([name, { findings, environment }]) => {
      const { CODE_HOSTING_BASE_URL = '' } = environment
      const lines = findings
        .filter(({ service }) => ['code-hosting', 'event-publishing'].includes(service))
        .map(({ kind, text }) => `${kind}: ${text}`.replaceAll(CODE_HOSTING_BASE_URL, '<base URL>'))
        .filter((line) => !shared.includes(line))
      if (shared.length === 0) shared = lines
      return [name, ...lines].join('\n  ')
    })
    await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot('snapshots/findings.txt')
  })

  it.each([
    ...Object.entries(prefixes).map(([name, prefix]) => [`a wrong password of ${name}`, prefix]),
    ['a server error that a wrong password may have caused', 'CODE_HOSTING'],
    ['a server error that a wrong password may have caused', 'CODE_HOSTING_OTHER'],
  ] as [string, Parameters<typeof withPasswordOf>[1]][])('sends %s once: %s', (name, prefix) => {
    const examination = examined.get(name)
    expect(examination && withPasswordOf(examination, prefix)).toHaveLength(1)
  })
})
