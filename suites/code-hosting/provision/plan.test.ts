import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isPrefix } from '../../../lib/cli/provision.ts'
import { createLimitContent, namesOf, plannedRepositories, provisionPlan } from './plan.ts'

/** Names that servers of the family accept for accounts. */
const accepted = /^(?!.*[-._]{2})[\da-zA-Z][-.\w]{0,38}[\da-zA-Z]$/

describe('a prefix', () => {
  it.each(['plumbline-', 'a-', 'nightly-2-', `${'a'.repeat(29)}-`])('may be %s', (prefix) => {
    expect(isPrefix(prefix)).toBe(true)
    const { main, other, organization } = namesOf(prefix)
    for (const name of [main, other, organization]) expect(name).toMatch(accepted)
    for (const { name } of plannedRepositories(prefix, 5)) expect(name).toMatch(accepted)
  })

  it('is followed by a hyphen, and has lower-case letters and digits only', () => {
    const others = ['', '-', 'plumbline', 'Plumbline-', 'a--', '-a-', 'a.b-', 'a/b-', 'ä-']
    expect([...others, `${'a'.repeat(30)}-`].filter(isPrefix)).toEqual([])
  })
})

describe('provisionPlan', () => {
  it.each([
    [25, ['25', '51', '3']],
    [50, ['50', '101', '3']],
    [300, ['300', '401', '2']],
    [500, ['500', '401', '1']],
    [undefined, ['25', '51', '3']],
  ])('describes the pages of a server whose maximum is %s', (maximum, numbers) => {
    const { description } = provisionPlan({
      ...{ baseUrl: 'https://git.example.com', admin: 'root', names: namesOf('a-') },
      settings: { ...(maximum !== undefined && { max_response_items: maximum }) },
      ...{ accounts: {}, organization: undefined, repositories: [], conflicting: [] },
      content: { files: [], requests: {} },
    })
    const [row = ''] = description.split('\n').filter((line) => line.includes('page sizes'))
    expect(row.match(/\d+/g)).toEqual(numbers)
    expect(row.includes(';')).toBe(maximum === 500)
  })
})

describe('createLimitContent', () => {
  const contentOf = (trees: number, blob: number, response: number) => {
    const settings = {
      default_git_trees_per_page: trees,
      default_max_blob_size: blob,
      default_max_response_size: response,
    }
    const { files, requests } = createLimitContent(settings, 'maria/public')
    const contents = files.map((file) => Buffer.from(file.content, 'base64'))
    return { paths: files.map(({ path }) => path), requests, contents }
  }

  it('returns one excess entry, one excess byte, and files that exceed the limit together', () => {
    const { paths, requests, contents } = contentOf(4, 1000, 2500)
    const sizes = contents.map(({ length }) => length)
    expect(sizes).toEqual([1001, 1000, 1000, 1000, ...Array(5).fill(0)])
    const [, query = ''] = requests.CODE_HOSTING_LARGE_FILES?.split('?body=') ?? []
    expect(JSON.parse(decodeURIComponent(query))).toEqual({ files: paths.slice(1, 4) })
    const blob = createHash('sha1')
      .update('blob 1001\0')
      .update(contents[0] ?? '')
    expect(requests).toMatchObject({
      CODE_HOSTING_LARGE_BLOB: `GET /api/v1/repos/maria/public/git/blobs/${blob.digest('hex')}`,
      CODE_HOSTING_LARGE_TREE: 'GET /api/v1/repos/maria/public/git/trees/HEAD?per_page=5',
    })
  })

  it('returns nothing for high or unknown limits', () => {
    const { requests } = contentOf(1000, 10_485_760, 104_857_600)
    expect(Object.keys(requests)).toEqual(['CODE_HOSTING_LARGE_TREE'])
    expect(contentOf(1001, 100_001, 100_001)).toMatchObject({ paths: [], requests: {} })
    expect(createLimitContent({}, 'maria/public')).toEqual({ files: [], requests: {} })
  })
})
