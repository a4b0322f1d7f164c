import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { reportModel } from '../reports/facts.ts'
import { reportFiles } from '../reports/report-files.ts'
import { defaultWorkerCount } from '../test-bed/prove/run-scenarios.ts'
import { faults } from '../test-bed/reference/index.ts'
import { filesOf, plumbline as run, temporaryDirectory } from './command.fixture.ts'

const execute = promisify(execFile)

const MAX_INSTALLATION_MS = 240_000
const MAX_COMMAND_MS = 120_000

const project = fileURLToPath(new URL('../..', import.meta.url))

const directory = join(temporaryDirectory(), 'empty')
const folder = join(directory, 'node_modules', 'plumbline')
const command = join(directory, 'node_modules', '.bin', 'plumbline')

/** The paths of all files below a folder, in the order of the alphabet. */
function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))
    .toSorted()
}

let filesInstalled: readonly string[]

const packed = join(temporaryDirectory(), 'package')
const workflow = readFileSync(join(project, '.github/workflows/release.yml'), 'utf8')
const wordsOf = (command: string) =>
  new RegExp(`run: npm (${command} .*)`).exec(workflow)?.[1]?.split(' ') ?? []

beforeAll(async () => {
  mkdirSync(packed)
  // The global setup has compiled its files.
  const pack = [...wordsOf('pack'), '--pack-destination', packed]
  await execute('npm', pack, { cwd: project })
  const [tarball = ''] = readdirSync(packed)
  mkdirSync(directory)
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await execute('npm', ['install', ...options, join(packed, tarball)], { cwd: directory })
  filesInstalled = filesBelow(directory)
}, MAX_INSTALLATION_MS)

const installed = [undefined, command] as const
const plumbline = (...args: string[]) => run(args, {}, ...installed)

describe.concurrent('the command of an installed package', { timeout: MAX_COMMAND_MS }, () => {
  it('is found by the shell', () => {
    const version = execFileSync(command, ['--version'], { encoding: 'utf8' })
    expect(version).toContain(`plumbline ${packageJson.version},`)
  })

  it('prints first steps if nothing is configured', async () => {
    const { status, errors } = await plumbline()
    expect(status).toBe(2)
    expect(errors).toMatch(/\nTo begin:\n {2}\S*plumbline run .*\n {2}\S*plumbline doctor /)
    expect((await plumbline('doctor')).output).toMatch(/ [A-Z_]+_BASE_URL/)
  })

  it('probes the reference server from any folder, and writes its reports there', async () => {
    const outcome = await plumbline('run', '--requirement', 'settings')
    expect(outcome.status, outcome.errors).toBe(0)
    expect(filesOf(outcome)).toEqual(
      reportFiles(reportModel(outcome.report))
        .map(({ name }) => name)
        .toSorted(),
    )
  })

  it('runs the named scenarios, and evaluates suites again for runs that share a thread', async () => {
    const quick = faults.map(({ name }) => name).filter((name) => name.startsWith('incident-'))
    const names = quick.slice(0, defaultWorkerCount())
    const variant = 'incident-update-nested'
    const args = ['--fault', ...names, '--variant', variant]
    // A configured target is ignored.
    const environment = { CODE_HOSTING_BASE_URL: 'http://127.0.0.1:1', PROBE_READ_ONLY: 'true' }
    const { status, output, errors } = await run(['prove', ...args], environment, ...installed)
    expect(status, output).toBe(0)
    const all = new Set([...names, variant])
    for (const name of all) expect(output).toMatch(new RegExp(`✓ .*\\b${name}\\b`))
    expect(output).toMatch(new RegExp(`\n${all.size} passed, 0 failed\n$`))
    expect(errors).toMatch(/\[ \d+\/\d+ \]/)
  })
})

describe('an installed package', () => {
  it('is compiled, and without development files', () => {
    const files = filesBelow(folder)
    expect(files).toContain('.build/suites/all.suite.js')
    const others = ['LICENSE', 'suites/waivers.schema.json', 'config/waivers/gitea.yaml']
    expect(files).toEqual(expect.arrayContaining(['lib/reports/report.schema.json', ...others]))
    const sources = /(?<!\.suite)\.ts$|\.(test|fixture|browser)\.|benchmark/
    expect(files.filter((path) => sources.test(path))).toEqual([])
  })

  it('has every file that its pages link to', () => {
    const pages = filesBelow(folder).filter(
      (path) => path.endsWith('.md') && !path.startsWith('.build/'),
    )
    const leading = pages.flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8')
      const links = text.matchAll(/\]\((?![a-z]+:|#)([^)#]+)/g)
      return Array.from(links, ([, target = '']) => join(dirname(path), target))
    })
    expect(leading.length).toBeGreaterThan(20)
    expect(leading.filter((path) => !existsSync(join(folder, path)))).toEqual([])
  })

  it('is not changed by commands', () => {
    expect(filesBelow(directory)).toEqual(filesInstalled)
  })

  it('imports exactly its dependencies', () => {
    const imported = filesBelow(folder)
      .filter((path) => path.startsWith('.build/') && path.endsWith('.js'))
      .flatMap((path) => {
        const source = readFileSync(join(folder, path), 'utf8')
        const named = /(?:\bfrom |\bimport |\bimport\(|require\(|\bhref\)\()"([^".][^"]*)"/g
        return [...source.matchAll(named)]
      })
      .map(([, name = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
      .filter((name) => !isBuiltin(name))
    const { dependencies } = packageJson
    expect([...new Set(imported)].toSorted()).toEqual(Object.keys(dependencies))
  })

  it('needs few packages, without install scripts', () => {
    const lock = readFileSync(join(directory, 'node_modules/.package-lock.json'), 'utf8')
    const packages = Object.values<{ hasInstallScript?: boolean }>(JSON.parse(lock).packages)
    expect(packages.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
    expect(packages.length).toBeLessThan(100)
  })
})
