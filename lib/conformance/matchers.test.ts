import { Ajv } from 'ajv'
import { describe, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction.ts'
import { errorOf, exchangeOf, exchangeWith } from './exchange.fixture.ts'
import { expect, messageOf } from './matchers.ts'
import { createScope, runInScope } from './scope.ts'

type Failure = Error & { expected: unknown; actual: unknown }

/** What the expectation expected and what it got; `undefined` when it held. */
async function failure(expectation: () => unknown): Promise<string[] | undefined> {
  const error = (await errorOf(expectation)) as Failure | undefined
  if (error === undefined) return undefined
  const { expected, actual, message } = error
  expect(message).toBe(
    `GET https://git.example.com/api/v1/user: expected ${expected}, got ${actual}`,
  )
  return [String(expected), String(actual)]
}

const withHeader = (name: string, value: string) => exchangeWith({ headers: { [name]: value } })
const withType = (type: string, text = '{}') =>
  exchangeWith({ headers: { 'Content-Type': type }, text })

describe('an exchange that was looked at', () => {
  it.each([200, 500])('is evidence, whatever it shows: %d', async (status) => {
    const exchange = exchangeWith({ status })
    const scope = createScope('a check')
    await runInScope(scope, () => failure(() => expect(exchange).toHaveStatus(200)))
    expect([...scope.exchanges]).toEqual([exchange.id])
    expect([...scope.failures.values()]).toEqual(
      status === 200 ? [] : [{ exchange: exchange.id, reads: { status: true } }],
    )
  })
})

describe('statuses', () => {
  it('are one of those named', async () => {
    const exchange = exchangeWith({ status: 422, json: { message: ' name:\n is empty ' } })
    expect(await failure(() => expect(exchange).toHaveStatus(422))).toBeUndefined()
    expect(await failure(() => expect(exchange).toHaveStatus(400, 422))).toBeUndefined()
    expect(await failure(() => expect(exchange).toHaveStatus(400, 404))).toEqual([
      'status 400 or 404',
      'status 422 (name: is empty)',
    ])
  })

  it.each([200, 201, 204, 299])('of success are no refusal: %d', async (status) => {
    const accepted = exchangeWith({ status })
    expect(await failure(() => expect(accepted).toBeRefused())).toEqual([
      'a refusal',
      `status ${status}`,
    ])
  })

  it.each([199, 300, 401, 500])('of anything else are: %d', (status) => {
    expect({ ...exchangeWith(), status }).toBeRefused()
  })
})

describe('acceptance', () => {
  it('is any status of success', async () => {
    for (const status of [200, 202, 204]) expect(exchangeWith({ status })).toBeAccepted()
    const refusal = exchangeWith({ status: 404, text: 'gone' })
    expect(await failure(() => expect(refusal).toBeAccepted())).toEqual([
      'a status of success (2xx)',
      'status 404, the body gone',
    ])
    expect(refusal).toHaveBody()
    expect(await failure(() => expect(exchangeWith()).toHaveBody())).toEqual(['a body', 'no body'])
  })
})

describe('header fields', () => {
  it('have exactly their value, but for white space around it', async () => {
    expect(withHeader('x-page', ' 2 ')).toHaveHeader('X-Page', 2)
    expect(withHeader('X-PAGE', '2')).toHaveHeader('X-Page')
    expect(withHeader('X-Page', '')).toHaveHeader('X-Page')
    const other = withHeader('X-Page', '2, 2')
    expect(await failure(() => expect(other).toHaveHeader('X-Page', 2))).toEqual([
      'X-Page: 2',
      'X-Page: 2, 2',
    ])
    expect(await failure(() => expect(exchangeWith()).toHaveHeader('X-Page'))).toEqual([
      'header X-Page',
      'no X-Page',
    ])
  })

  it('may be wanted absent, or right where they are present', async () => {
    expect(exchangeWith()).toHaveNoHeader('Sunset')
    expect(await failure(() => expect(withHeader('sunset', 'x')).toHaveNoHeader('Sunset'))).toEqual(
      ['no header Sunset', 'Sunset: x'],
    )
    expect(exchangeWith()).toHaveHeaderWherePresent('X-Page', 1)
    expect(withHeader('X-Page', '1')).toHaveHeaderWherePresent('X-Page', 1)
    const wrong = withHeader('X-Page', '0')
    expect(await failure(() => expect(wrong).toHaveHeaderWherePresent('X-Page', 1))).toEqual([
      'X-Page: 1',
      'X-Page: 0',
    ])
  })

  it('may be described', async () => {
    const like = (exchange: Exchange) => () =>
      expect(exchange).toHaveHeaderLike('X-Page', /^[1-9]\d*$/, 'a number from 1')
    expect(await failure(like(withHeader('X-Page', ' 12 ')))).toBeUndefined()
    expect(await failure(like(withHeader('X-Page', '0')))).toEqual([
      'X-Page: a number from 1',
      'X-Page: 0',
    ])
    expect((await failure(like(exchangeWith())))?.[1]).toBe('no X-Page')
  })

  it('list elements in any case, with and without spaces', async () => {
    const exposed = withHeader('Access-Control-Expose-Headers', 'link,x-page ,  X-HasMore')
    for (const name of ['Link', 'X-Page', 'x-hasmore']) {
      expect(exposed).toListInHeader('Access-Control-Expose-Headers', name)
    }
    const field = 'Access-Control-Expose-Headers'
    expect(await failure(() => expect(exposed).toListInHeader(field, 'X-Pag'))).toEqual([
      `X-Pag in ${field}`,
      `${field}: link,x-page ,  X-HasMore`,
    ])
    expect((await failure(() => expect(exchangeWith()).toListInHeader(field, 'Link')))?.[1]).toBe(
      `no ${field}`,
    )
  })

  it('may be unwanted by a pattern of their names', async () => {
    expect(withHeader('X-Rate', '1')).toHaveNoHeaderLike(/^x-ratelimit-/)
    const limited = withHeader('X-RateLimit-Remaining', '7')
    expect(await failure(() => expect(limited).toHaveNoHeaderLike(/^x-ratelimit-/))).toEqual([
      'no header whose name matches ^x-ratelimit-',
      'x-ratelimit-remaining: 7',
    ])
  })
})

describe('JSON', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
    'application/problem+json',
    'application/vnd.forge.v1+json; q=1',
    'text/json',
  ])('is announced by %s', (type) => {
    expect(withType(type)).toBeJson()
  })

  it.each([
    'text/plain',
    'text/html; x=application/json',
    'application/jsonp',
    'application/xjson',
  ])('is not announced by %s', async (type) => {
    expect(await failure(() => expect(withType(type)).toBeJson())).toEqual([
      'JSON, with a JSON media type',
      `Content-Type: ${type}`,
    ])
  })

  it('parses, and null is JSON too', async () => {
    expect(withType('application/json', 'null')).toBeJson()
    const broken = withType('application/json', '{"a":')
    expect(await failure(() => expect(broken).toBeJson())).toEqual([
      'JSON, with a JSON media type',
      'Content-Type: application/json, and it does not parse',
    ])
    const latin = { ...withType('application/json', 'null'), isUtf8: false }
    expect(await failure(() => expect(latin).toBeJson())).toEqual([
      'JSON, with a JSON media type',
      'Content-Type: application/json, and it is not UTF-8',
    ])
  })

  it('has fields of exactly these values', async () => {
    const record = exchangeWith({ json: { a: 1, b: '2' } })
    expect(record).toHaveFields({ a: 1 })
    expect(await failure(() => expect(record).toHaveFields({ a: 1, b: 2, c: 3 }))).toEqual([
      'b 2, c 3',
      'b "2", c undefined',
    ])
    expect(await failure(() => expect(exchangeWith()).toHaveFields({ a: 1 }))).toBeDefined()
    const nothing = exchangeWith({ json: null })
    expect(await failure(() => expect(nothing).toHaveFields({ a: 1 }))).toBeDefined()
  })

  it('fits a schema, in the words of its description', async () => {
    const validate = new Ajv({ allErrors: true }).compile({
      description: 'a user record with string login',
      type: 'object',
      required: ['login'],
      properties: { login: { type: 'string' } },
    })
    expect(exchangeWith({ json: { login: 'maria', id: 1 } })).toMatchSchema(validate)
    const wrong = exchangeWith({ json: { login: 7 } })
    expect(await failure(() => expect(wrong).toMatchSchema(validate))).toEqual([
      'a user record with string login',
      'the body {"login":7} (/login must be string)',
    ])
    const list = exchangeWith({ json: [] })
    expect((await failure(() => expect(list).toMatchSchema(validate)))?.[1]).toBe(
      'the body [] (the body must be object)',
    )
    const page = exchangeWith({ text: '<html>' })
    expect((await failure(() => expect(page).toMatchSchema(validate)))?.[1]).toBe(
      'the body <html> (not JSON)',
    )
  })
})

