import { describe, expect, it } from 'vitest'
import { isPrefix } from '../../../lib/cli/provision.ts'
import { accountName, plannedRepositories, roles } from './plan.ts'

/** Names that servers of the family accept for accounts. */
const accepted = /^(?!.*[-._]{2})[\da-zA-Z][-.\w]{0,38}[\da-zA-Z]$/

describe('a prefix', () => {
  it.each(['plumbline-', 'a-', 'nightly-2-', `${'a'.repeat(29)}-`])('may be %s', (prefix) => {
    expect(isPrefix(prefix)).toBe(true)
    for (const role of roles) expect(accountName(prefix, role)).toMatch(accepted)
    for (const { name } of plannedRepositories(prefix, 5)) expect(name).toMatch(accepted)
  })

  it.each([
    '',
    '-',
    'plumbline',
    'Plumbline-',
    'a--',
    '-a-',
    'a.b-',
    'a/b-',
    'ä-',
    `${'a'.repeat(30)}-`,
  ])('is not %o', (prefix) => {
    expect(isPrefix(prefix)).toBe(false)
  })
})
