import { beforeAll, describe, expect, it } from 'vitest'
import { fingerprint } from './code-hosting/fingerprint.ts'
import { TestClient } from './code-hosting/test-client.ts'
import { eventFingerprint } from './event-publishing/fingerprint.ts'
import { EventClient } from './event-publishing/test-client.ts'
import { incidentFingerprint } from './incident-status/fingerprint.ts'
import { IncidentClient } from './incident-status/test-client.ts'
import { faults, type ReferenceOptions, type RunningReference } from './index.ts'
import { startAll } from './test-client.ts'

async function withRunning<Result>(
  options: ReferenceOptions,
  use: (reference: RunningReference) => Promise<Result>,
): Promise<Result> {
  const reference = await startAll(options)
  try {
    return await use(reference)
  } finally {
    await reference.close()
  }
}

function withReference<Result>(
  options: ReferenceOptions,
  use: (client: TestClient) => Promise<Result>,
): Promise<Result> {
  return withRunning(options, (reference) => use(new TestClient(reference)))
}

const fingerprints: Readonly<
  Record<string, (reference: RunningReference) => Promise<readonly string[]>>
> = {
  'code-hosting': (reference) => fingerprint(new TestClient(reference)),
  'event-publishing': (reference) => eventFingerprint(new EventClient(reference)),
  'incident-status': (reference) => incidentFingerprint(new IncidentClient(reference)),
}

async function fingerprintOf(
  service: string,
  options: ReferenceOptions = {},
): Promise<readonly string[]> {
  return withRunning(options, async (reference) => (await fingerprints[service]?.(reference)) ?? [])
}

// What they change goes for most responses.
const everywhere = new Set([
  'rate-limit-headers-sent',
  'content-type-text',
  'error-body-without-url',
  'deprecation-headers-on-bearer',
  'event-publish-refused',
  'incident-update-accepted-without-credentials',
])

const documented = new Map<string, readonly string[]>()

beforeAll(async () => {
  for (const service of Object.keys(fingerprints)) {
    documented.set(service, await fingerprintOf(service))
  }
})

describe('faults', () => {
  it.each(Object.keys(fingerprints))(
    'can be told from the document: without one, two starts of %s answer alike',
    async (service) => {
      expect(await fingerprintOf(service)).toEqual(documented.get(service))
      expect(documented.get(service)?.length).toBeGreaterThan(10)
    },
  )

  it.each(faults.map(({ name, requirements }) => [name, requirements[0]?.split('/')[0] ?? '']))(
    '%s changes some answers of %s, not all',
    async (fault, service) => {
      const expected = documented.get(service) ?? []
      const answers = await fingerprintOf(service, { fault })
      const changed = answers.filter((answer, index) => answer !== expected[index])
      expect(changed.length).toBeGreaterThan(0)
      if (!everywhere.has(fault)) expect(changed.length).toBeLessThan(expected.length / 2)
    },
  )
})

describe('some faults in detail', () => {
  it('next-link-stuck repeats the page for ever', async () => {
    await withReference({ fault: 'next-link-stuck' }, async (client) => {
      const authorization = client.basic('')
      const { headers } = await client.send('/api/v1/user/repos?page=2', { authorization })
      expect(headers.get('Link')).toContain('page=2>; rel="next"')
    })
  })

  it('token-value-in-listing shows a value that was to be shown once', async () => {
    await withReference({ fault: 'token-value-in-listing' }, async (client) => {
      const token = await client.token('', 'all')
      const authorization = `Bearer ${token}`
      const listing = await client.send('/api/v1/user/repos', { authorization })
      const user = await client.send('/api/v1/user', { authorization })
      expect(listing.text).toContain(token)
      expect(user.text).not.toContain(token)
    })
  })

  it('server-error-message-shown fails one request and tells why', async () => {
    await withReference({ fault: 'server-error-message-shown' }, async (client) => {
      const authorization = client.basic('')
      const list = () => client.send('/api/v1/user/repos', { authorization })
      const failed = await list()
      expect(failed.status).toBe(500)
      expect(failed.json).toMatchObject({ message: 'the database is locked' })
      expect((await list()).status).toBe(200)
    })
  })

  it('content-on-no-content sends bytes that no 204 has', async () => {
    await withReference({ fault: 'content-on-no-content' }, async (client) => {
      const token = await client.token('', 'all')
      const answer = await client.supplied(client.variable('NO_CONTENT'), token)
      expect(answer.status).toBe(204)
      expect(answer.headers.get('Content-Length')).toBe('13')
    })
  })

  it('keeps its state to one start', async () => {
    for (let start = 0; start < 2; start += 1) {
      await withReference({ fault: 'server-error-message-shown' }, async (client) => {
        const authorization = client.basic('')
        const answer = await client.send('/api/v1/user/repos', { authorization })
        expect(answer.status).toBe(500)
      })
    }
  })
})
