import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8')
const instructions = text.split('\n').filter((line) => /^[A-Z]+ /.test(line))

function all(instruction: string): string[] {
  return instructions
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1))
}

describe('the Dockerfile', () => {
  it('runs no package script, and ends as an unprivileged user', () => {
    const installing = all('RUN').filter((command) => /npm (ci|install|prune)/.test(command))
    for (const command of installing) expect(command).toContain('--ignore-scripts')
    expect(all('USER')).toEqual(['node'])
  })

  it('has the license, the schemas and the templates of waivers', () => {
    const build = text.slice(0, text.lastIndexOf('\nFROM '))
    const [pack = 'false'] = all('RUN').filter((command) => command.startsWith('npm pack '))
    const directory = temporaryDirectory()
    for (const [, paths = ''] of build.matchAll(/^COPY (.*) \S+$/gm)) {
      for (const path of paths.split(' ')) {
        cpSync(join(project, path), join(directory, path), { recursive: true })
      }
    }
    execFileSync('bash', ['-e', '-c', pack], { cwd: directory, stdio: 'pipe' })
    const schemas = ['reports/report', 'runs/waivers/waivers', 'doctor/doctor']
    for (const path of [
      ...['LICENSE', 'package.json', 'lib/cli/plumbline.js', 'suites/waivers.schema.json'],
      ...['config/waivers/gitea.yaml', 'config/waivers/forgejo.yaml'],
      ...schemas.map((name) => `lib/${name}.schema.json`),
    ]) {
      expect(existsSync(join(directory, 'package', path)), path).toBe(true)
    }
    const commands = all('RUN')
    expect(commands.indexOf(pack)).toBeGreaterThan(commands.indexOf('npm run prepare'))
    expect(all('COPY')).toContain('--from=build /build/package ./')
  })

  it('has everything in its context that it copies', () => {
    const ignored = readFileSync(new URL('Dockerfile.dockerignore', import.meta.url), 'utf8')
    const copied = all('COPY')
      .filter((operands) => !operands.startsWith('--from'))
      .flatMap((operands) => operands.split(' ').slice(0, -1))
    const patterns = ['*', '**/*.env', ...copied.map((path) => `!${path.split('/')[0]}`)]
    expect(ignored.split('\n')).toEqual(expect.arrayContaining(patterns))
  })
})
