import { describe, expect, it } from 'vitest'
import { completeEnvironment, emptyDirectory, problemsOf } from './complete-environment.fixture.ts'
import { loadTarget } from './load-target.ts'

const named = (environment: NodeJS.ProcessEnv) =>
  problemsOf(environment).map(({ variable }) => variable)

describe('all problems', () => {
  it('are told at once, in the order of the table, unknown ones last', () => {
    const environment = {
      PROBE_SPEED: 'x',
      PROBE_RETRIES: 'x',
      CODE_HOSTING_TOKEN: 'x y',
      CODE_HOSTING_ADMIN_USERNAME: 'ada',
      http_proxy: 'ftp://proxy.example.com',
      INCIDENT_STATUS_UPDATE_BODY: '{',
      EVENT_PUBLISHING_REPLAY_BODY: '{}',
    }
    expect(named(environment)).toEqual([
      'CODE_HOSTING_BASE_URL',
      'CODE_HOSTING_TOKEN',
      'CODE_HOSTING_ADMIN_PASSWORD',
      'EVENT_PUBLISHING_BASE_URL',
      'INCIDENT_STATUS_BASE_URL',
      'INCIDENT_STATUS_UPDATE_BODY',
      'PROBE_RETRIES',
      'PROBE_SPEED',
      'http_proxy',
    ])
  })

  it('never hold a value, whatever stands in whichever variable', () => {
    const wrong = (index: number) => `plänted${index}:pl4nted \u0007 /a?b=c#d`
    const names = [
      ...Object.keys(completeEnvironment),
      'EVENT_PUBLISHING_UNKNOWN',
      'INCIDENT_STATUS_UNKNOWN',
      'PROBE_UNKNOWN',
      'https_proxy',
      'HTTP_PROXY',
    ]
    const environment = Object.fromEntries(names.map((name, index) => [name, wrong(index)]))
    const problems = problemsOf(environment)
    expect(new Set(problems.map(({ variable }) => variable))).toEqual(new Set(names))
    expect(JSON.stringify(problems)).not.toMatch(/pl.{1,6}nted/i)
  })

  it.each([
    'PLANTED',
    'PLANTED\n',
    'https://PLANTED:PLANTED@PLANTED.example/?PLANTED#PLANTED',
    'https://PLANTED.example/PLANTED/api/v1/',
    '{"PLANTED": "PLANTED" PLANTED}',
    '["PLANTED", "PLAN TED"]',
    '/PLANTED/~PLANTED',
    'PLANTED /PLANTED {"PLANTED":',
    '/PLANTED/{PLANTED}/{name}',
  ])('never hold %j, which variables are mistaken for each other', (text) => {
    const names = Object.keys(completeEnvironment)
    const problems = problemsOf(Object.fromEntries(names.map((name) => [name, text])))
    expect(problems.length).toBeGreaterThan(names.length / 2)
    expect(JSON.stringify(problems)).not.toMatch(/planted/i)
  })

  it('never hold a value that is wrong because of another one', () => {
    const planted = 'PLANTED'
    const text = JSON.stringify([
      problemsOf({ CODE_HOSTING_PASSWORD: planted, CODE_HOSTING_OTP_SECRET: planted }),
      problemsOf({
        ...completeEnvironment,
        CODE_HOSTING_USERNAME: planted,
        CODE_HOSTING_ADMIN_USERNAME: planted,
      }),
      problemsOf({
        ...completeEnvironment,
        CODE_HOSTING_PUBLIC_REPOSITORY: `${planted}/x`,
        CODE_HOSTING_PRIVATE_REPOSITORY: `${planted}/x`,
      }),
      problemsOf({ EVENT_PUBLISHING_API_KEY: planted, EVENT_PUBLISHING_EVENT_TYPE: planted }),
      problemsOf({ INCIDENT_STATUS_API_KEY: planted, INCIDENT_STATUS_INCIDENT_ID: planted }),
      loadTarget({ environment: {}, envFile: planted, directory: emptyDirectory }),
    ])
    expect(text).toContain('problems')
    expect(text).not.toContain(planted)
  })
})
