import { describe, expect, it } from 'vitest'
import { TestClient } from './code-hosting/test-client.fixture.ts'
import type { ReferenceOptions } from './index.ts'
import { startAll } from './test-client.fixture.ts'

async function withReference<Result>(
  options: ReferenceOptions,
  use: (client: TestClient) => Promise<Result>,
): Promise<Result> {
  const reference = await startAll(options)
  try {
    return await use(new TestClient(reference))
  } finally {
    await reference.close()
  }
}

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
