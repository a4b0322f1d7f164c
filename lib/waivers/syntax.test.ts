import { describe, expect, it } from 'vitest'
import { readWaivers, waiversProblemsText } from './file.ts'

function told(text: string): string[] {
  const read = readWaivers(text)
  return 'problems' in read ? waiversProblemsText('w.yaml', read.problems).split('\n').slice(1) : []
}

const first = 'waivers:\n  - requirement: a/b/c\n'

describe('a file of waivers that is neither YAML nor JSON', () => {
  it.each([
    ['a name too far to the left', `${first}   reason: why\n`, '3, column 1', 'the indentation'],
    [
      'a name too far to the right',
      `${first}     reason: why\n`,
      '2, column 18',
      'the indentation',
    ],
    ['names below the dash', `${first}  reason: why\n`, '3, column 1', 'the indentation'],
    ['an entry too far to the right', `${first}   - a: b\n`, '3, column 4', 'the indentation'],
    ['an entry too far to the left', `${first} - a: b\n`, '3, column 1', 'the indentation'],
    ['a tab', `${first}\treason: why\n`, '3, column 1', 'begins with a tab: indent it with spaces'],
    [
      'a colon in a text',
      `${first}    reason: The proxy: until spring.\n`,
      '3, column 13',
      'a text with ": " in it stands in quotes',
    ],
    ['a quote that is open', `${first}    reason: 'The\n`, '4, column 1', 'in quotes has no end'],
    [
      'an apostrophe within quotes',
      `${first}    reason: 'The proxy's'\n`,
      '3, column 24',
      "write an apostrophe within '…' twice",
    ],
    ['no space after the dash', 'waivers:\n  -owner: a\n    reason: b\n', '2', 'belongs a space'],
    [
      'no colon',
      'waivers:\n  - owner Maria\n    reason: b\n',
      '2, column 5',
      'belongs a colon and',
    ],
    [
      'a reserved sign',
      `${first}    owner: @maria\n`,
      '3, column 12',
      'that begins so stands in q',
    ],
    ['a name twice', `${first}    requirement: a/b/c\n`, '3, column 5', 'for the second time'],
    ['two documents', `${first}---\nwaivers: []\n`, '3, column 1', 'a second document begins here'],
    ['a conflict', `<<<<<<< HEAD\n${first}=======\n`, '1, column 1', 'a conflict of two versions'],
    ['JSON cut off', '{"waivers": [\n', '2, column 1', 'a bracket has no end, or a comma'],
    [
      'JSON without a comma',
      '{"waivers": [\n{"owner": "a" "b": 1}]}',
      '2',
      'neither YAML nor JSON',
    ],
  ])('tells of %s where it is and what to do', (_name, text, place, meant) => {
    const [problem = ''] = told(text)
    expect(problem.startsWith(`  line ${place}`)).toBe(true)
    expect(problem).toContain(meant)
    expect(problem).toContain('this is neither YAML nor JSON: ')
  })

  it('tells of a line once, and of every line', () => {
    const tabs = 'waivers:\n\t- requirement: a/b/c\n\t  reason: why\n'
    expect(told(tabs).map((line) => line.slice(0, 21))).toEqual([
      '  line 2, column 1: t',
      '  line 3, column 1: t',
    ])
  })

  it('does not repeat what steers a terminal', () => {
    expect(
      told(`${first}    owner: @\u001b[31m\n    owner2: !\u001b]0;x\u0007 y\n`).join(''),
    ).not.toMatch(/\p{Cc}/u)
  })
})

describe('a file that is of another kind', () => {
  it.each([
    ['a baseline', '{"schema":1,"target":{},"observations":{}}'],
    ['the report of a run', '{"schema":1,"tool":{"name":"plumbline"},"run":{}}'],
    ['a history of runs', '{"run":"x","rows":{},"counts":{}}\n{"run":"y","rows":{},"counts":{}}\n'],
    ['an environment file', 'PROBE_READ_ONLY=true\n'],
  ])('is told as one: %s', (what, text) => {
    expect(told(text)).toEqual([
      `  it is ${what}, and no file of waivers: name one that has "waivers:" with a list`,
    ])
  })
})
