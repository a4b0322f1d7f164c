import { describe, expect, it } from 'vitest'
import { completeEnvironment, emptyDirectory } from './complete-environment.fixture.ts'
import { loadTarget } from './load-target.ts'
import { type Settings, settingsOf } from './settings.ts'
import { type VariableName, variables } from './variables.ts'

function settingsIn(environment: NodeJS.ProcessEnv): Settings {
  const loaded = loadTarget({ environment, directory: emptyDirectory })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded.settings
}

const names = Object.keys(variables) as VariableName[]

describe(settingsOf, () => {
  it('has every variable but the addresses, and no secret', () => {
    const settings = settingsIn({ ...completeEnvironment, PROBE_EVIDENCE: 'full' })

    expect(Object.keys(settings)).toEqual(names.filter((name) => !name.endsWith('_BASE_URL')))
    for (const name of names.filter((one) => variables[one].secret)) {
      expect(settings[name]).toBe(`$${name}`)
    }
    expect(settings).toMatchObject({
      CODE_HOSTING_USERNAME: 'maria',
      CODE_HOSTING_MAX_RESPONSE_ITEMS: 50,
      CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME: false,
      CODE_HOSTING_CONFLICT: 'POST /api/v1/user/repos {"name":"public"}',
      EVENT_PUBLISHING_EVENT_PAYLOAD: '{"order": {"lines": [1, null]}}',
    })
  })

  it('leaves out bodies where reports do', () => {
    const settings = settingsIn(completeEnvironment)
    const leftOut = names.filter((name) => settings[name] === `$${name}` && !variables[name].secret)

    expect(leftOut).toEqual([
      'CODE_HOSTING_ARCHIVED_CHANGE',
      'CODE_HOSTING_CONFLICT',
      'CODE_HOSTING_NO_CONTENT',
      'EVENT_PUBLISHING_EVENT_TYPE',
      'EVENT_PUBLISHING_EVENT_PAYLOAD',
      'EVENT_PUBLISHING_REPLAY_BODY',
      'INCIDENT_STATUS_UPDATE_BODY',
    ])
  })

  it('has defaults, of services that are configured', () => {
    const settings = settingsIn({ EVENT_PUBLISHING_BASE_URL: 'https://events.example.com' })

    expect(settings).toEqual({
      EVENT_PUBLISHING_EVENT_TYPE: variables.EVENT_PUBLISHING_EVENT_TYPE.default,
      EVENT_PUBLISHING_EVENT_PAYLOAD: variables.EVENT_PUBLISHING_EVENT_PAYLOAD.default,
      PROBE_READ_ONLY: false,
      PROBE_WORDING: 'strict',
      PROBE_EVIDENCE: 'full',
      PROBE_CONCURRENCY: 8,
      PROBE_TIMEOUT_MS: 10_000,
      PROBE_RETRIES: 2,
      PROBE_MAX_BODY_BYTES: 10_485_760,
      PROBE_MAX_PAGES: 100,
    })
  })
})
