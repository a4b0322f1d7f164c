import { get } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { startReference } from '../index.ts'
import { TestClient } from './test-client.fixture.ts'

const list = '/api/v1/user/repos'
const open: TestClient[] = []

async function start(variant: string): Promise<TestClient> {
  const client = new TestClient(await startReference({ variant }))
  open.push(client)
  return client
}

function pageOf(client: TestClient, query = '') {
  return client.send(list + query, { authorization: client.basic('') })
}

function namesIn(json: unknown): string[] {
  return (json as { full_name: string }[]).map((record) => record.full_name)
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.reference.close()))
})

describe('Link', () => {
  it.each([
    ['link-quoted-without-spaces', /^<[^>]+>;rel="next",<[^>]+>;rel="last"$/],
    ['link-with-many-spaces', /^<[^>]+> {2};; \trel = {2}"next" \t, {2}<[^>]+> {2};; \trel/],
    [
      'link-with-further-parameters',
      /^<[^>]+>; title="<next>; rel=\\"prev\\", and more"; rel="next"/,
    ],
    ['link-relations-in-upper-case', /^<[^>]+>; REL="NEXT", <[^>]+>; REL="LAST"$/],
    ['link-with-further-query', /^<[^>]+\?sort=name&order=asc&q=%C3%A4%26b&limit=20&page=2>/],
    ['link-by-cursor', /^<[^>]+\?after=\w+&limit=20>; rel="next"/],
  ])('%s', async (variant, form) => {
    expect((await pageOf(await start(variant))).headers.get('Link')).toMatch(form)
  })

  it('link-relations-sharing-a-target names both relations at once', async () => {
    const client = await start('link-relations-sharing-a-target')
    const link = (await pageOf(client, '?page=2')).headers.get('Link')
    expect(link).toMatch(/^<[^>]+page=3>; rel="next last", <[^>]+page=1>; rel="first prev"$/)
  })

  it('link-in-several-lines sends a field for each link', async () => {
    const client = await start('link-in-several-lines')
    const headers = { Authorization: client.basic('') }
    const names = await new Promise<string[]>((resolve, reject) => {
      get(client.reference.baseUrl + list, { headers }, (message) => {
        message.resume().on('end', () => resolve(message.rawHeaders))
      }).on('error', reject)
    })
    expect(names.filter((name) => name === 'link')).toHaveLength(2)
  })

  it('link-by-cursor leads to the page', async () => {
    const client = await start('link-by-cursor')
    const [, target = ''] =
      /^<([^>]+)>/.exec((await pageOf(client)).headers.get('Link') ?? '') ?? []
    const second = await pageOf(client, new URL(target).search)
    expect(second.headers.get('X-Page')).toBe('2')
    expect(namesIn(second.json)).toEqual(namesIn((await pageOf(client, '?page=2')).json))
  })

  it('link-repeats-the-request with all that it asks', async () => {
    const client = await start('link-repeats-the-request')
    const token = await client.token('', 'all')
    const query = `limit=1000&x=1&access_token=${token}`
    const answer = await client.send(`${list}?${query}`)
    expect(answer.headers.get('Link')).toContain(`?${query}&page=2>; rel="next"`)
  })
})

describe('lists that change', () => {
  it.each([
    ['list-that-grows', '57', ['58', '59']],
    ['list-that-shrinks', '57', ['56', '55']],
    ['list-that-never-settles-inconclusive', '57', ['58', '59', '60', '61']],
  ])('%s goes from %s to %j', async (variant, begin, others) => {
    const client = await start(variant)
    const totals = new Set<string | null>()
    for (let listing = 1; listing <= (others.length > 2 ? 16 : 50); listing += 1) {
      totals.add((await pageOf(client)).headers.get('X-Total-Count'))
    }
    expect([...totals]).toEqual([begin, ...others])
  })

  it('list-that-is-rearranged keeps its total', async () => {
    const client = await start('list-that-is-rearranged')
    const firsts = new Set<string | undefined>()
    for (let listing = 1; listing <= 50; listing += 1) {
      const { headers, json } = await pageOf(client)
      firsts.add(namesIn(json)[0])
      expect(headers.get('X-Total-Count')).toBe('57')
    }
    expect(firsts.size).toBe(3)
  })

  it('items-of-a-page-in-turns has the same items in another order', async () => {
    const client = await start('items-of-a-page-in-turns')
    const [one, other] = [await pageOf(client), await pageOf(client)]
    expect(namesIn(one.json)).not.toEqual(namesIn(other.json))
    expect(namesIn(one.json).sort()).toEqual(namesIn(other.json).sort())
  })
})

