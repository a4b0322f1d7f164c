import { describe, it } from 'vitest'
import { errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { expect } from './matchers.ts'

type Failure = Error & { expected: string; actual: string }

const json = (value: unknown) => exchangeWith({ json: value })
const list = (...names: string[]) => json(names.map((full_name) => ({ full_name })))
const tooLarge = exchangeWith({ leastElements: 26 })
const linked = (Link: string) => exchangeWith({ headers: { Link } })
const warned = (Warning: string) => exchangeWith({ headers: { Warning } })

describe('an expectation fails', () => {
  const relations = ['next', 'last']

  it.each<[string, string | RegExp, () => unknown]>([
    [
      'a name with the same prefix',
      'login "marian"',
      () => expect(json({ login: 'marian' })).toShowUser('maria'),
    ],
    ['no record', 'no login', () => expect(json(null)).toShowUser('maria')],
    ['another type', 'eight 17', () => expect(json({ eight: 17 })).toHaveField('eight', '17')],
    ['no list', 'no list, with status 200', () => expect(json(null)).toHaveItems(0)],
    ['a list too large', /^26 items /, () => expect(tooLarge).toHaveItems(25)],
    ['a list too large', /^26 items /, () => expect(tooLarge).toHaveItemsUpTo(25)],
    ['another status', 'status 200', () => expect(tooLarge).toHaveStatus(404)],
    ['an unknown item', '2 items (a, x)', () => expect(list('a', 'x')).toHoldItemsOf(['a'])],
    ['no item of some', '0 items', () => expect(list()).toHoldItemsOf(['a'])],
    ['another case', 'a/c in it', () => expect(list('A/C')).toLackItem('a/c')],
    [
      'many items',
      '4 items (a, b, c, …)',
      () => expect(list('a', 'b', 'c', 'd')).toHoldTheSameAs(list('a', 'c')),
    ],
    ['no relation', 'Link: </x>', () => expect(linked('</x>')).toLinkTo('prev')],
    ['no Link', 'no Link', () => expect(exchangeWith()).toLinkTo('next')],
    [
      'an unknown relation',
      'Link: </x>; rel="self"',
      () => expect(linked('</x>; rel="self"')).toHaveLinkOfRelations(...relations),
    ],
    [
      'a malformed Link',
      'Link: /x; rel="next" (unexpected "/" at offset 0)',
      () => expect(linked('/x; rel="next"')).toHaveLinkOfRelations(...relations),
    ],
    [
      'another code of a warning',
      'Warning: 199 - "deprecated; use Bearer"',
      () => expect(warned('199 - "deprecated; use Bearer"')).toWarnOfTheScheme(),
    ],
    [
      'a warning next to others',
      'Warning: 110 p "stale", 299 - "Deprecated: use BEARER"',
      () => expect(warned('110 p "stale", 299 - "Deprecated: use BEARER"')).toWarnOfNoScheme(),
    ],
    [
      'a path with the same end',
      'url "/myapi/swagger"',
      () => expect(json({ url: '/myapi/swagger' })).toLinkToDocumentation(),
    ],
    [
      'a word with the same end',
      'message "username is aaa"',
      () => expect(json({ message: 'username is aaa' })).toNameInMessage('name'),
    ],
  ])('on %s: %s', async (_, actual, expectation) => {
    const expected = typeof actual === 'string' ? actual : expect.stringMatching(actual)
    expect((await errorOf(expectation)) as Failure).toMatchObject({ actual: expected })
  })
})

it.each<[string, object | undefined, () => unknown]>([
  ['toShowUser', { pointer: '/login' }, () => expect(json({ login: 'a' })).toShowUser('maria')],
  ['toHaveItems', { pointer: '/1' }, () => expect(list('a', 'b', 'c')).toHaveItems(1)],
  ['toHaveItems', undefined, () => expect(list('a')).toHaveItems(2)],
  ['toHaveItemsUpTo', { pointer: '/2' }, () => expect(list('a', 'b', 'c')).toHaveItemsUpTo(2)],
  ['toHoldItemsOf', { pointer: '/1/full_name' }, () => expect(list('a', 'x')).toHoldItemsOf(['a'])],
  ['toLackItem', { pointer: '/2/full_name' }, () => expect(list('a', 'b', 'C')).toLackItem('c')],
  [
    'toHoldTheSameAs',
    { pointer: '/1/full_name' },
    () => expect(list('a', 'x')).toHoldTheSameAs(list('a', 'b')),
  ],
  ['toHoldTheSameAs', undefined, () => expect(list('a')).toHoldTheSameAs(list('a', 'b'))],
  ['toNameInMessage', { pointer: '/message' }, () => expect(json({})).toNameInMessage('name')],
  ['toLinkTo', { header: 'Link' }, () => expect(json({})).toLinkTo('next')],
])('%s reports the wrong part: %j', async (_name, reads, expectation) => {
  expect(await errorOf(async () => expectation())).toMatchObject({ reads })
})

describe('without bodies in reports', () => {
  const withoutBody = (json: unknown) => exchangeWith({ status: 401, json, leftOut: true })
  const record = withoutBody({
    login: 'maria-login',
    full_name: 'maria/secret-plan',
    url: 'https://maria.example/',
    message: 'maria is away',
  })
  const page = withoutBody([{ full_name: 'maria/secret-plan' }])

  it.each<[string, () => unknown]>([
    ['toHaveStatus', () => expect(record).toHaveStatus(200)],
    ['toBeAccepted', () => expect(record).toBeAccepted()],
    ['toHaveNoBody', () => expect(record).toHaveNoBody()],
    ['toHaveMessage', () => expect(record).toHaveMessage('aaa bbb')],
    ['toHaveFields', () => expect(record).toHaveFields({ login: 'otto' })],
    ['toShowUser', () => expect(record).toShowUser('otto')],
    ['toShowRepository', () => expect(record).toShowRepository('otto/first')],
    ['toHaveField', () => expect(record).toHaveField('login', 'aria-login')],
    ['toHoldItemsOf', () => expect(page).toHoldItemsOf(['maria/other-plan'])],
    [
      'toHoldTheSameAs',
      () => expect(page).toHoldTheSameAs(withoutBody([{ full_name: 'maria/other-plan' }])),
    ],
    ['toBeAllowed', () => expect(record).toBeAllowed()],
    ['toLinkToDocumentation', () => expect(record).toLinkToDocumentation()],
    ['toNameInMessage', () => expect(record).toNameInMessage('name')],
  ])('%s does not show their content', async (_, expectation) => {
    const { expected, actual } = (await errorOf(expectation)) as Failure
    expect(`${expected}, ${actual}`).not.toMatch(/maria|plan|aria-login/)
  })
})
