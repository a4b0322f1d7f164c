import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTarget, variables } from '../cli/services.ts'
import { anyText, longTexts } from './arbitrary-text.fixture.ts'
import { completeEnvironment, emptyDirectory } from './complete-environment.fixture.ts'
import { wholeNumber } from './formats.ts'
import { formatProblems, type Problem } from './problems.ts'
import { readEnvironment } from './read-environment.ts'

const names = variables.map(({ name }) => name)

function loaded(environment: Record<string, string>): ReturnType<typeof loadTarget> {
  return loadTarget({ environment, directory: emptyDirectory })
}

function problemsOf(environment: Record<string, string>): Problem[] {
  const outcome = loaded(environment)
  return 'problems' in outcome ? outcome.problems : []
}

/** A word that no message of ours has. */
const word = fc.stringMatching(/^[щЖю]{5,9}$/)

describe('an environment of any texts', () => {
  it('gives a target or problems, and no problem shows a value', () => {
    const texts = fc.tuple(anyText, word, anyText).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.constantFrom(...names), texts, (name, text) => {
        const problems = problemsOf({ ...completeEnvironment, [name]: text })
        const [shown] = /[щЖю]{5,9}/.exec(text) ?? []
        expect(formatProblems(problems)).not.toContain(shown)
        for (const { variable, message } of problems) {
          expect(names).toContain(variable)
          expect(message).toMatch(/^\S.*\S$/)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('of all variables at once tells what is wrong once a variable and rule', () => {
    const environments = fc.dictionary(fc.constantFrom(...names), anyText)
    fc.assert(
      fc.property(environments, (environment) => {
        const problems = problemsOf(environment)
        const told = problems.map(({ variable, message }) => `${variable} ${message}`)
        expect(new Set(told).size).toBe(told.length)
      }),
      { numRuns: 200 },
    )
  })

  it('takes whole numbers within their bounds, and no others', () => {
    const bound = fc.nat({ max: Number.MAX_SAFE_INTEGER })
    const texts = fc.oneof(
      fc.integer().map(String),
      fc.double().map(String),
      fc.bigInt().map(String),
      fc.stringMatching(/^[ +0-9.eExX_-]{1,8}$/),
    )
    fc.assert(
      fc.property(bound, bound, texts, (one, other, text) => {
        const [minimum, maximum] = [Math.min(one, other), Math.max(one, other)]
        const { rules, read } = wholeNumber(minimum, maximum)
        const isValid = /^\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
        expect(rules.every(([isKept]) => isKept(text))).toBe(isValid)
        if (isValid) expect(read(text)).toBe(Number(text))
      }),
      { numRuns: 500 },
    )
  })

  it('of long texts is read all the same', () => {
    for (const text of longTexts('a', '/', ' ', '{', 'A', '%', ':', '.', '~', '"', 'a ')) {
      const environment = Object.fromEntries(names.map((name) => [name, text]))
      expect(problemsOf(environment).length).toBeLessThan(3 * names.length)
    }
  })
})

describe('an environment file', () => {
  let directory = ''

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  })

  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it('is read as it was written, in single quotes', () => {
    const value = anyText
      // For dotenv a backslash before the closing quote hides it.
      .map((text) =>
        Buffer.from(text)
          .toString()
          .replace(/['\r]|^\ufeff|\\$/g, ''),
      )
      .filter((text) => text.trim() !== '')
    const file = join(directory, 'written.env')
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[A-Z][A-Z_]{0,8}$/), value), (values) => {
        const lines = Object.entries(values).map(([name, text]) => `${name}='${text}'`)
        writeFileSync(file, lines.join('\n'))
        const { settings, problem } = readEnvironment({ environment: {}, envFile: file, directory })
        expect(problem).toBeUndefined()
        const read = [...settings].map(([name, { text }]) => [name, text])
        expect(Object.fromEntries(read)).toEqual(values)
      }),
      { numRuns: 150 },
    )
  })

  it('of any bytes is read, or told to be none', () => {
    const file = join(directory, 'any.env')
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      anyText.map((text) => Buffer.from(`PROBE_RETRIES=${text}`)),
    )
    fc.assert(
      fc.property(bytes, (content) => {
        writeFileSync(file, content)
        const { problem } = readEnvironment({ environment: {}, envFile: file, directory })
        expect(problem?.variable ?? '--env-file').toBe('--env-file')
        const outcome = loadTarget({ environment: {}, envFile: file, directory })
        expect('target' in outcome || outcome.problems.length > 0).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})
