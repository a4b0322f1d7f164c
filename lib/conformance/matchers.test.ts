import { Ajv } from 'ajv'
import { describe, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction.ts'
import { createScope, runInScope } from './evidence-scope.ts'
import { type Answer, errorOf, exchangeOf, exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'

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

const expectThat = (response: Answer) => expect(exchangeWith(response))
const header = (name: string, value: string): Answer => ({ headers: { [name]: value } })
const json = header('Content-Type', 'application/json')
const announced = (name: string, value: string): Answer => ({ status: 204, ...header(name, value) })

describe('expect of an exchange', () => {
  it.each([200, 500])('adds the exchange to the evidence: %d', async (status) => {
    const exchange = exchangeWith({ status })
    const scope = createScope('a check')
    await runInScope(scope, () => failure(() => expect(exchange).toHaveStatus(200)))
    expect([...scope.exchanges]).toEqual([exchange.id])
  })

  it('throws the exchange and the inspected part', async () => {
    const exchange = exchangeWith({ status: 500 })
    const error = await errorOf(() => expect(exchange).toHaveStatus(200))
    expect(error).toMatchObject({ exchange, reads: { status: true } })
  })
})

describe('the inspected part of a failed expectation', () => {
  const list = { json: [{ login: 'a' }, {}, { login: 7 }] }
  const logins = new Ajv({ allErrors: true }).compile({
    description: 'a list of records with string login',
    type: 'array',
    items: { type: 'object', required: ['login'], properties: { login: { type: 'string' } } },
  })

  it.each<[string, object | undefined, () => unknown]>([
    ['a success', { status: true }, () => expectThat({ status: 404 }).toBeAccepted()],
    ['a field', { header: 'X-Page' }, () => expectThat({}).toHaveHeader('X-Page')],
    ['JSON that parses', undefined, () => expectThat({ ...json, text: '{' }).toBeJson()],
    [
      'a member',
      { pointer: '/b' },
      () => expectThat({ json: { a: 1 } }).toHaveFields({ a: 1, b: 2 }),
    ],
    ['a message', { pointer: '/message' }, () => expectThat({ json: {} }).toHaveMessage('no')],
    ['a missing member', { pointer: '/1/login' }, () => expectThat(list).toMatchSchema(logins)],
    [
      'a schema',
      { pointer: '/login' },
      () => expectThat({ json: { login: 7 } }).toMatchSchema(validate),
    ],
    ['JSON at all', undefined, () => expectThat({ text: '<p>' }).toMatchSchema(validate)],
    ['no body', undefined, () => expectThat({ text: 'x' }).toHaveNoBody()],
    [
      'no announced body',
      { header: 'Content-Length' },
      () => expectThat(announced('Content-Length', '13')).toHaveNoBody(),
    ],
  ])('of %s is %j', async (_name, reads, expectation) => {
    expect(await errorOf(expectation)).toMatchObject({ reads })
  })
})

describe('the texts of a failed expectation', () => {
  const rejection = { status: 422, json: { message: ' name:\n is empty ' } }
  const page = { status: 404, text: '<p>gone</p>' }

  it.each<[string, string, () => unknown]>([
    [
      'status 400 or 404',
      'status 422 (name: is empty)',
      () => expectThat(rejection).toHaveStatus(400, 404),
    ],
    [
      'X-Page: 2',
      'X-Page: 2, 2',
      () => expectThat(header('X-Page', '2, 2')).toHaveHeader('X-Page', 2),
    ],
    [
      'X-Pag in Expose',
      'Expose: link,x-page ,  X-HasMore',
      () =>
        expectThat(header('Expose', 'link,x-page ,  X-HasMore')).toListInHeader('Expose', 'X-Pag'),
    ],
    [
      'JSON',
      'JSON that is not UTF-8',
      () => expect({ ...exchangeWith({ text: 'null' }), isUtf8: false }).toBeJson(),
    ],
    [
      'b 2, c 3',
      'b "2", c is missing',
      () => expectThat({ json: { a: 1, b: '2' } }).toHaveFields({ a: 1, b: 2, c: 3 }),
    ],
    [
      'a user record with string login',
      'the body {"login":7} (/login must be string)',
      () => expectThat({ json: { login: 7 } }).toMatchSchema(validate),
    ],
    [
      'a user record with string login',
      'the body <p>gone</p> (not JSON)',
      () => expectThat(page).toMatchSchema(validate),
    ],
    [
      'no body',
      'Content-Length: 13',
      () => expectThat(announced('Content-Length', '13')).toHaveNoBody(),
    ],
  ])('are %s and %s', async (expected, actual, expectation) => {
    expect(await failure(expectation)).toEqual([expected, actual])
  })

  it('contain a part of the body, but no part of a secret', async () => {
    const secret = 'f00dbabe'.repeat(5)
    const redactor = new Redactor()
    redactor.add('ALL_TOKEN', secret)
    const text = JSON.stringify({ message: `${'x'.repeat(170)} ${secret}` })
    const { request } = exchangeWith()
    const exchange = exchangeOf('x0', request, { status: 400, text }, redactor)
    const failures = await Promise.all([
      failure(() => expect(exchange).toHaveNoBody()),
      failure(() => expect(exchange).toHaveStatus(200)),
      failure(() => expect(exchange).toBeAccepted()),
      failure(() => expect(exchange).toHaveMessage('')),
    ])
    for (const texts of failures) {
      expect(texts?.join()).toContain('xxx')
      expect(texts?.join()).not.toContain(secret.slice(0, 8))
    }
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
    expect((await failure(() => expect(exchange).toBeJson())) === undefined).toBe(expected)
  })
})
