import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { usualThreads } from '../prove/prove.ts'
import { faults } from '../reference/index.ts'
import { plumbline as run } from './command.fixture.ts'
import { filesBelow, type InstalledPackage, installPackage } from './installed-package.fixture.ts'
import { catalogues } from './services.ts'

const LONGEST_INSTALLATION_MS = 240_000
const LONGEST_COMMAND_MS = 120_000

const ids = catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id))

let installed: InstalledPackage
let filesInstalled: readonly string[]

beforeAll(async () => {
  installed = await installPackage()
  filesInstalled = filesBelow(installed.directory)
}, LONGEST_INSTALLATION_MS)

const plumbline = (...args: string[]) => run(args, {}, undefined, installed.command)

describe.concurrent('the command of an installed package', { timeout: LONGEST_COMMAND_MS }, () => {
  it('is found by the shell', () => {
    const version = execFileSync(installed.command, ['--version'], { encoding: 'utf8' })

    expect(version.trim()).toBe(packageJson.version)
  })

  it('probes the embedded deployment from any folder, and writes its reports there', async () => {
    const { status, errors, report, directory } = await plumbline('run')

    expect(status, errors).toBe(0)
    expect(report.verdict).toBe('conformant')
    expect(readdirSync(join(directory, 'reports'))).toEqual(
      expect.arrayContaining([
        'evidence.har',
        'junit.xml',
        'report.html',
        'report.json',
        'summary.md',
      ]),
    )
  })

  it('prints the requirements, with the suites that judge them', async () => {
    const { status, output } = await plumbline('requirements', '--format', 'markdown')

    expect(status).toBe(0)
    expect(output.match(/^\| `/gm)).toHaveLength(ids.length)
    expect(output).toContain('probe: [page-size](code-hosting/page-size.suite.ts)')
  })

  it('proves itself, with modules that are evaluated anew where runs share a thread', async () => {
    const quick = faults.filter(({ name }) => name.startsWith('incident-'))
    const names = quick.slice(0, usualThreads() + 1).map(({ name }) => name)
    const { status, output } = await plumbline('prove', '--fault', ...names)

    expect(status, output).toBe(0)
    expect(output).toContain(`${names.length} passed, 0 failed`)
  })
})

describe('an installed package', () => {
  it('is compiled, and without what only development needs', () => {
    const files = filesBelow(installed.folder)

    expect(files).toContain('.build/suites/all.suite.js')
    expect(files).toContain('lib/reports/report.schema.json')
    const others = /(?<!\.suite)\.ts$|\.(test|fixture|browser)\.|benchmark/
    expect(files.filter((path) => others.test(path))).toEqual([])
  })

  it('has everything to which its pages lead', () => {
    const pages = filesBelow(installed.folder).filter(
      (path) => path.endsWith('.md') && !path.startsWith('.build/'),
    )
    const leading = pages.flatMap((path) => {
      const text = readFileSync(join(installed.folder, path), 'utf8')
      return Array.from(text.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g), ([, target = '']) => ({
        path,
        target,
      }))
    })
    const dead = leading.filter(
      ({ path, target }) => !existsSync(join(installed.folder, dirname(path), target)),
    )

    expect(leading.length).toBeGreaterThan(100)
    expect(dead).toEqual([])
  })

  it('has got nothing written into it by what was run', () => {
    expect(filesBelow(installed.directory)).toEqual(filesInstalled)
  })

  it('imports its dependencies, all of them, and nothing else', () => {
    const imported = filesBelow(installed.folder)
      .filter((path) => path.startsWith('.build/') && path.endsWith('.js'))
      .flatMap((path) => {
        const source = readFileSync(join(installed.folder, path), 'utf8')
        return [...source.matchAll(/(?:\bfrom|\bimport|import\()\s*'([^'.][^']*)'/g)]
      })
      .map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
      .filter((name) => !isBuiltin(name))

    expect([...new Set(imported)].toSorted()).toEqual(Object.keys(packageJson.dependencies))
  })

  it('needs few packages, none of which runs anything when it is installed', () => {
    const { packages } = JSON.parse(
      readFileSync(join(installed.directory, 'node_modules/.package-lock.json'), 'utf8'),
    )
    const scripted = Object.entries<{ hasInstallScript?: boolean }>(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path)

    expect(scripted).toEqual([])
    expect(Object.keys(packages).length).toBeLessThan(100)
  })
})
