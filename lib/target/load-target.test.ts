import { describe, expect, it } from 'vitest'
import { completeEnvironment, problemsOf, targetOf } from './complete-environment.fixture.ts'

const baseUrl = { CODE_HOSTING_BASE_URL: 'https://code.example.com' }

describe('a valid environment', () => {
  it('gives every variable its place in the target', () => {
    expect(targetOf(completeEnvironment)).toStrictEqual({
      codeHosting: {
        baseUrl: 'https://code.example.com/forge',
        username: 'maria',
        password: 'main: pass#word',
        token: '0123456789abcdef',
        other: { username: 'olga', password: 'other password' },
        otp: { username: 'otto', password: 'two-factor password', secret: 'JBSWY3DPEHPK3PXP' },
        admin: { username: 'ada', password: 'admin password' },
        publicRepository: 'maria/public',
        privateRepository: 'maria/private',
        archivedChange: {
          method: 'PATCH',
          path: '/api/v1/repos/maria/old',
          body: '{"description": "new"}',
        },
        conflict: { method: 'POST', path: '/api/v1/user/repos', body: '{"name":"public"}' },
        noContent: { method: 'DELETE', path: '/api/v1/things?all=1', body: null },
        settings: {
          maxResponseItems: 50,
          defaultPagingNum: 30,
          defaultGitTreesPerPage: 500,
          defaultMaxBlobSize: 2048,
          defaultMaxResponseSize: 4096,
          allowLegacyTokenScheme: false,
          disableQueryAuthToken: true,
        },
        gatewayRateLimits: true,
        tokenDeletePath: '/api/v1/users/{username}/tokens/{name}',
      },
      eventPublishing: {
        baseUrl: 'https://events.example.com/bus',
        apiKey: 'events:key=1',
        eventType: 'order.created',
        eventTypeConfigured: true,
        eventPayload: '{"order": {"lines": [1, null]}}',
        eventId: 'evt/1',
        eventIdPointer: '/event/id',
        replayBody: '{"reason": "probe"}',
      },
      incidentStatus: {
        baseUrl: 'https://status.example.com/page',
        apiKey: 'incidents:key=1',
        incidentId: 'inc/1',
        updateBody: '{"message": "test"}',
      },
      probe: {
        readOnly: true,
        wording: 'advisory',
        evidence: 'headers',
        concurrency: 4,
        timeoutMs: 500,
        retries: 0,
        maxBodyBytes: 1024,
        maxPages: 7,
        proxy: {},
      },
    })
  })

  it('has the defaults of the table for all that is not set, and no key for what is absent', () => {
    expect(targetOf(baseUrl)).toStrictEqual({
      codeHosting: {
        baseUrl: 'https://code.example.com',
        settings: {
          maxResponseItems: 25,
          defaultPagingNum: 20,
          defaultGitTreesPerPage: 1000,
          defaultMaxBlobSize: 10485760,
          defaultMaxResponseSize: 104857600,
          allowLegacyTokenScheme: true,
          disableQueryAuthToken: false,
        },
        gatewayRateLimits: false,
      },
      probe: {
        readOnly: false,
        wording: 'strict',
        evidence: 'full',
        concurrency: 8,
        timeoutMs: 10000,
        retries: 2,
        maxBodyBytes: 10485760,
        maxPages: 100,
        proxy: {},
      },
    })
  })

  it('has no service when none is configured', () => {
    expect(Object.keys(targetOf({}))).toEqual(['probe'])
    expect(targetOf({ PROBE_RETRIES: '1', PATH: '/bin' })).toMatchObject({ probe: { retries: 1 } })
  })

  it('is plain data, the same after cloning and after JSON', () => {
    const target = targetOf({ ...completeEnvironment, no_proxy: 'localhost' })
    expect(structuredClone(target)).toStrictEqual(target)
    expect(JSON.parse(JSON.stringify(target))).toStrictEqual(target)
  })

  it('leaves the environment as it is', () => {
    const environment = Object.freeze({ ...completeEnvironment })
    targetOf(environment)
    expect(environment).toEqual(completeEnvironment)
  })

  it.each([
    ['https://code.example.com///', 'https://code.example.com'],
    ['HTTPS://Code.Example.com:443/Forge//', 'https://code.example.com/Forge'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
    ['https://code.example.com/api', 'https://code.example.com/api'],
    ['https://code.example.com/api/v1/forge', 'https://code.example.com/api/v1/forge'],
    ['  https://code.example.com\n', 'https://code.example.com'],
  ])('reads the base URL %j as %j', (text, expected) => {
    expect(targetOf({ CODE_HOSTING_BASE_URL: text }).codeHosting?.baseUrl).toBe(expected)
  })

  it.each([
    'JBSWY3DPEHPK3PXP',
    'jbsw y3dp ehpk 3pxp',
    'JBSWY3DPEHPK3PXP====',
    'JBSW Y3DP EHPK 3PXP ==\n',
  ])('reads the one-time code secret %j in its normal form', (text) => {
    const target = targetOf({ ...completeEnvironment, CODE_HOSTING_OTP_SECRET: text })
    expect(target.codeHosting?.otp?.secret).toBe('JBSWY3DPEHPK3PXP')
  })

  it.each([
    ['DELETE /things', { method: 'DELETE', path: '/things', body: null }],
    ['PURGE-ALL  /things   [1, 2]', { method: 'PURGE-ALL', path: '/things', body: '[1, 2]' }],
    ['PUT / null', { method: 'PUT', path: '/', body: 'null' }],
    [
      'POST /a?b=c {\n"d": "e f"\n}\n',
      { method: 'POST', path: '/a?b=c', body: '{\n"d": "e f"\n}' },
    ],
  ])('reads the supplied request %j', (text, expected) => {
    const target = targetOf({ ...baseUrl, CODE_HOSTING_CONFLICT: text })
    expect(target.codeHosting?.conflict).toStrictEqual(expected)
  })

  it('keeps spaces around a password', () => {
    const target = targetOf({ ...completeEnvironment, CODE_HOSTING_PASSWORD: ' p w ' })
    expect(target.codeHosting?.password).toBe(' p w ')
  })
})

describe('an empty value', () => {
  it('counts as not set, for known and for unknown variables', () => {
    const blank = Object.fromEntries(Object.keys(completeEnvironment).map((name) => [name, '']))
    expect(targetOf({ ...blank, CODE_HOSTING_WHATEVER: '' })).toEqual(targetOf({}))
    expect(targetOf({ ...blank, PROBE_RETRIES: ' ' }).probe.retries).toBe(2)
  })
})

describe('an unknown variable', () => {
  it.each([
    ['CODE_HOSTING_USER_NAME', 'CODE_HOSTING_USERNAME'],
    ['CODE_HOSTING_USER', 'CODE_HOSTING_USERNAME'],
    ['CODE_HOSTING_URL', 'CODE_HOSTING_BASE_URL'],
    ['CODE_HOSTING_OTHER_PASWORD', 'CODE_HOSTING_OTHER_PASSWORD'],
    ['CODE_HOSTING_MAX_RESPONSE_ITEM', 'CODE_HOSTING_MAX_RESPONSE_ITEMS'],
    ['EVENT_PUBLISHING_KEY', 'EVENT_PUBLISHING_API_KEY'],
    ['EVENT_PUBLISHING_EVENT_POINTER', 'EVENT_PUBLISHING_EVENT_ID_POINTER'],
    ['EVENT_PUBLISHING_TYPE', 'EVENT_PUBLISHING_EVENT_TYPE'],
    ['INCIDENT_STATUS_URL', 'INCIDENT_STATUS_BASE_URL'],
    ['INCIDENT_STATUS_ID', 'INCIDENT_STATUS_INCIDENT_ID'],
    ['PROBE_TIMEOUT', 'PROBE_TIMEOUT_MS'],
    ['PROBE_READONLY', 'PROBE_READ_ONLY'],
  ])('%s is told with the nearest name, %s', (name, nearest) => {
    expect(problemsOf({ [name]: 'x' })).toEqual([
      { variable: name, message: `is not known: did you mean ${nearest}?`, source: 'process' },
    ])
  })

  it.each([
    'CODE_HOSTING_FROBNICATE',
    'EVENT_PUBLISHING_FROBNICATE',
    'INCIDENT_STATUS_',
    'PROBE_COLOUR',
    'PROBE_',
  ])('%s has no near name', (name) => {
    const [problem] = problemsOf({ [name]: 'x' })
    expect(problem?.message).toBe('is not known: check the spelling or unset it')
  })

  it('of another prefix is none of our business', () => {
    expect(targetOf({ CODE_HOST: 'x', probe_retries: 'x', MY_PROBE_X: 'x' })).toEqual(targetOf({}))
  })
})
