import { describe, expect, it } from 'vitest'
import type { Catalogue } from '../conformance/requirement.ts'
import { UsageError } from './context.ts'
import { selectRequirements } from './requirements.ts'
import { catalogues } from './services.ts'

const all: readonly Catalogue[] = catalogues
const idsOf = (...patterns: string[]) => selectRequirements(all, patterns).map(({ id }) => id)

describe('selectRequirements', () => {
  it('selects everything without a pattern', () => {
    expect(idsOf()).toHaveLength(all.flatMap(({ requirements }) => requirements).length)
  })

  it('takes an id, the beginning of one, and a glob', () => {
    expect(idsOf('code-hosting/pagination/walk')).toEqual(['code-hosting/pagination/walk'])
    expect(idsOf('code-hosting/settings/')).toHaveLength(4)
    expect(idsOf('*/*/link-*')).toEqual([
      'code-hosting/pagination/link-when-several-pages',
      'code-hosting/pagination/link-form',
      'code-hosting/pagination/link-relations',
      'code-hosting/pagination/link-targets',
    ])
  })

  it('joins several patterns in the order of the catalogue, each row once', () => {
    expect(idsOf('code-hosting/settings/values', 'code-hosting/settings/record')).toEqual([
      'code-hosting/settings/record',
      'code-hosting/settings/values',
    ])
    expect(idsOf('code-hosting/settings', 'code-hosting/settings/values')).toHaveLength(4)
  })

  it('refuses a pattern that selects nothing, and names the nearest requirement', () => {
    expect(() => idsOf('code-hosting/pagination/wallk')).toThrow(UsageError)
    expect(() => idsOf('code-hosting/pagination/wallk')).toThrow('code-hosting/pagination/walk')
    expect(() => idsOf('code-hosting/settings', 'code-hosting/set')).toThrow(UsageError)
  })
})
