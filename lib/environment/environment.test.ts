import { describe, expect, it } from 'vitest'
import { loadTarget, secretSettings, variables } from '../cli/services.ts'
import { publicTexts, Redactor } from '../probe/redaction/redaction.ts'
import {
  completeEnvironment,
  emptyDirectory,
  problemsOf,
  targetOf,
} from './complete-environment.fixture.ts'
import type { ConfiguredTarget, Settings } from './environment.ts'
import type { Problem } from './variable.ts'

const baseUrl = { CODE_HOSTING_BASE_URL: 'https://code.example.com' }
const names: string[] = Object.keys(completeEnvironment)
const secretNames = names.filter((name) => variables.some((one) => one.name === name && one.secret))

const named = (environment: NodeJS.ProcessEnv) =>
  problemsOf(environment).map(({ variable }) => variable)

const unset = (...absent: string[]) => Object.fromEntries(absent.map((name) => [name, '']))

function configured(environment: NodeJS.ProcessEnv): ConfiguredTarget {
  const loaded = loadTarget({ environment, directory: emptyDirectory })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded
}

const settingsIn = (environment: NodeJS.ProcessEnv): Settings =>
  Object.assign({}, ...Object.values(configured(environment).settings))

describe('loadTarget', () => {
  it('returns a target with the value of every variable', () => {
    expect(targetOf(completeEnvironment)).toMatchObject({
      codeHosting: {
        baseUrl: 'https://code.example.com/forge',
        username: 'maria',
        other: { username: 'olga', password: 'other password' },
        otp: { username: 'otto', password: 'two-factor password', secret: 'JBSWY3DPEHPK3PXP' },
        conflict: { method: 'POST', path: '/api/v1/user/repos', body: '{"name":"public"}' },
        settings: { maxResponseItems: 50, allowLegacyTokenScheme: false },
        tokenDeletePath: '/api/v1/users/{username}/tokens/{name}',
      },
      eventPublishing: { eventType: 'order.created', eventId: 'evt_123' },
      incidentStatus: { apiKey: 'incidents:key=1' },
      probe: { readOnly: true, wording: 'advisory', concurrency: 4, proxy: {} },
    })
  })

  it('returns defaults for unset variables, and no key for absent values', () => {
    const probe = expect.objectContaining({ readOnly: false, concurrency: 8, proxy: {} })
    expect(targetOf({})).toStrictEqual({ probe })
    expect(targetOf({ EVENT_PUBLISHING_BASE_URL: 'https://events.example.com' })).toStrictEqual({
      eventPublishing: {
        baseUrl: 'https://events.example.com',
        eventPayload: '{"source":"plumbline"}',
      },
      probe,
    })
  })

  it('ignores empty values of known and unknown variables, and other prefixes', () => {
    const empty = { ...unset(...names), CODE_HOSTING_WHATEVER: '', PROBE_RETRIES: ' ' }
    const others = { CODE_HOST: 'x', probe_retries: 'x', MY_PROBE_X: 'x' }
    expect(targetOf({ ...empty, ...others })).toEqual(targetOf({}))
  })
})

it('PROBE_HEADERS may have a field of a service that is not configured', () => {
  const PROBE_HEADERS = '{"X-Api-Key":"secret-of-the-gateway","Cookie":"session=1"}'
  expect(targetOf({ ...baseUrl, PROBE_HEADERS }).probe.headers).toBeDefined()
  const EVENT_PUBLISHING_BASE_URL = 'https://events.example.com'
  expect(named({ ...baseUrl, PROBE_HEADERS, EVENT_PUBLISHING_BASE_URL })).toEqual(['PROBE_HEADERS'])
})

