import { expect, it } from 'vitest'
import type { UsageError } from '../../environment/errors.ts'
import { readWaivers } from './read.ts'

const entry = {
  requirement: 'code-hosting/tokens/created',
  reason: 'The proxy returns 200.',
  owner: 'Platform team',
  expires: '2027-01-31',
}

const yaml = `# Of staging
waivers:
  - requirement: code-hosting/tokens/created  # since the proxy
    reason: The proxy returns 200.
    owner: Platform team
    expires: 2027-01-31
`

function problems(text: string): string[] {
  try {
    readWaivers(text, 'w.yaml')
  } catch (error) {
    const [head, ...lines] = (error as UsageError).message.split('\n')
    expect(head).toMatch(/^--waivers: w\.yaml has \d+ problems?; nothing was sent\.$/)
    return lines.map((line) => line.trim())
  }
  throw new Error('the file is good')
}

const link = 'https://tracker.example.com/PLAT-12'

it.each([
  ['YAML', yaml, [entry]],
  ['YAML with the line breaks of Windows', yaml.replaceAll('\n', '\r\n'), [entry]],
  ['JSON', JSON.stringify({ waivers: [entry] }, null, '\t'), [entry]],
  ['a link', `${yaml}    link: ${link}\n`, [{ ...entry, link }]],
  ['a pattern', `${yaml}    actual: status *\n`, [{ ...entry, actual: 'status *' }]],
  ['patterns', `${yaml}    actual: [a, '*b']\n`, [{ ...entry, actual: ['a', '*b'] }]],
  ['a list whose last entry was removed', 'waivers:\n', []],
])('reads %s', (_name, text, waivers) => {
  expect(readWaivers(text, 'w.yaml')).toEqual(waivers)
})

it.each([
  ['nothing', ''],
  ['only a comment', '# none left\n'],
])('refuses a file of %s, which may have been cut off, unless it is begun', (_name, text) => {
  expect(problems(text)).toEqual([expect.stringMatching(/^it is empty: .*`waivers: \[\]`$/)])
  expect(readWaivers(text, 'w.yaml', { mayBeEmpty: true })).toEqual([])
})

it('names all problems, with line and entry', () => {
  const text = `waivers:
  - requirement: code-hosting/tokens/created
    reason: ' '
    owner: Platform team
    expires: 2027-02-30
    link: javascript:alert(1)
  - requirement: 17
    until: 2027-01-31
    reason: known
    owner: Maria
  - just text
`
  expect(problems(text)).toEqual([
    'line 3: entry 1 (code-hosting/tokens/created): reason must not be blank',
    'line 5: entry 1 (code-hosting/tokens/created): expires must be a day of the calendar, such as 2027-01-31',
    'line 6: entry 1 (code-hosting/tokens/created): link must match pattern "^https?://"',
    "line 7: entry 2: it must have required property 'expires'",
    'line 7: entry 2: until is not known; there is requirement, reason, owner, expires, actual, link',
    'line 7: entry 2: requirement must be string',
    'line 11: entry 3: it must be object',
  ])
})

it.each([
  ["''", 'actual must not be blank'],
  ['[]', 'actual must NOT have fewer than 1 items'],
  ['[a, 7]', 'actual must be string'],
  ['7', 'actual must be string,array'],
])('refuses the patterns %s', (actual, problem) => {
  const found = problems(`${yaml}    actual: ${actual}\n`)
  expect(found).toEqual([
    expect.stringContaining(`line 7: entry 1 (${entry.requirement}): ${problem}`),
  ])
})

const noYaml = 'this is neither YAML nor JSON: '
const bomb = Array.from({ length: 9 }, (_, level) => {
  const items = level === 0 ? 'x' : `*a${level - 1}`
  return `a${level}: &a${level} [${Array(9).fill(items).join(', ')}]`
})

it.each([
  [
    'with an entry twice',
    `${yaml}${yaml.split('\n').slice(2).join('\n')}`,
    'line 7: entry 2 (code-hosting/tokens/created): it is there twice; keep one',
  ],
  ['that is a list', '- requirement: a/b/c\n', 'line 1: the file must be object'],
  ['without a list', 'waivers: none\n', 'line 1: /waivers must be array,null'],
  ['with more', 'version: 1\nwaivers: []\n', 'line 1: the file must NOT have additional'],
  ['with a flaw', 'waivers: [\n', `${noYaml}Flow sequence`],
  [
    'with a tab',
    'waivers:\n\t- a\n\t- b\n',
    `${noYaml}Tabs are not allowed as indentation at line 2`,
  ],
  ['with a tag', 'waivers: !!js/function x\n', noYaml],
  ['with a stray alias', 'waivers: *gone\n', `${noYaml}Unresolved alias`],
  ['with aliases that grow without end', bomb.join('\n'), `${noYaml}Excessive alias count`],
])('refuses a file %s', (_name, text, problem) => {
  const found = problems(text)
  expect(found).toHaveLength(1)
  expect(found[0]?.startsWith(problem), found[0]).toBe(true)
})

it('does not repeat what steers a terminal', () => {
  const text = `waivers:\n  - requirement: "a\\e[31mb"\n    "\\e]0;title\\a": 1\n`
  expect(problems(text).join('')).not.toMatch(/\p{Cc}/u)
  expect(problems('waivers: @\u001b[31m').join('')).not.toMatch(/\p{Cc}/u)
})
