import { describe, expect, it } from 'vitest'
import { readWaivers, waiverProblems, waiversProblemsText } from './read.ts'

const entry = {
  requirement: 'code-hosting/tokens/created',
  reason: 'The proxy answers 200.',
  owner: 'Platform team',
  expires: '2027-01-31',
}

const yaml = `# Of staging
waivers:
  - requirement: code-hosting/tokens/created  # since the proxy
    reason: The proxy answers 200.
    owner: Platform team
    expires: 2027-01-31
`

function problems(text: string): string[] {
  const read = readWaivers(text)
  if (!('problems' in read)) throw new Error('the file is good')
  return read.problems.map(({ line, message }) => `${line ?? 0} ${message}`)
}

describe('readWaivers', () => {
  it.each([
    ['YAML', yaml],
    ['YAML with the line breaks of Windows', yaml.replaceAll('\n', '\r\n')],
    ['JSON', JSON.stringify({ waivers: [entry] })],
    ['JSON, indented with tabs', JSON.stringify({ waivers: [entry] }, null, '\t')],
  ])('reads %s', (_name, text) => {
    expect(readWaivers(text)).toEqual({ waivers: [entry] })
  })

  it('keeps a link, and finds no waiver in a list whose last entry was removed', () => {
    const link = 'https://tracker.example.com/PLAT-12'
    expect(readWaivers(`${yaml}    link: ${link}\n`)).toEqual({ waivers: [{ ...entry, link }] })
    expect(readWaivers('waivers:\n')).toEqual({ waivers: [] })
  })

  it.each([
    ['nothing', ''],
    ['white space', ' \n\t\n'],
    ['a comment alone', '# none left\n'],
  ])('refuses a file of %s, which may have been cut off, unless it is begun', (_name, text) => {
    expect(problems(text)).toEqual([expect.stringMatching(/^0 it is empty: .*`waivers: \[\]`$/)])
    expect(readWaivers(text, { mayBeEmpty: true })).toEqual({ waivers: [] })
  })

  it('tells every problem at once, with its line and entry', () => {
    const text = `waivers:
  - requirement: code-hosting/tokens/created
    reason: ' '
    owner: Platform team
    expires: 2027-02-30
    link: javascript:alert(1)
  - requirement: 17
    until: 2027-01-31
  - just text
`
    expect(problems(text)).toEqual([
      '3 entry 1 (code-hosting/tokens/created): reason must be a text that says why the deviation is accepted for now',
      '5 entry 1 (code-hosting/tokens/created): expires must be a day of the calendar, and there is no 2027-02-30',
      '6 entry 1 (code-hosting/tokens/created): link must be an absolute URL that starts with http:// or https://',
      '7 entry 2: reason is missing; it must be a text that says why the deviation is accepted for now',
      '7 entry 2: owner is missing; it must be a text that says who answers for it',
      '7 entry 2: expires is missing; it must be the last day on which it holds, such as 2027-01-31',
      '7 entry 2: until is not known; there is requirement, reason, owner, expires, link',
      '7 entry 2: requirement must be the id of a requirement',
      '9 entry 3: must be an object with requirement, reason, owner, expires, link',
    ])
  })

  it('refuses a requirement that is there twice', () => {
    expect(problems(`${yaml}${yaml.split('\n').slice(2).join('\n')}`)).toEqual([
      '7 entry 2 (code-hosting/tokens/created): is there twice: it is entry 1 too; keep one',
    ])
  })

  it.each([
    ['a list', '- requirement: a/b/c\n', '1 the file must have "waivers:" with a list of entries'],
    ['no list', 'waivers: none\n', '1 the file must have "waivers:" with a list of entries'],
    ['more', 'version: 1\nwaivers: []\n', '1 version is not known: everything stands below'],
    ['a flaw', 'waivers: [\n', 'this is neither YAML nor JSON: Flow sequence'],
    ['a tab', 'waivers:\n\t- a\n\t- b\n', '2 this is neither YAML nor JSON: Tabs are not allowed'],
    ['a tag', 'waivers: !!js/function x\n', 'this is neither YAML nor JSON'],
    ['a stray alias', 'waivers: *gone\n', '0 this is neither YAML nor JSON: Unresolved alias'],
  ])('refuses a file that is %s', (_name, text, told) => {
    expect(problems(text).join('\n')).toContain(told)
  })

  it('refuses aliases that grow without end, and soon', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const items = level === 0 ? 'x' : `*a${level - 1}`
      return `a${level}: &a${level} [${Array(9).fill(items).join(', ')}]`
    })
    expect(problems(levels.join('\n'))).toEqual([expect.stringContaining('Excessive alias count')])
  })

  it('does not repeat what steers a terminal', () => {
    const text = `waivers:\n  - requirement: "a\\e[31mb"\n    "\\e]0;title\\a": 1\n`
    expect(problems(text).join('')).not.toMatch(/\p{Cc}/u)
    expect(problems('waivers: @\u001b[31m').join('')).not.toMatch(/\p{Cc}/u)
  })
})

describe('waiversProblemsText', () => {
  it('names the file and the lines', () => {
    const told = [{ line: 3, message: 'entry 1: owner is missing' }, { message: 'and so on' }]
    expect(waiversProblemsText('known.yaml', told)).toBe(
      '--waivers: known.yaml has 2 problems; nothing was sent.\n  line 3: entry 1: owner is missing\n  and so on',
    )
  })
})

describe('waiverProblems', () => {
  it('tells each wrong part once', () => {
    const wrong = { reason: ' ', owner: 'b', expires: 'tomorrow', link: '' }
    expect(waiverProblems(wrong).map((problem) => problem.split(' ')[0])).toEqual([
      'reason',
      'expires',
      'link',
    ])
  })
})