describe('variables that belong together', () => {
  it('are reported as one problem if the base URL is missing, including variables with defaults', () => {
    const missing = 'EVENT_PUBLISHING_BASE_URL'
    const problems = problemsOf({ ...completeEnvironment, [missing]: '' })
    const [problem] = problems
    expect(problems).toMatchObject([{ variable: missing }])
    const others = names.filter((name) => /^EVENT_/.test(name) && name !== missing)
    const reported = problem?.message.split(/[ ,:]+/).filter((word) => names.includes(word))
    expect(reported).toEqual(others)
  })

  it('are all required for an account, which is absent otherwise', () => {
    const all = ['USERNAME', 'PASSWORD', 'SECRET'].map((part) => `CODE_HOSTING_OTP_${part}`)
    for (const missing of all) {
      expect(named({ ...completeEnvironment, [missing]: '' })).toEqual([missing])
    }
    const target = targetOf({ ...completeEnvironment, ...unset(...all) })
    expect(target.codeHosting).not.toHaveProperty('otp')
  })
})

describe('the secrets of a target', () => {
  it('returns the secret variables with their values', () => {
    const values = { ...completeEnvironment, CODE_HOSTING_OTP_SECRET: 'JBSWY3DPEHPK3PXP' }
    expect(configured(completeEnvironment).secrets).toEqual(
      Object.entries(values).flatMap(([name, value]) => {
        if (name === 'PROBE_HEADERS') return [{ name: 'HEADER_X_GATEWAY', value: 'gate: way/1' }]
        return secretNames.includes(name) ? [{ name, value }] : []
      }),
    )
  })

  it('returns every value of PROBE_HEADERS, and the tokens in it', () => {
    const PROBE_HEADERS =
      '{"X-Short":"1","cookie":"a=b; session=0123456789ab==","X-Id":"Bearer eyJhbGciOi.J9"}'
    const secrets = [
      ['HEADER_X_SHORT', '1'],
      ['HEADER_COOKIE', 'a=b; session=0123456789ab=='],
      ['HEADER_COOKIE', '0123456789ab=='],
      ['HEADER_X_ID', 'Bearer eyJhbGciOi.J9'],
      ['HEADER_X_ID', 'eyJhbGciOi.J9'],
    ].map(([name, value]) => ({ name, value }))
    expect(configured({ PROBE_HEADERS }).secrets).toEqual(secrets)
    expect(secretSettings({ PROBE_HEADERS })).toEqual([
      { name: 'PROBE_HEADERS', value: PROBE_HEADERS },
      ...secrets,
    ])
  })

  const encoded = Buffer.from('gateway:S3cretPassw0rd!').toString('base64')
  const latin1 = Buffer.from('gäte:päss', 'latin1').toString('base64')
  it.each<[field: string, value: string, parts: string[]]>([
    ['X-Auth', 'Bearer hunter22x', ['hunter22x']],
    ['X-Auth', 'ApiKey  ab12', ['ab12']],
    ['X-Auth', 'gateway:S3cretPassw0rd!', ['S3cretPassw0rd!']],
    ['X-Auth', 'key-17:pass:word', ['pass:word', 'key-17']],
    ['X-Auth', `Basic ${encoded}`, [encoded, 'gateway:S3cretPassw0rd!', 'S3cretPassw0rd!']],
    ['X-Auth', `basic ${latin1}`, [latin1, 'gäte:päss', 'gäte', 'päss']],
    ['Cookie', 'a=ab12; b="cd34"; c=true', ['ab12', 'cd34']],
    ['X-Debug', 'true', []],
    ['X-Forwarded-Host', 'git.example.com:3000', ['3000']],
    ['Referer', 'https://git.example.com', []],
    ['X-Purpose', 'a=ab12; b=cd34', []],
  ])('returns of the field %s: %s its parts %j', (field, value, parts) => {
    const found = configured({ PROBE_HEADERS: JSON.stringify({ [field]: value }) }).secrets
    const whole = value === 'true' ? [] : [value]
    expect(found.map((one) => one.value).sort()).toEqual([...whole, ...parts].sort())
  })

  it.each([
    ['Bearer hunter22x', 'got hunter22x', 'got $HEADER_X_AUTH'],
    [`Basic ${encoded}`, 'gateway S3cretPassw0rd!', 'gateway $HEADER_X_AUTH'],
    ['Negotiate ab12', 'Negotiate, Negotiate ab12', 'Negotiate, $HEADER_X_AUTH'],
  ])('a redactor replaces the parts of %s, and keeps schemes and words', (value, text, shown) => {
    const PROBE_HEADERS = JSON.stringify({ 'X-Auth': value })
    const { target, secrets } = configured({ PROBE_HEADERS })
    const redactor = new Redactor({ names: publicTexts(target, secrets), secrets })
    expect(redactor.redact(`Bearer, Basic, Negotiate, ${text}`)).toBe(
      `Bearer, Basic, Negotiate, ${shown}`,
    )
  })

  it.each([
    ['http://maria:secret@proxy', ['secret']],
    ['http://maria:s%C3%A9cret%40@proxy', ['sécret@', 's%C3%A9cret%40']],
    ['http://maria:s|cret@proxy', ['s|cret', 's%7Ccret']],
    ['http://maria:100%@proxy', ['100%']],
    ['http://proxy:3128', []],
  ])('returns the password of the proxy %s', (text, values) => {
    const secrets = values.map((value) => ({ name: 'HTTPS_PROXY', value }))
    expect(configured({ https_proxy: text }).secrets).toEqual(secrets)
  })

  it('leaves out every text with a secret from the public texts', () => {
    const https_proxy = 'http://u:begin%7Cend@proxy'
    const environment = { ...completeEnvironment, PROBE_CONNECT_TO: '', https_proxy }
    const { target, secrets } = configured(environment)
    const texts = publicTexts(target, secrets)
    expect(texts).toContain(completeEnvironment.CODE_HOSTING_USERNAME)
    for (const { value } of secrets) expect(texts.join('\n')).not.toContain(value)
  })

  it('returns secrets even if the target is invalid', () => {
    const environment = {
      CODE_HOSTING_PASSWORD: 'a\nb',
      CODE_HOSTING_TOKEN: '',
      CODE_HOSTING_USERNAME: 'maria',
      PASSWORD: 'x',
    }
    expect(secretSettings(environment)).toEqual([{ name: 'CODE_HOSTING_PASSWORD', value: 'a\nb' }])
  })
})

