import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, textOf } from '../environment/arbitrary-text.fixture.ts'
import { curlCommand, secretVariables, shellArgument } from './curl.ts'
import { exchangeFixture } from './report.fixture.ts'

/** The words of a command (POSIX.1-2024, Shell Command Language, 2.2 and 2.6.2), variables named. */
function shellWords(command: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  const take = (pattern: RegExp): string[] | undefined => {
    const sticky = new RegExp(pattern.source, 'suy')
    sticky.lastIndex = at
    const found = sticky.exec(command)
    if (found !== null) at = sticky.lastIndex
    return found === null ? undefined : [...found]
  }
  while (at < command.length) {
    const single = take(/'([^']*)'/)
    const quoted = single ?? take(/"((?:[^"\\`]|\\.)*)"/)
    if (single !== undefined) {
      word = (word ?? '') + single[1]
    } else if (quoted !== undefined) {
      const text = (quoted[1] ?? '').replace(/\\(["\\$`])|\$\{(\w+)\}/gsu, (_, sign, name) =>
        sign === undefined ? `$${name}` : sign,
      )
      word = (word ?? '') + text
    } else if (take(/ /) !== undefined) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      const [sign = ''] = take(/\\'|[\w\-:./]/) ?? []
      if (sign === '') throw new Error(`${command.slice(at, at + 20)} is not quoted`)
      word = (word ?? '') + sign.replace('\\', '')
    }
  }
  return word === undefined ? words : [...words, word]
}

const argument = fc.oneof(anyText, textOf('$A_B', '$C_D', '$HOME', '!', "'", '"', '\\', '$', ' '))

/** A shell passes no NUL. */
const passed = (text: string) => text.replaceAll('\0', '')

describe('an argument of a command', () => {
  it('reaches it as it is, names of secrets included', () => {
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 3 }), (texts) => {
        expect(shellWords(texts.map(shellArgument).join(' '))).toEqual(texts.map(passed))
      }),
      { numRuns: 500 },
    )
  })

  it('reaches it through a shell, with the values of secrets', () => {
    const texts = fc
      .sample(argument, { numRuns: 500, seed: 4711 })
      .map((text) => Buffer.from(text).toString())
    const names = texts.flatMap(secretVariables)
    const environment = Object.fromEntries(names.map((name) => [name, `value of ${name}`]))
    const script = texts.map((text) => `printf '%s\\0' ${shellArgument(text)}`).join('\n')
    const { stdout, stderr } = spawnSync('sh', { input: script, env: environment })
    const expected = texts.map((text) =>
      passed(text).replace(
        /\$([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)/g,
        (_, name) => environment[name] ?? '',
      ),
    )

    expect(names.length).toBeGreaterThan(10)
    expect(stderr.toString()).toBe('')
    expect(stdout.toString().split('\0')).toEqual([...expected, ''])
  })
})

const names = fc.stringMatching(/^X-[A-Za-z-]{1,9}$/)

describe('a command that repeats an exchange', () => {
  it('has its URL, its header fields and its body', () => {
    const fields = fc.array(fc.record({ name: names, value: anyText }), { maxLength: 3 })
    fc.assert(
      fc.property(anyText, fields, fc.option(anyText), (path, headers, body) => {
        const url = `https://git.example.com/${path}`
        const request = { method: 'POST', url, headers, body }
        const words = shellWords(curlCommand(exchangeFixture({ request })))
        expect(words[0]).toBe('curl')
        expect(words.at(-1)).toBe(passed(url))
        const given = (option: string) =>
          words.flatMap((word, index) => (words[index - 1] === option ? [word] : []))
        const sent = headers.map(({ name, value }) =>
          passed(value === '' ? `${name};` : `${name}: ${value}`),
        )
        expect(given('--header').filter((field) => field !== 'Content-Type:')).toEqual(sent)
        expect(given('--data-raw')).toEqual(body === null ? [] : [passed(body)])
        expect(given('--request')).toEqual(['POST'])
      }),
      { numRuns: 500 },
    )
  })
})
