import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8')
const instructions = text.split('\n').filter((line) => /^[A-Z]+ /.test(line))

const problemsOf = (content: string) => validate(content).map(({ message }) => message)

/** What an instruction is given, wherever it stands. */
function all(instruction: string): string[] {
  return instructions
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1))
}

describe('the Dockerfile', () => {
  it('is one to Docker', () => {
    expect(problemsOf(text)).toEqual([])
  })

  it('would not be with an instruction or a flag that there is not', () => {
    expect(problemsOf(text.replace('\nUSER ', '\nUSERS '))).not.toEqual([])
    expect(problemsOf(text.replace('--from=build', '--form=build'))).not.toEqual([])
    expect(problemsOf(text.replace('WORKDIR /opt', 'WORKDIR opt'))).not.toEqual([])
  })

  it('begins with one version of a supported line of Node.js, twice', () => {
    expect(all('ARG')).toEqual([
      expect.stringMatching(/^NODE_IMAGE=node:24\.\d+\.\d+-[a-z]+-slim$/),
    ])
    expect(all('FROM').map((image) => image.replace(/\W/g, ''))).toEqual([
      'NODE_IMAGEASbuild',
      'NODE_IMAGE',
    ])
  })

  it('takes the versions of the lock file, and runs no script of a package', () => {
    const installing = all('RUN').filter((command) => /npm (ci|install|prune)/.test(command))

    expect(installing.length).toBe(2)
    for (const command of installing) expect(command).toContain('--ignore-scripts')
    expect(all('RUN').join('\n')).not.toMatch(/npm install/)
  })

  it('ends as a user without rights, with the command alone', () => {
    expect(all('USER')).toEqual(['node'])
    expect(JSON.parse(all('ENTRYPOINT')[0] ?? '')).toEqual([
      'node',
      '--',
      '/opt/plumbline/node_modules/plumbline/lib/cli/plumbline.js',
    ])
  })

  it('copies what is there, and what is not kept out of its context', () => {
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
