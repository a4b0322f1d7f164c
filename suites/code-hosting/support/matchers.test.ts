import { describe, it } from 'vitest'
import { errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { expect } from './matchers.ts'

type Failure = Error & { expected: string; actual: string }

/** What the expectation expected and what it got; `undefined` when it held. */
async function failure(expectation: () => unknown): Promise<string[] | undefined> {
  const error = (await errorOf(expectation)) as Failure | undefined
  if (error === undefined) return undefined
  expect(error.message).toContain(`: expected ${error.expected}, got ${error.actual}`)
  return [error.expected, error.actual]
}

const json = (value: unknown, path?: string) => exchangeWith({ json: value }, path)
const list = (...names: string[]) =>
  json(
    names.map((full_name) => ({ full_name })),
    '/list',
  )
const linked = (Link: string) => exchangeWith({ headers: { Link } })
const warned = (Warning: string) => exchangeWith({ headers: { Warning } })
const page = (number: string) => exchangeWith({ headers: { 'X-Page': number } }, '/list')

describe('a failed expectation', () => {
  const relations = 'Link of <target>; rel=… with relations next, last'
  const warning = 'Warning: 299 with a text that says "deprecated" and names Bearer'
  const swagger = 'a url that leads to /api/swagger'

  it.each<[string, string, () => unknown]>([
    [
      'login "maria"',
      'login "marian"',
      () => expect(json({ login: 'marian' })).toShowUser('maria'),
    ],
    ['login "maria"', 'no login', () => expect(json(null)).toShowUser('maria')],
    [
      'full_name "a/b"',
      'full_name "b"',
      () => expect(json({ full_name: 'b' })).toShowRepository('a/b'),
    ],
    [
      'last_eight "17"',
      'last_eight 17',
      () => expect(json({ last_eight: 17 })).toHaveField('last_eight', '17'),
    ],
    ['2 items', '1 items', () => expect(list('a/b')).toHaveItems(2)],
    ['0 items', 'no list, with status 200', () => expect(json(null)).toHaveItems(0)],
    ['1 items at most', '2 items', () => expect(list('a', 'b')).toHaveItemsUpTo(1)],
    ['some of 1 items (a)', '2 items (a, x)', () => expect(list('a', 'x')).toHoldItemsOf(['a'])],
    ['some of 1 items (a)', '0 items', () => expect(list()).toHoldItemsOf(['a'])],
    ['some of 0 items', 'no list, with status 200', () => expect(json({})).toHoldItemsOf([])],
    [
      'the items of https://git.example.com/list: 0 items',
      'no list, with status 200',
      () => expect(json({})).toHoldTheSameAs(list()),
    ],
    ['a list without a/c', 'a/c in it', () => expect(list('A/C')).toLackItem('a/c')],
    [
      'the items of https://git.example.com/list: 2 items (a, c)',
      '4 items (a, b, c, …)',
      () => expect(list('a', 'b', 'c', 'd')).toHoldTheSameAs(list('a', 'c')),
    ],
    [
      'the X-Page of https://git.example.com/list: 1',
      'X-Page: 0',
      () => expect(page('0')).toTellTheSamePageAs(page('1')),
    ],
    ['a Link with relation prev', 'Link: </x>', () => expect(linked('</x>')).toLinkTo('prev')],
    ['a Link with relation next', 'no Link', () => expect(exchangeWith()).toLinkTo('next')],
    [
      'no Link with relation next',
      'Link: </x>;rel=next',
      () => expect(linked('</x>;rel=next')).toLackLinkTo('next'),
    ],
    [
      relations,
      'Link: </x>; rel="self"',
      () => expect(linked('</x>; rel="self"')).toHaveLinkOfRelations('next', 'last'),
    ],
    [
      relations,
      'Link: /x; rel="next" (unexpected "/" at offset 0)',
      () => expect(linked('/x; rel="next"')).toHaveLinkOfRelations('next', 'last'),
    ],
    [
      warning,
      'Warning: 199 - "deprecated; use Bearer"',
      () => expect(warned('199 - "deprecated; use Bearer"')).toWarnOfTheScheme(),
    ],
    [warning, 'no Warning', () => expect(exchangeWith()).toWarnOfTheScheme()],
    [
      'no Warning of a deprecated scheme',
      'Warning: 110 p "stale", 299 - "Deprecated: use BEARER"',
      () => expect(warned('110 p "stale", 299 - "Deprecated: use BEARER"')).toWarnOfNoScheme(),
    ],
    [
      'access',
      'status 403 (no)',
      () => expect(exchangeWith({ status: 403, json: { message: 'no' } })).toBeAllowed(),
    ],
    [
      swagger,
      'url "/myapi/swagger"',
      () => expect(json({ url: '/myapi/swagger' })).toLinkToDocumentation(),
    ],
    [swagger, 'no url', () => expect(json({ url: null })).toLinkToDocumentation()],
    [
      'a message that names name',
      'message "username is required"',
      () => expect(json({ message: 'username is required' })).toNameInMessage('name'),
    ],
    ['a message that names name', 'no message', () => expect(json({})).toNameInMessage('name')],
    ['an end', 'none', () => expect(exchangeWith()).toShow(false, 'an end', 'none')],
  ])('says that it expected %s, and got %s', async (expected, actual, expectation) => {
    expect(await failure(expectation)).toEqual([expected, actual])
  })
})

describe('matchers, where reports keep no bodies', () => {
  const kept = {
    login: 'maria-login',
    full_name: 'maria/secret-plan',
    url: 'https://maria.example/',
    message: 'maria is away',
  }
  const record = exchangeWith({ status: 401, json: kept, leftOut: true })
  const page = exchangeWith({ json: [{ full_name: 'maria/secret-plan' }], leftOut: true })
  const otherPage = exchangeWith({ json: [{ full_name: 'maria/other-plan' }], leftOut: true })

  it.each<[string, () => unknown]>([
    ['toHaveStatus', () => expect(record).toHaveStatus(200)],
    ['toBeAccepted', () => expect(record).toBeAccepted()],
    ['toHaveNoBody', () => expect(record).toHaveNoBody()],
    ['toHaveMessage', () => expect(record).toHaveMessage('token is required')],
    ['toHaveFields', () => expect(record).toHaveFields({ login: 'otto' })],
    ['toShowUser', () => expect(record).toShowUser('otto')],
    ['toShowRepository', () => expect(record).toShowRepository('otto/first')],
    ['toHaveField', () => expect(record).toHaveField('login', kept.login.slice(1))],
    ['toHoldItemsOf', () => expect(page).toHoldItemsOf(['maria/other-plan'])],
    ['toHoldTheSameAs', () => expect(page).toHoldTheSameAs(otherPage)],
    ['toBeAllowed', () => expect(record).toBeAllowed()],
    ['toLinkToDocumentation', () => expect(record).toLinkToDocumentation()],
    ['toNameInMessage', () => expect(record).toNameInMessage('name')],
  ])('%s tells nothing of what they hold', async (_, expectation) => {
    const told = (await failure(expectation))?.join(', ')
    expect(told).toBeDefined()
    expect(told).not.toMatch(/maria|plan|aria-login/)
  })
})
