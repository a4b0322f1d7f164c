import { describe, expect, it } from 'vitest'
import { namedParts } from './named-parts.ts'
import { resultFixture } from './report.fixture.ts'

function said(expected: string, actual: string, reason?: string) {
  return namedParts([resultFixture({ verdict: 'fail', expected, actual, reason })])
}

describe('namedParts', () => {
  it('knows a status that is spoken of', () => {
    expect(said('status 404', 'status 200').status).toBe(true)
    expect(said('a refusal', 'status 202').status).toBe(true)
    expect(said('a status of success (2xx)', 'no response').status).toBe(true)
    expect(said('X-Page: 2', 'no X-Page').status).toBe(false)
  })

  it('knows headers in any case, single words by their capital', () => {
    const named = said('Link in Access-Control-Expose-Headers', 'no Access-Control-Expose-Headers')
    expect(named.header('access-control-expose-headers')).toBe(true)
    expect(named.header('link')).toBe(true)
    expect(named.header('LINK')).toBe(true)
    expect(named.header('Date')).toBe(false)
    expect(said('a page behind the link', 'none').header('Link')).toBe(false)
    expect(said('X-PerPage: 25', 'X-PerPage: 26').header('X-Page')).toBe(false)
  })

  it('takes nothing from a URL', () => {
    const reason = 'GET https://git.example.com/X-Page/full_name: expected X-Total-Count'
    const named = said('X-Total-Count: 2', 'no X-Total-Count', reason)
    expect(named.header('X-Page')).toBe(false)
    expect(named.field('full_name')).toBe(false)
    expect(named.header('X-Total-Count')).toBe(true)
  })

  it.each([
    ['max_response_items 26', 'max_response_items 25', 'max_response_items'],
    ['token_last_eight "b22d7aaa"', 'no token_last_eight', 'token_last_eight'],
    ['message "token is required"', 'message "token is required."', 'message'],
    ['a url that leads to /api/swagger', 'url "https://git.example.com/docs"', 'url'],
    ['a record', "not one (the body must have required property 'login')", 'login'],
    ['a record', 'not one (/0/full_name must be string)', 'full_name'],
    ['a record', 'not one (/owner must be object)', 'owner'],
    ['a token record with string sha1 and string name', 'none', 'name'],
  ])('knows a field from %j and %j', (expected, actual, field) => {
    expect(said(expected, actual).field(field)).toBe(true)
  })

  it.each([
    ['status 200', 'status 401 (token is required)', 'status'],
    ['status 200', 'status 401 (token is required)', 'token'],
    ['a status of success (2xx)', 'status 500', 'status'],
    ['0 items', '7 items', 'items'],
    ['the name-server', 'a name-server', 'name'],
    ['max_response_items 26', 'max_response_items 25', 'max_response'],
  ])('does not take a word of %j and %j for the field %j', (expected, actual, field) => {
    expect(said(expected, actual).field(field)).toBe(false)
  })

  it('takes from an excerpt of a body only what is said about it', () => {
    const body = '{"message":"no","documentation_url":"x"}'
    const named = said(
      'string url',
      `the body ${body} (the body must have required property 'url')`,
    )
    expect(named.field('documentation_url')).toBe(false)
    expect(named.field('url')).toBe(true)
  })

  it('knows values that cannot be plain words', () => {
    const named = said('every item once', 'maria/chart-019 twice (maria/first, again)')
    expect(named.value('maria/chart-019')).toBe(true)
    expect(named.value('maria/first')).toBe(true)
    expect(named.value('twice')).toBe(false)
    expect(named.value('once')).toBe(false)
  })

  it('reads all results together', () => {
    const named = namedParts([
      resultFixture({ expected: 'X-Page: 1', actual: 'X-Page: 2' }),
      resultFixture({ reason: 'X-HasMore is missing' }),
    ])
    expect([named.header('x-page'), named.header('x-hasmore'), named.header('date')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('is not led astray by names that are no names', () => {
    const named = said('a (very odd) [text', 'a+')
    for (const name of ['', '(', '[text', 'a+', '.*', 'x'.repeat(10_000), '__proto__']) {
      expect(named.field(name)).toBe(false)
      expect(named.header(name)).toBe(false)
    }
  })
})
