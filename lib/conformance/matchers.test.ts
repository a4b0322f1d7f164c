import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { Redactor } from '../probe/redaction/redaction.ts'
import { createScope, runInScope } from './check-scope.ts'
import { deviationsIn } from './deviations.ts'
import { errorOf, exchangeOf, exchangeWith, type StubResponse } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'

/** Returns the deviation of a failed expectation; undefined for a pass. */
async function failure(expectation: () => unknown) {
  const [deviation] = deviationsIn(await errorOf(expectation))
  return deviation
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

it.each(['', ' null\n', '{ }', '[\n]', '""'])('toHaveBody fails for %j', async (text) => {
  expect(await failure(() => expectThat({ text }).toHaveBody())).toBeDefined()
})

describe('a failed expectation', () => {
  const list = { json: [{ login: 'a' }, {}, { login: 7 }] }
  const invalid = { message: ' name:\n is empty ' }

  const failing: Record<string, () => unknown> = {
    'a rejection': () => expectThat({ status: 404 }).toBeAccepted(),
    'another status': () => expectThat({ status: 422, json: invalid }).toHaveStatus(400, 404),
    'no field': () => expectThat({}).toHaveHeader('X-Page'),
    'another field': () => expectThat(header('X-Page', '2, 2')).toHaveHeader('X-Page', 2),
    'an unlisted name': () =>
      expectThat(header('Expose', 'link,x-page ,  X-HasMore')).toListInHeader('Expose', 'X-Pag'),
    'no JSON': () => expectThat({ ...json, text: '{' }).toBeJson(),
    'no UTF-8': () => expectExchange({ ...exchangeWith({ text: '1' }), isUtf8: false }).toBeJson(),
    'no message': () => expectThat({ json: {} }).toHaveMessage('no'),
    'another type': () => expectThat({ json: { login: 7 } }).toMatchSchema(validate),
    'wrong items': () => expectThat(list).toMatchSchema(logins),
    'a page': () => expectThat({ text: '<p>' }).toMatchSchema(validate),
    'a body': () => expectThat({ text: 'x' }).toHaveNoBody(),
    'an announced body': () => expectThat(announced('Content-Length', '13')).toHaveNoBody(),
  }

  it('has the texts and the read part of the snapshot', async () => {
    const lines = Object.entries(failing).map(async ([name, expectation]) => {
      const { expected, actual, reads } = (await failure(expectation)) ?? {}
      return `${name}: expected ${expected}, got ${actual} ${JSON.stringify(reads) ?? ''}\n`
    })
    const text = (await Promise.all(lines)).join('')
    await expect(text).toMatchFileSnapshot('snapshots/failed-expectations.txt')
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
    for (const deviation of failures) {
      const texts = JSON.stringify(deviation)
      expect(texts).toContain('xxx')
      expect(texts).not.toContain(secret.slice(0, 8))
    }
  })
})

it.each<[string, () => unknown, string]>([
  [
    'a record',
    () => expectThat({ json: {} }).toMatchSchema(validate),
    "must have required property 'login'",
  ],
  [
    'a list without indexes',
    () => expectThat({ json: [{}, { login: 1 }] }).toMatchSchema(logins),
    "/* must have required property 'login'; /*/login must be string",
  ],
  ['any body', () => expectThat({ text: '{"id":1}' }).toHaveNoBody(), 'a body'],
  [
    'a field of any value',
    () => expectThat(header('X-Limit', '50')).toHaveNoHeaderLike(/limit/),
    'x-limit',
  ],
])('a failed expectation has a problem for %s', async (_, expectation, problem) => {
  expect(await failure(expectation)).toMatchObject({ problem })
})
