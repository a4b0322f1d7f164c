import { describe, expect, it } from 'vitest'
import { completeEnvironment, problemsOf, targetOf } from './complete-environment.fixture.ts'
import { type VariableName, variables } from './variables.ts'

const baseUrl = { CODE_HOSTING_BASE_URL: 'https://code.example.com' }
const username = { CODE_HOSTING_USERNAME: 'maria' }
const password = { CODE_HOSTING_PASSWORD: 'secret' }
const token = { CODE_HOSTING_TOKEN: 'secret' }

const named = (environment: NodeJS.ProcessEnv) =>
  problemsOf(environment).map(({ variable }) => variable)

describe('variables of a service without its base URL', () => {
  it.each(['CODE_HOSTING_', 'EVENT_PUBLISHING_', 'INCIDENT_STATUS_'])(
    'are one problem that names them all, also when they have defaults: %s',
    (prefix) => {
      const baseUrlName = `${prefix}BASE_URL`
      const problems = problemsOf({ ...completeEnvironment, [baseUrlName]: '' })
      expect(problems).toHaveLength(1)
      expect(problems[0]?.variable).toBe(baseUrlName)
      const told = problems[0]?.message.split(/[ ,]+/) ?? []
      for (const name of Object.keys(variables)) {
        const isSetAndOfTheService = name.startsWith(prefix) && name !== baseUrlName
        expect(told.includes(name)).toBe(isSetAndOfTheService)
      }
    },
  )

  it('are told in a sentence', () => {
    expect(problemsOf({ CODE_HOSTING_TOKEN: 'secret', CODE_HOSTING_CONFLICT: 'PUT /' })).toEqual([
      {
        variable: 'CODE_HOSTING_BASE_URL',
        message:
          'is not set, but CODE_HOSTING_TOKEN and CODE_HOSTING_CONFLICT are: set it too, or unset them',
      },
    ])
    expect(problemsOf({ CODE_HOSTING_DEFAULT_PAGING_NUM: '10' })).toEqual([
      {
        variable: 'CODE_HOSTING_BASE_URL',
        message: 'is not set, but CODE_HOSTING_DEFAULT_PAGING_NUM is: set both or neither',
      },
    ])
  })
})

describe('the main account', () => {
  it.each([
    ['user name and password', { ...username, ...password }],
    ['user name and token', { ...username, ...token }],
    ['user name, password and token', { ...username, ...password, ...token }],
    ['a token alone', token],
    ['nothing', {}],
  ])('may be %s', (_what, account) => {
    expect(targetOf({ ...baseUrl, ...account }).codeHosting).toMatchObject(
      Object.fromEntries(
        Object.entries(account).map(([name, text]) => [name.slice(13).toLowerCase(), text]),
      ),
    )
  })

  it('must not be a user name alone', () => {
    expect(problemsOf({ ...baseUrl, ...username })).toEqual([
      {
        variable: 'CODE_HOSTING_USERNAME',
        message:
          'is set without CODE_HOSTING_PASSWORD or CODE_HOSTING_TOKEN: set one of them, or unset it',
        source: 'process',
      },
    ])
  })

  it.each([
    ['a password alone', password],
    ['a password and a token', { ...password, ...token }],
  ])('must not be %s', (_what, account) => {
    expect(problemsOf({ ...baseUrl, ...account })).toEqual([
      {
        variable: 'CODE_HOSTING_USERNAME',
        message: 'is not set, but CODE_HOSTING_PASSWORD is: set both or neither',
      },
    ])
  })
})

describe('a further account', () => {
  it.each([
    ['OTHER', ['USERNAME', 'PASSWORD']],
    ['ADMIN', ['USERNAME', 'PASSWORD']],
    ['OTP', ['USERNAME', 'PASSWORD', 'SECRET']],
  ])('%s must be complete', (account, parts) => {
    const all = parts.map((part) => `CODE_HOSTING_${account}_${part}` as VariableName)
    for (const missing of all) {
      expect(named({ ...completeEnvironment, [missing]: '' })).toEqual([missing])
      const others = Object.fromEntries(all.map((name) => [name, '']))
      const alone = { ...completeEnvironment, ...others, [missing]: completeEnvironment[missing] }
      expect(named(alone)).toEqual(all.filter((name) => name !== missing))
    }
    const none = Object.fromEntries(all.map((name) => [name, undefined]))
    const target = targetOf({ ...completeEnvironment, ...none })
    expect(target.codeHosting).not.toHaveProperty(account.toLowerCase())
  })

  it.each([
    ['CODE_HOSTING_OTHER_USERNAME', 'maria', 'CODE_HOSTING_USERNAME'],
    ['CODE_HOSTING_OTP_USERNAME', 'Maria', 'CODE_HOSTING_USERNAME'],
    ['CODE_HOSTING_ADMIN_USERNAME', 'MARIA', 'CODE_HOSTING_USERNAME'],
    ['CODE_HOSTING_ADMIN_USERNAME', 'Olga', 'CODE_HOSTING_OTHER_USERNAME'],
  ])('%s must not be %s', (variable, text, from) => {
    expect(problemsOf({ ...completeEnvironment, [variable]: text })).toEqual([
      {
        variable,
        message: `must name another account than ${from}: change or unset one of them`,
        source: 'process',
      },
    ])
  })

  it('needs no main account beside it', () => {
    const main = { CODE_HOSTING_USERNAME: '', CODE_HOSTING_PASSWORD: '', CODE_HOSTING_TOKEN: '' }
    expect(targetOf({ ...completeEnvironment, ...main }).codeHosting?.other?.username).toBe('olga')
  })
})

describe('the repositories', () => {
  it.each(['maria/public', 'Maria/Public'])('must not both be %s', (text) => {
    const environment = { ...completeEnvironment, CODE_HOSTING_PRIVATE_REPOSITORY: text }
    expect(named(environment)).toEqual(['CODE_HOSTING_PRIVATE_REPOSITORY'])
  })

  it('may be given one without the other', () => {
    const target = targetOf({ ...baseUrl, CODE_HOSTING_PRIVATE_REPOSITORY: 'maria/private' })
    expect(target.codeHosting?.privateRepository).toBe('maria/private')
  })
})

describe('the page sizes', () => {
  it('may have a default above the maximum', () => {
    const pages = { CODE_HOSTING_DEFAULT_PAGING_NUM: '90', CODE_HOSTING_MAX_RESPONSE_ITEMS: '9' }
    expect(targetOf({ ...baseUrl, ...pages }).codeHosting?.settings).toMatchObject({
      defaultPagingNum: 90,
      maxResponseItems: 9,
    })
  })
})