describe('tokens', () => {
  it('token-values-in-base64 work in every place', async () => {
    const client = await start('token-values-in-base64')
    const answer = await client.createToken('', { name: 'one', scopes: ['all'] })
    const { sha1, token_last_eight } = Object(answer.json)
    expect(sha1).toMatch(/^v1\.[\w+/]{50,}=*$/)
    expect(sha1.slice(-8)).toBe(token_last_eight)
    const query = `?token=${encodeURIComponent(sha1)}`
    expect((await client.send(`/api/v1/user${query}`)).status).toBe(200)
    const authorization = `Bearer ${sha1}`
    expect((await client.send('/api/v1/user', { authorization })).status).toBe(200)
  })

  it.each([
    ['repositories-need-read-user', 'read:user', 'read:repository'],
    ['repositories-need-read-repository', 'read:repository', 'read:user'],
  ])('%s opens the list for %s and not for %s', async (variant, opening, other) => {
    const client = await start(variant)
    const statusWith = async (scope: string) => {
      const authorization = `Bearer ${await client.token('', scope)}`
      return (await client.send(list, { authorization })).status
    }
    expect(await statusWith(opening)).toBe(200)
    expect(await statusWith(other)).toBe(403)
  })
})

describe('configuration', () => {
  it('default-above-the-maximum-kept has pages of 30 that lead on', async () => {
    const client = await start('default-above-the-maximum-kept')
    const { headers, json } = await pageOf(client)
    expect([headers.get('X-PerPage'), namesIn(json).length]).toEqual(['30', 30])
    expect(headers.get('Link')).toMatch(/^<[^>]+\/repos\?page=2>; rel="next"/)
    expect((await pageOf(client, '?limit=30')).headers.get('X-PerPage')).toBe('25')
  })

  it('names-and-passwords-of-many-characters are those that are told', async () => {
    const client = await start('names-and-passwords-of-many-characters')
    expect(client.variable('PASSWORD')).toMatch(/[^\w-].*[^ -~]/)
    expect(client.variable('OTP_USERNAME')).toMatch(/[^\w-].*[^ -~]/)
    const user = await client.send('/api/v1/user', { authorization: client.basic('OTP_') })
    expect(user.status).toBe(200)
    expect((await pageOf(client)).status).toBe(200)
  })
})

describe('errors', () => {
  it('server-errors-told-to-site-admins keeps silent for others', async () => {
    const client = await start('server-errors-told-to-site-admins')
    for (const [role, message] of [
      ['', ''],
      ['ADMIN_', 'the database is locked'],
    ] as const) {
      const authorization = client.basic(role)
      const failed = await client.send('/api/v1/user', { authorization })
      expect([failed.status, Object(failed.json).message]).toEqual([500, message])
      expect((await client.send('/api/v1/user', { authorization })).status).toBe(200)
    }
  })

  it('documentation-at-the-end-of-a-chain leads there in four steps', async () => {
    const client = await start('documentation-at-the-end-of-a-chain')
    let url = `${client.reference.baseUrl}/api/swagger`
    const statuses = []
    for (let step = 0; step < 5; step += 1) {
      const response = await fetch(url, { redirect: 'manual' })
      statuses.push(response.status)
      url = new URL(response.headers.get('Location') ?? '', url).href
    }
    expect(statuses).toEqual([301, 302, 307, 308, 200])
  })
})
