import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReference } from '../start-reference.ts'
import type { Answer } from '../test-client.fixture.ts'
import { TestClient } from './test-client.fixture.ts'

let client: TestClient
let authorization: string

beforeAll(async () => {
  client = new TestClient(await startReference())
  authorization = `Bearer ${await client.token('', 'all')}`
})
afterAll(() => client.reference.close())

function list(query: string): Promise<Answer> {
  return client.send(`/api/v1/user/repos${query}`, { authorization })
}

function names(answer: Answer): string[] {
  return (answer.json as { full_name: string }[]).map((record) => record.full_name)
}

function links(answer: Answer): Record<string, string> {
  const field = answer.headers.get('Link') ?? ''
  const entries = field.matchAll(/<([^>]*)>; rel="(\w+)"/g)
  return Object.fromEntries([...entries].map(([, target, relation]) => [relation, target]))
}

function numbers(answer: Answer): unknown[] {
  return ['X-Page', 'X-PerPage', 'X-Total-Count', 'X-HasMore'].map((name) =>
    answer.headers.get(name),
  )
}

describe('page and limit', () => {
  it.each([
    ['', ['1', '20', '57', 'true'], 20],
    ['?limit=0', ['1', '20', '57', 'true'], 20],
    ['?limit=-1', ['1', '20', '57', 'true'], 20],
    ['?limit=abc', ['1', '20', '57', 'true'], 20],
    ['?limit=1', ['1', '1', '57', 'true'], 1],
    ['?limit=25', ['1', '25', '57', 'true'], 25],
    ['?limit=26', ['1', '25', '57', 'true'], 25],
    ['?limit=1000&page=3', ['3', '25', '57', 'false'], 7],
    ['?page=0', ['1', '20', '57', 'true'], 20],
    ['?page=-1', ['1', '20', '57', 'true'], 20],
    ['?page=abc', ['1', '20', '57', 'true'], 20],
    ['?page=2', ['2', '20', '57', 'true'], 20],
    ['?page=4', ['4', '20', '57', 'false'], 0],
    ['?page=99999999999999999999', ['9007199254740991', '20', '57', 'false'], 0],
  ])('%s gives the headers %s and %i items', async (query, headers, items) => {
    const answer = await list(query)
    expect(answer.status).toBe(200)
    expect(numbers(answer)).toEqual(headers)
    expect(names(answer)).toHaveLength(items)
    expect(answer.headers.get('Access-Control-Expose-Headers')).toBe(
      'Link, X-Total-Count, X-Page, X-PerPage, X-HasMore',
    )
  })
})

describe('links', () => {
  it('has the relations that apply', async () => {
    const relations = async (query: string) => Object.keys(links(await list(query))).sort()
    expect(await relations('')).toEqual(['last', 'next'])
    expect(await relations('?page=2')).toEqual(['first', 'last', 'next', 'prev'])
    expect(await relations('?page=3')).toEqual(['first', 'prev'])
    expect(await relations('?page=4')).toEqual(['first', 'prev'])
  })

  it('leads to absolute URLs with page and limit, and never repeats a token', async () => {
    const value = authorization.slice('Bearer '.length)
    const answer = await client.send(`/api/v1/user/repos?limit=9&page=3&token=${value}`)
    const base = `${client.reference.baseUrl}/api/v1/user/repos?limit=9&page=`
    expect(links(answer)).toEqual({
      next: `${base}4`,
      last: `${base}7`,
      first: `${base}1`,
      prev: `${base}2`,
    })
  })

  it.each(['', '?limit=25'])('visits every repository by next links from %s', async (query) => {
    const seen: string[] = []
    let answer = await list(query)
    for (;;) {
      seen.push(...names(answer))
      const next = links(answer).next
      if (next === undefined) break
      answer = await client.send(next.slice(client.reference.baseUrl.length), { authorization })
    }
    expect(seen).toHaveLength(57)
    expect(new Set(seen).size).toBe(57)
    expect(seen).toContain('maria/diary')
  })

  it('is absent from a list of one page', async () => {
    const answer = await client.send('/api/v1/user/repos', {
      authorization: client.basic('ADMIN_'),
    })
    expect(names(answer)).toEqual(['ada/engine-1', 'ada/engine-2'])
    expect(answer.headers.has('Link')).toBe(false)
  })
})
