import { describe, it } from 'vitest'
import { type Answer, errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { expect, schemeWarnings } from './matchers.ts'

type Failure = Error & { expected: string; actual: string }

/** What the expectation expected and what it got; `undefined` when it held. */
async function failure(expectation: () => unknown): Promise<string[] | undefined> {
  const error = (await errorOf(expectation)) as Failure | undefined
  if (error === undefined) return undefined
  expect(error.message).toContain(`: expected ${error.expected}, got ${error.actual}`)
  return [error.expected, error.actual]
}

const json = (value: unknown, path?: string) => exchangeWith({ json: value }, path)
const list = (...names: unknown[]) => json(names.map((full_name) => ({ full_name })))
const linked = (Link: string) => exchangeWith({ headers: { Link } })
const warned = (Warning: string) => exchangeWith({ headers: { Warning } })
const message = (text: unknown) => json({ message: text })
const answer = (parts: Answer) => exchangeWith(parts)

describe('records', () => {
  it('show a user in any case', async () => {
    expect(json({ login: 'Maria' })).toShowUser('mARIA')
    expect(await failure(() => expect(json({ login: 'marian' })).toShowUser('maria'))).toEqual([
      'login "maria"',
      'login "marian"',
    ])
    const nameless = json({ name: 'maria' })
    expect((await failure(() => expect(nameless).toShowUser('maria')))?.[1]).toBe('no login')
    expect((await failure(() => expect(json(null)).toShowUser('maria')))?.[1]).toBe('no login')
  })

  it('show a repository in any case', async () => {
    expect(json({ full_name: 'Maria/Public' })).toShowRepository('maria/public')
    expect(
      await failure(() => expect(json({ full_name: 'public' })).toShowRepository('maria/public')),
    ).toEqual(['full_name "maria/public"', 'full_name "public"'])
  })

  it('have a field of exactly one value', async () => {
    expect(json({ token_last_eight: '01234567' })).toHaveField('token_last_eight', '01234567')
    const number = json({ token_last_eight: 1234567 })
    expect(await failure(() => expect(number).toHaveField('token_last_eight', '1234567'))).toEqual([
      'token_last_eight "1234567"',
      'token_last_eight 1234567',
    ])
  })
})

describe('lists', () => {
  it('have a number of items', async () => {
    expect(list('a/b', 'a/c')).toHaveItems(2)
    expect(list()).toHaveItems(0)
    expect(await failure(() => expect(list('a/b')).toHaveItems(2))).toEqual(['2 items', '1 items'])
    expect(await failure(() => expect(json(null)).toHaveItems(0))).toEqual(['0 items', 'no list'])
  })

  it('hold none but the items of somebody, and some where there are any', async () => {
    expect(list('a/b')).toHoldItemsOf(['a/b', 'a/c'])
    expect(list()).toHoldItemsOf([])
    expect(await failure(() => expect(list('a/b', 'x/y')).toHoldItemsOf(['a/b']))).toEqual([
      'some of 1 items (a/b)',
      '2 items (a/b, x/y)',
    ])
    expect(await failure(() => expect(list()).toHoldItemsOf(['a/b']))).toEqual([
      'some of 1 items (a/b)',
      '0 items',
    ])
  })

  it('lack an item in any case', async () => {
    expect(list('a/b', 7)).toLackItem('a/c')
    expect(await failure(() => expect(list('a/b', 'A/C')).toLackItem('a/c'))).toEqual([
      'a list without a/c',
      'a/c in it',
    ])
  })

  it('hold the same as another response, in any order', async () => {
    expect(list('a', 'b')).toHoldTheSameAs(list('b', 'a'))
    const other = json([{ full_name: 'a' }, { full_name: 'c' }], '/other')
    expect(await failure(() => expect(list('a', 'b')).toHoldTheSameAs(other))).toEqual([
      'the items of https://git.example.com/other: 2 items (a, c)',
      '2 items (a, b)',
    ])
    expect((await failure(() => expect(list()).toHoldTheSameAs(other)))?.[1]).toBe('0 items')
    const many = list('a', 'b', 'c', 'd')
    expect((await failure(() => expect(many).toHoldTheSameAs(other)))?.[1]).toBe(
      '4 items (a, b, c, …)',
    )
  })
})

describe('Link', () => {
  const next = '<https://other.example/x?page=2>; rel="next"'

  it('has a relation, or lacks it', async () => {
    expect(linked(next)).toLinkTo('next')
    expect(linked('</x?page=2>;rel=NEXT,</x?page=9> ; rel="last"')).toLinkTo('last')
    expect(exchangeWith()).toLackLinkTo('next')
    expect(await failure(() => expect(linked(next)).toLinkTo('prev'))).toEqual([
      'a Link with relation prev',
      `Link: ${next}`,
    ])
    expect((await failure(() => expect(exchangeWith()).toLinkTo('next')))?.[1]).toBe('no Link')
    expect(await failure(() => expect(linked(next)).toLackLinkTo('next'))).toEqual([
      'no Link with relation next',
      `Link: ${next}`,
    ])
  })

  it.each([
    '</x>; rel="next", </y>; rel="last"',
    '</x>;rel=next,</y>;rel=last',
    '</x> ;  rel=next ,  </y>; rel="last"',
    '</x?a=1,2;3>; rel="next last"',
  ])('is well formed: %s', (field) => {
    expect(linked(field)).toHaveLinkOfRelations('next', 'last')
  })

  it.each([
    ['another relation', '</x>; rel="self"'],
    ['no relation', '</x>'],
    ['no brackets', '/x; rel="next"'],
    ['nothing', ''],
  ])('is not well formed with %s', async (_, field) => {
    const found = await failure(() => expect(linked(field)).toHaveLinkOfRelations('next', 'last'))
    expect(found?.[0]).toBe('Link of <target>; rel=… with relations next, last')
    expect(found?.[1]).toMatch(`Link: ${field}`)
  })
})

describe('warnings of the scheme', () => {
  const about = '299 - "The token scheme is Deprecated; use BEARER"'

  it.each([
    about,
    `${about} "Fri, 02 Jan 2026 00:00:00 GMT"`,
    `110 proxy "Response is stale", ${about}`,
    '299 forge/1.27 "deprecated, see \\"Bearer\\""',
  ])('are recognised: %s', async (field) => {
    expect(warned(field)).toWarnOfTheScheme()
    expect(await failure(() => expect(warned(field)).toWarnOfNoScheme())).toEqual([
      'no Warning of a deprecated scheme',
      `Warning: ${field}`,
    ])
  })

  it.each([
    '299 - "the query parameter is deprecated"',
    '199 - "deprecated; use Bearer"',
    'deprecated; use Bearer',
  ])('are not taken for others: %s', async (field) => {
    expect(warned(field)).toWarnOfNoScheme()
    expect((await failure(() => expect(warned(field)).toWarnOfTheScheme()))?.[1]).toBe(
      `Warning: ${field}`,
    )
  })

  it('are none without the field', async () => {
    expect(schemeWarnings(exchangeWith())).toEqual([])
    expect(exchangeWith()).toWarnOfNoScheme()
    expect((await failure(() => expect(exchangeWith()).toWarnOfTheScheme()))?.[1]).toBe(
      'no Warning',
    )
  })
})

describe('access', () => {
  it('is refused by 401 and 403 alone', async () => {
    for (const status of [200, 404, 422]) expect(answer({ status })).toBeAllowed()
    expect(await failure(() => expect(answer({ status: 401 })).toBeAllowed())).toEqual([
      'access',
      'status 401',
    ])
    const refusal = answer({ status: 403, json: { message: 'no' } })
    expect((await failure(() => expect(refusal).toBeAllowed()))?.[1]).toBe('status 403 (no)')
  })
})

describe('links to the documentation', () => {
  it.each([
    'https://git.example.com/api/swagger',
    'http://internal:3000/forge/api/swagger/',
    '/api/swagger',
    'https://git.example.com/api/swagger?page=1#/user',
  ])('lead there: %s', (url) => {
    expect(json({ url })).toLinkToDocumentation()
  })

  it.each(['https://git.example.com/docs', '', '/api/swagger/v2', '/myapi/swagger', 'http://'])(
    'lead elsewhere: %s',
    async (url) => {
      expect(await failure(() => expect(json({ url })).toLinkToDocumentation())).toEqual([
        'a url that leads to /api/swagger',
        `url "${url}"`,
      ])
    },
  )

  it('are absent without text', async () => {
    const found = await failure(() => expect(json({ url: null })).toLinkToDocumentation())
    expect(found?.[1]).toBe('no url')
  })
})

describe('a field named in a message', () => {
  it.each(['name is required', '[Name]: Required', 'token_name', 'invalid "name"', 'name'])(
    'is a word of it: %s',
    (text) => {
      expect(message(text)).toNameInMessage('name')
    },
  )

  it.each(['username is required', 'names are taken', 'rename it', ''])(
    'is not part of another: %s',
    async (text) => {
      expect(await failure(() => expect(message(text)).toNameInMessage('name'))).toEqual([
        'a message that names name',
        `message "${text}"`,
      ])
    },
  )

  it('needs a message', async () => {
    const missing: Exchange = message(undefined)
    expect((await failure(() => expect(missing).toNameInMessage('name')))?.[1]).toBe('no message')
  })
})

describe('a comparison of its own', () => {
  it('is told in its own words', async () => {
    expect(exchangeWith()).toShow(true, 'anything', 'nothing')
    expect(await failure(() => expect(exchangeWith()).toShow(false, 'an end', 'none'))).toEqual([
      'an end',
      'none',
    ])
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
