import { describe, expect, it } from 'vitest'
import {
  accountName,
  DEFAULT_PREFIX,
  isPrefix,
  provisionPlan,
  roles,
  wantedRepositories,
} from './plan.ts'

/** What servers of the family take for the name of an account. */
const accepted = /^(?!.*[-._]{2})[\da-zA-Z][-.\w]{0,38}[\da-zA-Z]$/

describe('a prefix', () => {
  it.each([DEFAULT_PREFIX, 'a-', 'nightly-2-', `${'a'.repeat(29)}-`])('may be %s', (prefix) => {
    expect(isPrefix(prefix)).toBe(true)
    for (const role of roles) expect(accountName(prefix, role)).toMatch(accepted)
    for (const { name } of wantedRepositories(prefix, 5)) expect(name).toMatch(accepted)
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

it.each([
  [200, false],
  [201, true],
])(
  'of a server with %i items on a page, a plan that fills no two pages says so: %j',
  (items, isSaid) => {
    const found = {
      admin: 'root',
      prefix: DEFAULT_PREFIX,
      accounts: {},
      organization: undefined,
      repositories: [],
      foreign: [],
      content: { files: [], requests: {} },
      hasContent: true,
    }
    const settings = { max_response_items: items }
    const { description } = provisionPlan({ ...found, settings }, false, 'https://git.example.com')
    expect(description.includes('401 repositories do not fill two pages')).toBe(isSaid)
  },
)
