import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  caseIds,
  casesFixture,
  hostileText,
  reportFixture,
  resultFixture,
} from '../reports/report.fixture.ts'
import { reportJson } from '../reports/report-files.ts'
import { waiverFixture } from '../reports/reviewed-report.fixture.ts'
import type { WaivedDeviation, Waiver } from '../results/run-report.ts'
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

const nextYear = `${new Date().getUTCFullYear() + 1}-01-01`

/** Runs `waive` with templates for known servers. */
function waivedFrom(templates: object | object[], ...args: string[]) {
  writeFileSync(join(directory, 'known.yaml'), JSON.stringify({ waivers: [templates].flat() }))
  return waived(args, { '--from': 'known.yaml', '--reason': null, '--expires': nextYear })
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
    const { status, output } = await waived()
    expect([status, written()]).toEqual([0, failed])
    expect(output).toMatch(/^waivers\.yaml: 2 .*2999-12-31/)
    expect(output).toMatch(/: plumbline run --waivers waivers\.yaml\n$/)
    const file = "it's $HOME `id`.yaml"
    const quoted = await waived([], { '--waivers': file })
    const [, word = ''] = /plumbline run --waivers (.*)\n$/.exec(quoted.output) ?? []
    expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(file)
  })

  it('prints the command with the environment file of the run', async () => {
    const { run } = reportFixture()
    report({ run: { ...run, options: ['--fault', 'x', '--env-file', 'my env'] } })
    const { output } = await waived()
    expect(output).toMatch(/: plumbline run --env-file 'my env' --waivers waivers\.yaml\n$/)
  })

  it('names the schema in a new file only, with a path that exists', async () => {
    await waived(failed.slice(1))
    await waived()
    const line = /^# yaml-language-server: \$schema=(\S+)\n/gm
    const [[found, path = ''] = [''], ...others] = textOf('waivers.yaml').matchAll(line)
    expect([textOf('waivers.yaml').startsWith(found), others]).toEqual([true, []])
    expect(JSON.parse(textOf(path)).$defs.waiver.properties.requirement.enum).toContain(failed[0])
    await waived(failed.slice(1), { '--waivers': 'waivers.json' })
    expect(JSON.parse(textOf('waivers.json')).waivers).toHaveLength(1)
  })

  it('writes only options of the waiver, trimmed', async () => {
    const link = 'https://tracker.example.com/1'
    const parts = { '--reason': ' known ', '--link': ` ${link}` }
    expect(await waived(failed.slice(1), parts)).toMatchObject({ status: 0, errors: '' })
    const texts = { reason: 'known', owner: 'Platform team', expires: '2999-12-31', link }
    const actual = `POST /api/v1/users/maria/tokens 500: ${hostileText.replace(/\s+/g, ' ')}`
    const deviations = [{ actual, cases: [caseIds[1]] }]
    expect(entries()).toEqual([{ requirement: failed[1], ...texts, deviations }])
    const names = Object.keys(entries()[0] ?? {})
    expect([names[0], names.at(-1)]).toEqual(['requirement', 'deviations'])
  })

  it.each(['waivers.yaml', 'waivers.json'])(
    'escapes what editors hide or interpret, and keeps the rest of %s',
    async (name) => {
      const hidden = '\u202etxt\u2066 \u009b2J \u2028 \ufeff \u{e0001}'
      const comment = name.endsWith('json') ? '' : '# kept \u202e\n'
      writeFileSync(join(directory, name), `${comment}{"waivers": []}`)
      const texts = { '--reason': hidden, '--owner': `M ${hidden}` }
      expect((await waived([], { ...texts, '--waivers': name })).status).toBe(0)
      const text = textOf(name)
      expect(text.startsWith(comment)).toBe(true)
      expect(text.slice(comment.length)).not.toMatch(/[\p{Cf}\p{Zl}]|[^\P{Cc}\n]/u)
      const expected = { reason: hidden, owner: `M ${hidden}` }
      expect(readWaivers(text, name)).toMatchObject([expected, expected])
    },
  )

  it.each([
    ['a section', ['code-hosting/pagination'], failed.slice(0, 1)],
    ['a glob', ['*/*/{limit-*,created}'], failed],
  ])('waives what %s names', async (_name, patterns, ids) => {
    expect((await waived(patterns)).status).toBe(0)
    expect(written()).toEqual(ids)
  })

  it('adds missing entries, and rejects a complete file', async () => {
    await waived(failed.slice(1), { '--expires': '2998-01-31' })
    const { status, output } = await waived()
    expect(status).toBe(0)
    expect(output).toMatch(/: 1 .*\n.*limit-lowered\n.*:\n.*created, .*2998-01-31\n/)
    expect(written()).toEqual(failed.toReversed())
    const again = await waived()
    expect(again.status).toBe(2)
    expect(again.errors).toContain('waive: waivers.yaml ')
  })

  it('with --from waives failures in the file, with their reasons, and lists the others', async () => {
    const { status, output } = await waivedFrom([
      { requirement: failed[0], versions: ['1.24'], reason: '<reason>' },
      { requirement: 'code-hosting/pagination/walk', reason: 'It passed.' },
    ])
    const texts = { reason: '<reason>', owner: 'Platform team', expires: nextYear }
    const actual = 'GET /api/v1/user/repos 200: X-PerPage: 50'
    const deviations = [{ actual, cases: ['*, with Sudo: the other account, GET /user'] }]
    expect([status, entries()]).toEqual([0, [{ requirement: failed[0], ...texts, deviations }]])
    expect(output).toMatch(/ known\.yaml,.*:\n/)
    expect(output).toContain(`:\n  ${failed[1]}\n`)
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

  it('removes unused and unknown entries, names expired ones, and keeps the rest', async () => {
    report({ waivers })
    const { status, output, errors } = await prune()
    expect([status, errors]).toEqual([0, ''])
    expect(written()).toEqual([ids[1], ids[3], ids[4]])
    for (const id of ids) expect(textOf('waivers.yaml')).toContain(`# Of ${id}.`)
    const [head = '', ...rows] = output.trimEnd().split('\n')
    expect(head).toMatch(/^waivers\.yaml: 2 /)
    expect(rows.map((row) => /^ {2}([\w/-]+)/.exec(row)?.[1])).toEqual([
      ...[ids[0], ids[2], undefined, ids[3]],
    ])
    // Repeated, there is nothing to remove.
    const after = textOf('waivers.yaml')
    expect(await prune()).toMatchObject({ status: 0, errors: '' })
    expect(textOf('waivers.yaml')).toBe(after)
  })

  it.each<[string, Pick<Waiver, 'actual' | 'deviations'>]>([
    ['other patterns', { actual: 'status 404' }],
    ['cases', { deviations: [{ actual: 'status 404', cases: ['a case'] }] }],
  ])('keeps and names an entry that has %s than the run', async (_name, content) => {
    report({ waivers })
    const [changed, ...others] = waivers.map(({ state, message, ...entry }) => entry)
    const now = JSON.stringify({ waivers: [{ ...changed, ...content }, ...others] })
    writeFileSync(join(directory, 'waivers.yaml'), now)
    const { status, output } = await prune()
    expect(status).toBe(0)
    expect(written()).toEqual([ids[0], ids[1], ids[3], ids[4]])
    expect(output).toMatch(new RegExp(`unchanged:\n {2}${ids[0]}\n`))
  })

  it('removes only what patterns select, of JSON too', async () => {
    report({ waivers })
    const entries = waivers.map(({ state, message, ...entry }) => entry)
    writeFileSync(join(directory, 'w.json'), JSON.stringify({ waivers: entries }))
    expect((await prune('resources/usr', '--waivers', 'w.json')).status).toBe(0)
    const left = readWaivers(textOf('w.json'), 'w.json').map(({ requirement }) => requirement)
    expect(left).toEqual(ids.filter((id) => id !== ids[2]))
    expect(textOf('waivers.yaml')).toBe(file)
  })

  it.each([
    ['an entry that is needed', { waivers }, [ids[1] ?? '']],
    ['an expired entry', { waivers }, [ids[3] ?? '']],
    ['a run without waivers', {}, []],
    ['a file that does not exist', { waivers }, ['--waivers', 'gone.yaml']],
    ['another option', { waivers }, ['--owner', 'Maria']],
  ])('rejects %s', async (_name, parts, args) => {
    report(parts)
    const { status, output } = await prune(...args)
    expect([status, output]).toEqual([2, ''])
    expect(textOf('waivers.yaml')).toBe(file)
    expect(existsSync(join(directory, 'gone.yaml'))).toBe(false)
  })

  it('removes the entry of a requirement that a run judged as passed', async () => {
    const requirement = 'code-hosting/resources/user'
    const now = withWaivers(
      reportFixture({ results: [resultFixture({ requirement })] }),
      [{ ...waiverFixture({ requirement }), expires: '2999-12-31' }],
      new Set([requirement]),
    )
    report(now)
    writeFileSync(join(directory, 'waivers.yaml'), file.replaceAll(ids[0] ?? '', requirement))
    expect((await prune()).status).toBe(0)
    expect(written()).toEqual(ids.slice(1))
  })
})

