import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTarget, variables } from '../cli/services.ts'
import { anyText, longTexts } from './arbitrary-text.fixture.ts'
import { completeEnvironment, emptyDirectory } from './complete-environment.fixture.ts'
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
