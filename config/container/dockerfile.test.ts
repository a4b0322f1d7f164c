import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8')
const instructions = text.split('\n').filter((line) => /^[A-Z]+ /.test(line))

const problemsOf = (content: string) => validate(content).map(({ message }) => message)

/** Returns the operands of each occurrence of an instruction. */
function all(instruction: string): string[] {
  return instructions
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1))
}

describe('the Dockerfile', () => {
  it('is valid to Docker, and invalid with an unknown instruction', () => {
    expect(problemsOf(text)).toEqual([])
    expect(problemsOf(text.replace('\nUSER ', '\nUSERS '))).not.toEqual([])
  })

  it('runs no package script, and ends as an unprivileged user', () => {
    const installing = all('RUN').filter((command) => /npm (ci|install|prune)/.test(command))
    for (const command of installing) expect(command).toContain('--ignore-scripts')
    expect(all('USER')).toEqual(['node'])
  })

  it('copies files that exist and are in its context', () => {
    const ignored = readFileSync(new URL('Dockerfile.dockerignore', import.meta.url), 'utf8')
    const copied = all('COPY')
      .filter((operands) => !operands.startsWith('--from'))
      .flatMap((operands) => operands.split(' ').slice(0, -1))

    expect(copied.length).toBeGreaterThan(5)
    for (const path of copied) {
      expect(existsSync(join(project, path)), path).toBe(true)
      expect(ignored.split('\n')).toContain(`!${path.split('/')[0]}`)
    }
    expect(ignored).toMatch(/^\*$/m)
    expect(ignored).toMatch(/^\*\*\/\*\.env$/m)
  })
})
