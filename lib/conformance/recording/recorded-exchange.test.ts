import { describe, expect, it } from 'vitest'
import { Skip } from '../check-errors.ts'
import { type EntryParts, harEntry } from './har-entry.fixture.ts'
import { bodyOf, fieldsOf, hasResponse, toExchange } from './recorded-exchange.ts'

const service = {
  service: 'code-hosting',
  baseUrl: 'https://git.example.com',
  endpoints: ['GET /api/v1/user', 'GET /api/v1/repos/{owner}/{repo}'],
  documentsStatuses: true,
  redact: (text: string) => text,
}

function exchangeOf(
  parts: EntryParts,
  { showsCredentials = true, baseUrl = service.baseUrl } = {},
) {
  const entry = { entry: harEntry(parts), showsCredentials }
  return toExchange(entry, 'e1', { ...service, baseUrl })
}

const credentialsOf = (parts: EntryParts, showsCredentials = true) =>
  exchangeOf(parts, { showsCredentials })?.request.credentials

describe('toExchange', () => {
  it('returns nothing for another server', () => {
    expect(exchangeOf({ url: 'https://git.example.com:8443/api/v1/user' })).toBeUndefined()
    expect(exchangeOf({}, { baseUrl: 'https://git.example.com/below' })).toBeUndefined()
  })

  it('returns the endpoint, the times, and the fields of HTTP/2', () => {
    const exchange = exchangeOf(
      {
        url: 'https://maria:secret@git.example.com/git/api/v1/repos/maria/one?x=1',
        sent: { ':method': 'GET', ':authority': 'git.example.com', 'x-service-otp': '1' },
        headers: {
          ':status': '200',
          'x-total-count': '7',
          link: '<a>; rel="next"',
          'set-cookie': 'a=1\nb=2',
        },
        at: 60,
      },
      { baseUrl: 'https://git.example.com/git' },
    )
    expect(exchange).toMatchObject({
      status: 200,
      request: {
        endpoint: 'GET /api/v1/repos/{owner}/{repo}',
        headers: { 'X-Service-Otp': '1' },
      },
      record: { startedAt: '2026-02-03T00:01:00.000Z', durationMs: 12.5 },
    })
    expect((exchange?.endedAt ?? 0) - (exchange?.startedAt ?? 0)).toBe(12.5)
    expect(exchange?.request.url.href).not.toContain('secret')
    expect(exchange?.headers.get('x-total-count')).toBe('7')
    expect(exchange?.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(exchange?.links.targets.get('next')).toBe('a')
    expect(exchange?.record.request.headers.map(({ name }) => name)).toEqual(['x-service-otp'])
  })

  it('knows credentials only if there is one kind of them', () => {
    const authorization = { authorization: 'Bearer abc' }
    expect(credentialsOf({ sent: authorization })).toEqual({
      kind: 'authorization',
      value: 'Bearer abc',
    })
    expect(credentialsOf({ sent: { ...authorization, Cookie: 'a=1' } })).toBeUndefined()
    expect(credentialsOf({ sent: { ...authorization, 'X-Api-Key': '1' } })).toBeUndefined()
    expect(credentialsOf({ sent: { 'X-Api-Key': '1' } })).toMatchObject({ kind: 'header' })
    const url = 'https://git.example.com/api/v1/user?token=abc&page=2'
    expect(credentialsOf({ url })).toMatchObject({ kind: 'query', token: 'abc' })
    expect(exchangeOf({ url })?.request.url.search).toBe('?page=2')
    expect(exchangeOf({ url })?.record.request.url).toBe(url)
  })

  it('knows that there are none only if the recording shows those of other requests', () => {
    expect(credentialsOf({})).toEqual({ kind: 'none' })
    expect(credentialsOf({}, false)).toBeUndefined()
    expect(credentialsOf({ sent: { Cookie: 'a=1' } })).toBeUndefined()
  })

  it('skips what needs a body that is not recorded, or cannot be read', () => {
    expect(exchangeOf({ body: { login: 'maria' } })?.json).toEqual({ login: 'maria' })
    expect(() => exchangeOf({})?.json).toThrow(Skip)
    expect(() => exchangeOf({ body: '['.repeat(200) + ']'.repeat(200) })?.json).toThrow(Skip)
  })
})

describe('bodyOf', () => {
  const bodyIn = (parts: EntryParts) => bodyOf(harEntry(parts))?.toString()

  it('returns text, and decodes base64', () => {
    expect(bodyIn({ body: 'ü' })).toBe('ü')
    const content = { text: Buffer.from('ü').toString('base64'), encoding: 'base64', size: 2 }
    expect(bodyIn({ content })).toBe('ü')
  })

  it('returns nothing for a body that the recording lacks, wholly or in part', () => {
    expect(bodyIn({})).toBeUndefined()
    expect(bodyIn({ content: { size: 0 } })).toBeUndefined()
    expect(bodyIn({ body: '[{"full_na', content: { size: 400 } })).toBeUndefined()
    // The size of other tools is that before decoding.
    expect(bodyIn({ body: '[]', content: { size: 400 } })).toBe('[]')
    expect(bodyIn({ body: '[]', content: { comment: 'first 2 bytes' } })).toBeUndefined()
    expect(bodyIn({ method: 'HEAD', headers: { 'Content-Length': '0' } })).toBeUndefined()
  })

  it('returns an empty body if the response says so', () => {
    expect(bodyIn({ status: 204 })).toBe('')
    expect(bodyIn({ headers: { 'content-length': '0' } })).toBe('')
    expect(bodyIn({ body: '' })).toBe('')
  })
})

describe('fieldsOf', () => {
  it('leaves out names and replaces characters that no field can have', () => {
    const fields = [
      { name: ':path', value: '/' },
      { name: 'a b', value: '1' },
      { name: 'X-A', value: 'ok\0' },
    ]
    expect(fieldsOf(fields)).toEqual([{ name: 'X-A', value: 'ok?' }])
  })
})

describe('hasResponse', () => {
  it.each([
    [true, {}, {}],
    [false, { status: 304 }, {}],
    [false, { status: 0 }, { _error: 'net::ERR_ABORTED' }],
    [false, {}, { _fromCache: 'disk' }],
    [false, {}, { _fetchedViaServiceWorker: true }],
  ])('returns %s for %j with %j', (expected, parts, extensions) => {
    expect(hasResponse(harEntry(parts, extensions))).toBe(expected)
  })
})