describe('plumbline waive --each-case of several deviations', () => {
  const requirement = 'code-hosting/errors/body'
  const [one = '', two = '', three = ''] = caseIds
  const deviations = [
    { subject: 'GET /api/v1/user 403', cases: [0, 1] },
    { subject: 'GET /api/v1/user 404', cases: [2] },
  ].map((parts) => {
    const name = 'plumbline-20260203t0259-a1b2c3-x'
    return { ...parts, expected: 'a url', actual: `${name} * "a"`, exchange: 'e1' }
  })
  const cases = casesFixture({ conforming: [3, 4], deviating: [0, 1, 2] })
  const result = resultFixture({ requirement, verdict: 'fail', actual: 'x', deviations, cases })
  const [first, second] = deviations.map(({ subject }, index) => {
    const named = index === 0 ? [one, two] : [three]
    return { actual: `${subject}: (generated name) \\* "a"`, cases: named }
  }) as [WaivedDeviation, WaivedDeviation]
  const old = { requirement, reason: 'old', owner: 'Maria', expires: '2998-12-31' }

  /** Writes an entry of the old form, with a comment. */
  const write = (entry: object) =>
    writeFileSync(join(directory, 'waivers.yaml'), `waivers: [${JSON.stringify(entry)}] # kept\n`)

  beforeEach(() => report({ results: [{ ...result, expected: 'a url' }] }))

  it('writes each with its cases, which covers it in another run', async () => {
    expect((await waived(['--each-case'])).status).toBe(0)
    expect(entries()).toMatchObject([{ requirement, deviations: [first, second] }])
    const now = reportFixture({ results: [result] })
    now.run.id = '20270101t0000-ffffff'
    const { results } = withWaivers(now, entries(), new Set([requirement]))
    expect(results[0]?.verdict).toBe('waived')
  })

  it('writes the deviations that a template covers, and lists the others', async () => {
    const actual = ['* 404: *', 'status 200']
    const { status, output } = await waivedFrom(
      { requirement, reason: 'stock', actual },
      '--each-case',
    )
    expect([status, entries()]).toMatchObject([0, [{ deviations: [second] }]])
    expect(output).toMatch(/ known\.yaml,.*:\n/)
    expect(output).toContain(`:\n  ${requirement}: ${first.actual}\n`)
    // The entry is there now, and does not cover the other one.
    const again = await waived(['--each-case'])
    expect(again.status).toBe(2)
    expect(again.errors).toContain(`: ${first.actual} (`)
    expect(again.errors).not.toContain(second.actual)
  })

  it('writes nothing of a template that matches none of them', async () => {
    const template = { requirement, reason: 'stock', actual: 'status 200' }
    const { status, errors } = await waivedFrom(template)
    expect(status).toBe(2)
    expect(errors).toContain(`  ${requirement}: ${second.actual}\n`)
    expect(existsSync(join(directory, 'waivers.yaml'))).toBe(false)
  })

  it.each<[string, Partial<Waiver>, WaivedDeviation[]]>([
    ['of one deviation', { actual: ['* 404: *', 'status 200'] }, [first]],
    ['of all deviations', {}, []],
  ])('keeps an entry %s, and names what it does not cover', async (_name, parts, others) => {
    const entry = { ...old, ...parts }
    write(entry)
    const { status, errors } = await waived(['--each-case'])
    expect([status, entries()]).toEqual([2, [entry]])
    expect(errors).toContain(`  ${requirement}, until 2998-12-31`)
    const named = [first, second].filter(({ actual }) => errors.includes(`: ${actual} (`))
    expect(named).toEqual(others)
  })

  it('is short without it', async () => {
    expect((await waived()).status).toBe(0)
    const actual = '*: (generated name) \\* "a"'
    const [content] = entries()
    expect(content?.deviations).toHaveLength(1)
    expect(content?.deviations?.[0]?.actual).toBe(actual)
  })
})