describe('bodies', () => {
  it('are absent when there is neither one nor an announcement of one', async () => {
    expect(exchangeWith({ status: 204 })).toHaveNoBody()
    expect(exchangeWith({ status: 204, headers: { 'Content-Length': '0' } })).toHaveNoBody()
    const announced = exchangeWith({ status: 204, headers: { 'Content-Length': '13' } })
    expect(await failure(() => expect(announced).toHaveNoBody())).toEqual([
      'no body',
      'Content-Length: 13',
    ])
    const chunked = exchangeWith({ status: 204, headers: { 'Transfer-Encoding': 'chunked' } })
    expect((await failure(() => expect(chunked).toHaveNoBody()))?.[1]).toBe(
      'Transfer-Encoding: chunked',
    )
    const sent = exchangeWith({ status: 204, text: 'null' })
    expect((await failure(() => expect(sent).toHaveNoBody()))?.[1]).toBe('the body null')
  })

  it('have exactly a message', async () => {
    const refusal = exchangeWith({ status: 401, json: { message: 'token is required' } })
    expect(refusal).toHaveMessage('token is required')
    expect(await failure(() => expect(refusal).toHaveMessage('Token is required'))).toEqual([
      'message "Token is required"',
      'message "token is required"',
    ])
    const page = exchangeWith({ text: '<p>no</p>' })
    expect((await failure(() => expect(page).toHaveMessage('')))?.[1]).toBe('the body <p>no</p>')
  })

  it('have a message only where it is text in a record', () => {
    expect(messageOf(exchangeWith({ json: { message: '' } }))).toBe('')
    for (const json of [null, [], 'text', { message: 7 }, {}]) {
      expect(messageOf(exchangeWith({ json }))).toBeUndefined()
    }
  })

  it('are shown in part without giving away part of a secret', async () => {
    const secret = 'f00dbabe'.repeat(5)
    const redactor = new Redactor()
    redactor.add('ALL_TOKEN', secret)
    const text = JSON.stringify({ message: `${'x'.repeat(170)} ${secret}` })
    const { request } = exchangeWith()
    const exchange = exchangeOf('x0', request, { status: 400, text }, redactor)
    const shown = await Promise.all([
      failure(() => expect(exchange).toHaveNoBody()),
      failure(() => expect(exchange).toHaveStatus(200)),
      failure(() => expect(exchange).toBeAccepted()),
      failure(() => expect(exchange).toHaveMessage('')),
    ])
    for (const texts of shown) {
      expect(texts?.join()).toContain('xxx')
      expect(texts?.join()).not.toContain(secret.slice(0, 8))
    }
  })
})
