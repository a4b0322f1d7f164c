import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { caseIds, casesFixture, reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportJson } from '../reports/report-files.ts'
import { waiverFixture } from '../reports/reviewed-report.fixture.ts'
import { withWaivers } from '../runs/waivers/apply.ts'
import { readWaivers } from '../runs/waivers/waivers-file.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'

const failed = ['code-hosting/pagination/limit-lowered', 'code-hosting/tokens/created']
const options = {
  '--waivers': 'waivers.yaml',
  '--reason': 'The proxy: until spring.',
  '--owner': 'Platform team',
  '--expires': '2999-12-31',
}

let directory: string

/** Runs `waive`; null omits an option. */
function waived(patterns: string[] = [], parts: Record<string, string | null> = {}) {
  const all = Object.entries<string | null>({ ...options, ...parts })
  const args = all.flatMap(([name, value]) => (value === null ? [] : [name, value]))
  return enclosedCommand(['waive', ...patterns, ...args], {}, directory)
}

const textOf = (file: string) => readFileSync(join(directory, file), 'utf8')
const entries = () => readWaivers(textOf('waivers.yaml'), 'waivers.yaml')
const written = () => entries().map(({ requirement }) => requirement)

function report(parts?: Parameters<typeof reportFixture>[0]): void {
  writeFileSync(join(directory, 'reports', 'report.json'), reportJson(reportFixture(parts)))
}

beforeEach(() => {
  directory = temporaryDirectory()
  mkdirSync(join(directory, 'reports'))
  report()
})

describe('plumbline waive', () => {
  it('waives exactly the failures, and prints the command of a run for a shell', async () => {
    const { run } = reportFixture()
    const options = ['--fault', 'x', '--env-file', 'my env']
    report({ run: { ...run, options, waiversFiles: ['known.yaml'] } })
    const { status, output } = await waived()
    expect([status, written()]).toEqual([0, failed])
    expect(output).toMatch(/^waivers\.yaml: 2 /)
    expect(output).toMatch(
      /: plumbline run --env-file 'my env' --waivers known\.yaml waivers\.yaml\n$/,
    )
    const file = "it's $HOME `id`.yaml"
    const quoted = await waived([], { '--waivers': file })
    const [, word = ''] = / --waivers known\.yaml (.*)\n$/.exec(quoted.output) ?? []
    expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(file)
  })

  it('writes JSON into a new file with that ending', async () => {
    await waived(failed.slice(1), { '--waivers': 'waivers.json' })
    expect(JSON.parse(textOf('waivers.json')).waivers).toHaveLength(1)
  })

  it('writes only options of the waiver, trimmed', async () => {
    const link = 'https://tracker.example.com/1'
    const parts = { '--reason': ' known ', '--link': ` ${link}` }
    expect(await waived(failed.slice(1), parts)).toMatchObject({ status: 0, errors: '' })
    const texts = { reason: 'known', owner: 'Platform team', expires: '2999-12-31', link }
    expect(entries()).toEqual([{ requirement: failed[1], cases: [caseIds[1]], ...texts }])
    const required = { '--owner': null, '--expires': null, '--waivers': 'w.json' }
    await waived(failed.slice(1), required)
    const [only] = readWaivers(textOf('w.json'), 'w.json')
    expect(Object.keys(only ?? {})).toEqual(['requirement', 'cases', 'reason'])
  })

  it('rejects a last day in the past', async () => {
    expect((await waived([], { '--expires': '2020-01-31' })).status).toBe(2)
    expect(existsSync(join(directory, 'waivers.yaml'))).toBe(false)
  })

  it('adds missing entries, and rejects a complete file', async () => {
    await waived(failed.slice(1), { '--expires': '2998-01-31' })
    const { status, output } = await waived()
    expect(status).toBe(0)
    expect(output).toMatch(/: 1 .*\n.*limit-lowered\n/)
    expect(written()).toEqual(failed.toReversed())
    const again = await waived()
    expect(again.status).toBe(2)
    expect(again.errors).toContain('waive: waivers.yaml ')
  })

  it('writes globs that match no case that conforms, and none if no case conforms', async () => {
    const [requirement = ''] = failed
    const write = async (conforming: number[]) => {
      const cases = casesFixture({ conforming, deviating: [0, 1] })
      report({ results: [resultFixture({ requirement, verdict: 'fail', cases })] })
      expect((await waived([], { '--waivers': `${conforming.length}.yaml` })).status).toBe(0)
      return readWaivers(textOf(`${conforming.length}.yaml`), 'w.yaml')
    }
    const known = new Set([requirement])
    const [entry] = await write([2, 3])
    const verdictsIn = (deviating: number[]) => {
      const cases = casesFixture({ conforming: [], deviating })
      const results = [resultFixture({ requirement, verdict: 'fail', cases })]
      return withWaivers(reportFixture({ results }), entry ? [entry] : [], known).results[0]
        ?.verdict
    }
    expect([[0, 1], [2], [0, 3]].map(verdictsIn)).toEqual(['waived', 'fail', 'fail'])
    expect((await write([]))[0]).not.toHaveProperty('cases')
  })
})

describe('plumbline waive --prune', () => {
  const ids = ['pass', 'walk', 'usr', 'old', 'kept'].map((name) => `code-hosting/resources/${name}`)
  const states = ['unused', 'used', 'unknown', 'expired', 'noVerdict'] as const
  const file = `# Of staging.\nwaivers:\n${ids
    .map(
      (id) =>
        `  # Of ${id}.\n  - requirement: ${id}\n    reason: known\n    owner: Maria\n    expires: 2026-01-31\n`,
    )
    .join('')}`
  const waivers = ids.map((requirement, index) =>
    waiverFixture({ requirement, state: states[index] ?? 'used', expires: '2026-01-31' }),
  )
  const prune = (...args: string[]) => enclosedCommand(['waive', '--prune', ...args], {}, directory)

  beforeEach(() => writeFileSync(join(directory, 'waivers.yaml'), file))

  it('removes unused and unknown entries, and keeps the rest', async () => {
    report({ waivers })
    const { status, output, errors } = await prune()
    expect([status, errors]).toEqual([0, ''])
    expect(written()).toEqual([ids[1], ids[3], ids[4]])
    const [head = '', ...rows] = output.trimEnd().split('\n')
    expect(head).toMatch(/^waivers\.yaml: 2 /)
    expect(rows.map((row) => /^ {2}([\w/-]+)/.exec(row)?.[1])).toEqual([ids[0], ids[2]])
    // Repeated, there is nothing to remove.
    const after = textOf('waivers.yaml')
    expect(await prune()).toMatchObject({ status: 0, errors: '' })
    expect(textOf('waivers.yaml')).toBe(after)
  })

  it('keeps an entry that has other cases than in the run', async () => {
    report({ waivers })
    const [changed, ...others] = waivers.map(({ state, message, ...entry }) => entry)
    const now = JSON.stringify({ waivers: [{ ...changed, cases: ['a'] }, ...others] })
    writeFileSync(join(directory, 'waivers.yaml'), now)
    expect((await prune()).status).toBe(0)
    expect(written()).toEqual([ids[0], ids[1], ids[3], ids[4]])
  })

  it.each([
    ['an entry that is needed', { waivers }, [ids[1] ?? '']],
    ['an expired entry', { waivers }, [ids[3] ?? '']],
    ['a run without waivers', {}, []],
  ])('rejects %s', async (_name, parts, args) => {
    report(parts)
    const { status, output } = await prune(...args)
    expect([status, output]).toEqual([2, ''])
    expect(textOf('waivers.yaml')).toBe(file)
  })
})
