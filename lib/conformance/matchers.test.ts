import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction/redaction.ts'
import { createScope, runInScope } from './check-scope.ts'
import { errorOf, exchangeOf, exchangeWith, type StubResponse } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'

type Failure = Error & { expected: string; actual: string }

/** Returns the expected and the actual text of a failed expectation; undefined for a pass. */
async function failure(expectation: () => unknown): Promise<string[] | undefined> {
  const error = (await errorOf(expectation)) as Failure | undefined
  if (error === undefined) return undefined
  const { expected, actual, message } = error
  expect(message).toBe(
    `GET https://git.example.com/api/v1/user: expected ${expected}, got ${actual}`,
  )
  return [expected, actual]
}

const validate = new Ajv({ allErrors: true }).compile({
  description: 'a user record with string login',
  type: 'object',
  required: ['login'],
  properties: { login: { type: 'string' } },
})
const logins = new Ajv({ allErrors: true }).compile({
  description: 'users',
  ...{ type: 'array', items: validate.schema },
})

const expectThat = (response: StubResponse) => expectExchange(exchangeWith(response))
const header = (name: string, value: string): StubResponse => ({ headers: { [name]: value } })
const json = header('Content-Type', 'application/json')
const announced = (name: string, value: string): StubResponse => ({
  status: 204,
  ...header(name, value),
})

it.each([200, 500])('expect adds the exchange to the evidence: %d', async (status) => {
  const exchange = exchangeWith({ status })
  const scope = createScope('a check')
  const error = await runInScope(scope, () =>
    errorOf(() => expectExchange(exchange).toHaveStatus(200)),
  )
  expect([...scope.exchanges]).toEqual([exchange.id])
  if (status === 500) expect(error).toMatchObject({ exchange, reads: { status: true } })
})

describe('a failed expectation', () => {
  const user = 'a user record with string login'
  const list = { json: [{ login: 'a' }, {}, { login: 7 }] }
  const exposed = 'link,x-page ,  X-HasMore'
  const status = { status: true }

  it.each<[reads: object | undefined, expected: string, actual: string, () => unknown]>([
    [status, 'a 2xx status', 'status 404', () => expectThat({ status: 404 }).toBeAccepted()],
    [
      status,
      'status 400 or 404',
      'status 422 (name: is empty)',
      () =>
        expectThat({ status: 422, json: { message: ' name:\n is empty ' } }).toHaveStatus(400, 404),
    ],
    [
      { header: 'X-Page' },
      'header X-Page',
      'no X-Page',
      () => expectThat({}).toHaveHeader('X-Page'),
    ],
    [
      { header: 'X-Page' },
      'X-Page: 2',
      'X-Page: 2, 2',
      () => expectThat(header('X-Page', '2, 2')).toHaveHeader('X-Page', 2),
    ],
    [
      { header: 'Expose' },
      'X-Pag in Expose',
      `Expose: ${exposed}`,
      () => expectThat(header('Expose', exposed)).toListInHeader('Expose', 'X-Pag'),
    ],
    [undefined, 'JSON', 'the body {', () => expectThat({ ...json, text: '{' }).toBeJson()],
    [
      undefined,
      'JSON',
      'JSON that is not UTF-8',
      () => expectExchange({ ...exchangeWith({ text: 'null' }), isUtf8: false }).toBeJson(),
    ],
    [
      { pointer: '/message' },
      'message "no"',
      'the body {}',
      () => expectThat({ json: {} }).toHaveMessage('no'),
    ],
    [
      { pointer: '/login' },
      user,
      'the body {"login":7} (/login must be string)',
      () => expectThat({ json: { login: 7 } }).toMatchSchema(validate),
    ],
    [
      { pointer: '/1/login' },
      'users',
      `the body ${JSON.stringify(list.json)} (/1 must have required property 'login'; /2/login must be string)`,
      () => expectThat(list).toMatchSchema(logins),
    ],
    [
      undefined,
      user,
      'the body <p> (not JSON)',
      () => expectThat({ text: '<p>' }).toMatchSchema(validate),
    ],
    [{ pointer: '' }, 'no body', 'the body x', () => expectThat({ text: 'x' }).toHaveNoBody()],
    [
      { header: 'Content-Length' },
      'no body',
      'Content-Length: 13',
      () => expectThat(announced('Content-Length', '13')).toHaveNoBody(),
    ],
  ])('of %j: %s, %s', async (reads, expected, actual, expectation) => {
    expect(await failure(expectation)).toEqual([expected, actual])
    expect(await errorOf(expectation)).toMatchObject({ reads })
  })

  it('contains a part of the body, but no part of a secret', async () => {
    const secret = 'f00dbabe'.repeat(5)
    const redactor = new Redactor()
    redactor.add('ALL_TOKEN', secret)
    const text = JSON.stringify({ message: `${'x'.repeat(170)} ${secret}` })
    const { request } = exchangeWith()
    const exchange = exchangeOf('x0', request, { status: 400, text }, redactor)
    const failures = await Promise.all([
      failure(() => expectExchange(exchange).toHaveNoBody()),
      failure(() => expectExchange(exchange).toHaveStatus(200)),
      failure(() => expectExchange(exchange).toBeAccepted()),
      failure(() => expectExchange(exchange).toHaveMessage('')),
    ])
    for (const texts of failures) {
      expect(texts?.join()).toContain('xxx')
      expect(texts?.join()).not.toContain(secret.slice(0, 8))
    }
  })
})

it.each<[unknown, string]>([
  [{}, "must have required property 'login'"],
  [[{}, { login: 1 }], "/* must have required property 'login'; /*/login must be string"],
])('toMatchSchema has a problem without indexes for %j', async (json, problem) => {
  const schema = Array.isArray(json) ? logins : validate
  const error = await errorOf(() => expectThat({ json }).toMatchSchema(schema))
  expect(error).toMatchObject({ problem })
})

describe('toHaveNoBody', () => {
  it.each(['{"id":1}', '{"id":2}'])('has the same problem for the body %s', async (text) => {
    expect(await errorOf(() => expectThat({ text }).toHaveNoBody())).toMatchObject({
      problem: 'a body',
    })
  })
})

describe('toBeJson', () => {
  it.each([
    ['application/json', '{}', true],
    ['text/html', '[1]', true],
    ['', 'null', true],
    ['application/json', '{"a":1,}', false],
    ['application/json', '', false],
  ])('accepts JSON of any media type: %s %s', async (type, text, expected) => {
    const exchange: Exchange = exchangeWith({ ...header('Content-Type', type), text })
    expect((await failure(() => expectExchange(exchange).toBeJson())) === undefined).toBe(expected)
  })
})
