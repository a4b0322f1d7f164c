import { describe, expect, it } from 'vitest'
import { targetOf } from './complete-environment.fixture.ts'

const baseUrl = { INCIDENT_STATUS_BASE_URL: 'https://status.example.com' }

const incidentStatusOf = (environment: NodeJS.ProcessEnv) =>
  targetOf({ ...baseUrl, ...environment }).incidentStatus

describe('an incident status service', () => {
  it('has no defaults, and no key for what is absent', () => {
    expect(incidentStatusOf({})).toStrictEqual({ baseUrl: 'https://status.example.com' })
  })

  it('may be the only one', () => {
    expect(Object.keys(targetOf(baseUrl))).toEqual(['incidentStatus', 'probe'])
  })

  it.each([
    ['https://status.example.com///', 'https://status.example.com'],
    ['HTTPS://Status.Example.com:443/Page//', 'https://status.example.com/Page'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['https://status.example.com/v1/page', 'https://status.example.com/v1/page'],
    ['https://status.example.com/v10', 'https://status.example.com/v10'],
    ['  https://status.example.com\n', 'https://status.example.com'],
  ])('reads the base URL %j as %j', (text, expected) => {
    expect(incidentStatusOf({ INCIDENT_STATUS_BASE_URL: text })?.baseUrl).toBe(expected)
  })

  it.each(['key1', 'k'.repeat(4096), 'isk_0123456789abcdef', 'a:b=c/d+e~"{}'])(
    'takes the API key %j',
    (text) => {
      expect(incidentStatusOf({ INCIDENT_STATUS_API_KEY: text })?.apiKey).toBe(text)
    },
  )

  it.each(['inc_1', '7', 'a b', 'a/b', 'a%2Fb', '...', 'é'])('takes the id %j', (text) => {
    expect(incidentStatusOf({ INCIDENT_STATUS_INCIDENT_ID: text })?.incidentId).toBe(text)
  })

  it.each(['{"a" :  1}', '[]', 'null', '"text"', '{\n"a": "ü"\n}'])(
    'has the update %j as it is',
    (text) => {
      const environment = { INCIDENT_STATUS_UPDATE_BODY: `${text}\n` }
      expect(incidentStatusOf(environment)?.updateBody).toBe(text)
    },
  )
})
