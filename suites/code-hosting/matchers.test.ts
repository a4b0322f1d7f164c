import { expect, it } from 'vitest'
import { deviationsIn } from '../../lib/conformance/deviations.ts'
import { errorOf, exchangeWith } from '../../lib/conformance/exchange.fixture.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { expect as expectResponse } from './matchers.ts'

type Parameters = readonly (string | number | object)[]

interface Failure {
  expected: string
  actual: string
  reads?: { pointer?: string; header?: string; status?: true }
}

async function failureOf(exchange: Exchange, matcher: string, parameters: Parameters) {
  const matchers = expectResponse(exchange) as unknown as Record<
    string,
    (...all: unknown[]) => void
  >
  const [deviation] = deviationsIn(await errorOf(() => matchers[matcher]?.(...parameters)))
  return deviation as Failure
}

const json = (value: unknown) => exchangeWith({ json: value })
const list = (...names: string[]) => json(names.map((full_name) => ({ full_name })))
const tooLarge = exchangeWith({ minLength: 26 })

type Row = [matcher: string, Parameters, Exchange, actual: string, place?: string]

it.each<Row>([
  ['toShowUser', ['maria'], json({ login: 'marian' }), 'login "marian"', '/login'],
  ['toHaveField', ['eight', '17'], json({ eight: 17 }), 'eight 17', '/eight'],
  ['toHaveItemsUpTo', [1], list('a', 'b', 'c'), '3 items', '/1'],
  ['toHaveStatus', [404], tooLarge, 'status 200', 'status'],
  ['toHoldItemsOf', [['a']], list('a', 'x'), '2 items (a, x)', '/1/full_name'],
  ['toLinkTo', ['next'], exchangeWith(), 'no Link', 'Link'],
  ['toLinkToDocumentation', [], json({ url: '/myapi/swagger' }), 'url "/myapi/swagger"', '/url'],
  ['toNameInMessage', ['name'], json({ message: 'username' }), 'message "username"', '/message'],
])('%s fails (%#)', async (matcher, parameters, exchange, actual, place) => {
  const { reads, ...failure } = await failureOf(exchange, matcher, parameters)
  expect(failure).toMatchObject({ actual, expected: expect.stringMatching(/./) })
  expect(reads?.pointer ?? reads?.header ?? (reads?.status && 'status')).toBe(place)
})

const withoutBody = (json: unknown) => exchangeWith({ status: 401, json, leftOut: true })
const record = withoutBody({
  login: 'maria-login',
  full_name: 'maria/secret-plan',
  url: 'https://maria.example/',
  message: 'maria is away',
})
const page = withoutBody([{ full_name: 'maria/secret-plan' }])

it.each<[matcher: string, Parameters, Exchange]>([
  ['toHaveStatus', [200], record],
  ['toBeAccepted', [], record],
  ['toHaveNoBody', [], record],
  ['toHaveMessage', ['aaa bbb'], record],
  ['toShowUser', ['otto'], record],
  ['toShowRepository', ['otto/first'], record],
  ['toHaveField', ['login', 'aria-login'], record],
  ['toHoldItemsOf', [['maria/other-plan']], page],
  ['toBeAllowed', [], record],
  ['toLinkToDocumentation', [], record],
  ['toNameInMessage', ['name'], record],
])('%s does not show content without bodies in reports', async (matcher, parameters, exchange) => {
  const { expected, actual } = await failureOf(exchange, matcher, parameters)
  expect(`${expected}, ${actual}`).not.toMatch(/maria|plan|aria-login|undefined/)
})