describe('settings of a target', () => {
  it('contain every variable except base URLs, and no secret', () => {
    const settings = settingsIn({ ...completeEnvironment, PROBE_EVIDENCE: 'full' })

    expect(Object.keys(settings)).toEqual(names.filter((name) => !name.endsWith('_BASE_URL')))
    expect(settings).toMatchObject({
      ...Object.fromEntries(secretNames.map((name) => [name, `$${name}`])),
      PROBE_HEADERS: '{"X-Gateway":"$HEADER_X_GATEWAY"}',
      CODE_HOSTING_MAX_RESPONSE_ITEMS: 50,
      CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME: false,
      CODE_HOSTING_CONFLICT: 'POST /api/v1/user/repos {"name":"public"}',
    })
  })

  it('omit bodies if reports have none', () => {
    const settings = settingsIn(completeEnvironment)
    const omitted = names.filter((name) => settings[name] === `$${name}`)

    expect(omitted.filter((name) => !secretNames.includes(name))).toEqual([
      'CODE_HOSTING_ARCHIVED_CHANGE',
      'CODE_HOSTING_CONFLICT',
      'CODE_HOSTING_NO_CONTENT',
      'EVENT_PUBLISHING_EVENT_TYPE',
      'EVENT_PUBLISHING_EVENT_PAYLOAD',
      'EVENT_PUBLISHING_REPLAY_BODY',
      'INCIDENT_STATUS_UPDATE_BODY',
    ])
  })
})

describe('loadTarget with any texts', () => {
  const problemsIn = (environment: NodeJS.ProcessEnv): Problem[] => {
    const loaded = loadTarget({ environment, directory: emptyDirectory })
    return 'problems' in loaded ? loaded.problems : []
  }

  it('reads long texts in linear time', () => {
    // A quadratic function would exceed the time limit of the test.
    for (const piece of ['a', '/', ' ', '{', 'A', '%', ':', '.', '~', '"', 'a ']) {
      const text = piece.repeat(300_000 / piece.length)
      const environment = Object.fromEntries(names.map((name) => [name, text]))
      expect(problemsIn(environment).length).toBeLessThan(3 * names.length)
    }
  })
})
