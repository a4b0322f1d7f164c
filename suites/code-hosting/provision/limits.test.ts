import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createLimitContent } from './limits.ts'

const contentOf = (settings: Parameters<typeof createLimitContent>[0]) => {
  const { files, requests } = createLimitContent(settings, 'maria/public')
  const sizes = new Map(
    files.map(({ path, content }) => [path, Buffer.from(content, 'base64').length]),
  )
  return { files, requests, sizes }
}

describe('createLimitContent', () => {
  it('returns one excess entry, one excess byte, and files that exceed the limit together', () => {
    const { files, requests, sizes } = contentOf({
      default_git_trees_per_page: 4,
      default_max_blob_size: 1000,
      default_max_response_size: 2500,
    })
    const entries = [...sizes].filter(([, size]) => size === 0)
    expect(entries).toHaveLength(5)
    expect(sizes.get('large-blob')).toBe(1001)
    const [, query = ''] = requests.CODE_HOSTING_LARGE_FILES?.split('?body=') ?? []
    const parts: string[] = JSON.parse(decodeURIComponent(query)).files
    const partSizes = parts.map((part) => sizes.get(part) ?? 0)
    expect(Math.max(...partSizes)).toBeLessThanOrEqual(1000)
    expect(partSizes.reduce((sum, size) => sum + size)).toBeGreaterThan(2500)
    const blob = Buffer.from(files[0]?.content ?? '', 'base64')
    const hash = createHash('sha1').update('blob 1001\0').update(blob).digest('hex')
    expect(requests.CODE_HOSTING_LARGE_BLOB).toBe(
      `GET /api/v1/repos/maria/public/git/blobs/${hash}`,
    )
  })

  it('returns nothing for high or unknown limits', () => {
    const defaults = contentOf({
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10_485_760,
      default_max_response_size: 104_857_600,
    })
    expect(Object.keys(defaults.requests)).toEqual(['CODE_HOSTING_LARGE_TREE'])
    expect(contentOf({ default_git_trees_per_page: 1001 }).files).toEqual([])
    expect(contentOf({}).requests).toEqual({})
  })
})
