import { describe, expect, it } from 'vitest'
import { anonymous, bearer } from '../../lib/probe/credentials.ts'
import { BASE_URL, startClient } from './client.fixture.ts'

const LIST = `${BASE_URL}/api/v1/user/repos`
const ORIGIN = 'https://code.test'

async function followed(target: string): Promise<string> {
  const { client, urls } = startClient()
  await client.linkedRepositories(target)
  const [url = ''] = urls()
  expect(urls()).toHaveLength(1)
  return url
}

describe('a target of Link', () => {
  it.each([
    ['of the base URL', `${LIST}?page=2&limit=5`],
    ['that is a query alone', '?page=2&limit=5'],
    ['that is a relative path', 'repos?page=2&limit=5'],
    ['that is a path', '/forge/api/v1/user/repos?page=2&limit=5'],
    ['of no prefix', '/api/v1/user/repos?page=2&limit=5'],
    ['of another prefix', `${ORIGIN}/other/api/v1/user/repos?page=2&limit=5`],
    ['of another origin', 'http://inside:3000/api/v1/user/repos?page=2&limit=5'],
    ['of another origin, without a scheme', '//inside:3000/api/v1/user/repos?page=2&limit=5'],
    ['with credentials', 'https://a:b@inside/api/v1/user/repos?page=2&limit=5#c'],
    ['of a file', 'file:///api/v1/user/repos?page=2&limit=5'],
  ])('%s is followed at the base URL', async (_, target) => {
    expect(await followed(target)).toBe(`${LIST}?page=2&limit=5`)
  })

  it.each([
    ['another path', '/elsewhere?page=2', `${ORIGIN}/elsewhere?page=2`],
    ['another path of another origin', 'https://inside/a/b?page=2', `${ORIGIN}/a/b?page=2`],
    ['another path of a file', 'file:///etc/passwd', `${ORIGIN}/etc/passwd`],
    ['a path like another origin', '/.//inside.test/a?page=2', `${ORIGIN}//inside.test/a?page=2`],
    ['the same at another origin', 'http://x//inside.test/a', `${ORIGIN}//inside.test/a`],
    ['a URL within a URL', 'data:http://inside.test/a?b', `${ORIGIN}/http://inside.test/a?b`],
    ['mail', 'mailto:a@inside.test', `${ORIGIN}/a@inside.test`],
    ['nothing', '', LIST],
  ])('of %s stays at the origin', async (_, target, expected) => {
    expect(await followed(target)).toBe(expected)
  })

  it.each(['http://[', 'http://', 'http://a b/', '//:', 'https://inside:99999/?page=2'])(
    'that is no URL reference, %j, leads to nothing at the origin',
    async (target) => {
      const url = new URL(await followed(target))
      expect(url.origin).toBe(ORIGIN)
      expect(url.pathname).not.toBe(new URL(LIST).pathname)
      expect(url.search).toBe('')
    },
  )

  it('is asked for like the list, and read like it', async () => {
    const { client, sent } = startClient(() => ({
      json: [{ full_name: 'a/a' }],
      headers: { Link: '<?page=1>; rel=first' },
    }))
    const page = await client.linkedRepositories('?page=2', {
      credentials: bearer('other'),
      sudo: { as: 'ann', in: 'query' },
    })
    expect(sent[0]).toMatchObject({
      method: 'GET',
      endpoint: 'GET /api/v1/user/repos',
      credentials: bearer('other'),
    })
    expect(sent[0]?.url.search).toBe('?page=2&sudo=ann')
    expect([page.names, page.links.get('first')]).toEqual([['a/a'], '?page=1'])
  })
})

describe('the documentation', () => {
  const START = `${BASE_URL}/api/swagger`

  /** The URLs asked for when the first answers redirect to these places in turn. */
  async function asked(...places: string[]): Promise<string[]> {
    let answers = 0
    const { client, urls } = startClient(() => {
      const Location = places[answers]
      answers += 1
      return Location === undefined ? {} : { status: 302, headers: { Location } }
    })
    await client.documentation()
    return urls()
  }

  it('is asked for without credentials, for people to read', async () => {
    const { client, sent } = startClient()
    await client.documentation()
    expect(sent).toHaveLength(1)
    expect(sent[0]?.url.href).toBe(START)
    expect(sent[0]).toMatchObject({ endpoint: 'GET /api/swagger', credentials: anonymous })
    expect(sent[0]?.headers?.Accept).toMatch(/^text\/html/)
  })

  it.each([
    ['/docs', `${ORIGIN}/docs`],
    ['swagger/', `${BASE_URL}/api/swagger/`],
    [`${ORIGIN}/docs#top`, `${ORIGIN}/docs#top`],
    ['?a=b', `${START}?a=b`],
    ['https://code.test:443/docs', `${ORIGIN}/docs`],
  ])('is followed within the origin to %s', async (location, expected) => {
    expect(await asked(location)).toEqual([START, expected])
  })

  it.each([
    'https://inside.test/docs',
    'http://code.test/docs',
    'https://code.test:8443/docs',
    '//inside.test/docs',
    'file:///docs',
    'data:text/html,a',
    'http://[',
  ])('is not followed to %s', async (location) => {
    const { client, urls } = startClient(() => ({ status: 301, headers: { Location: location } }))
    const exchange = await client.documentation()
    expect(urls()).toEqual([START])
    expect(exchange.status).toBe(301)
  })

  it('is followed over several redirects, each from where the last one led', async () => {
    expect(await asked('/a/b', 'c')).toEqual([START, `${ORIGIN}/a/b`, `${ORIGIN}/a/c`])
  })

  it('that leads in a circle comes to an end', async () => {
    const { client, urls } = startClient(() => ({ status: 302, headers: { Location: START } }))
    expect((await client.documentation()).status).toBe(302)
    expect(urls()).toHaveLength(6)
  })

  it.each([
    [302, {}],
    [200, { Location: '/docs' }],
    [404, { Location: '/docs' }],
  ])('is what it is with %d and %j', async (status, headers) => {
    const { client, urls } = startClient(() => ({ status, headers }))
    expect((await client.documentation()).status).toBe(status)
    expect(urls()).toEqual([START])
  })
})
