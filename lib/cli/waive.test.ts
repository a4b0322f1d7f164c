import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hostileText, reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportJson } from '../reports/report-files.ts'
import { withWaivers } from '../runs/waivers/apply.ts'
import { readWaivers } from '../runs/waivers/read.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { createNestedContext } from './context.ts'

const failed = ['code-hosting/pagination/limit-lowered', 'code-hosting/tokens/created']
const options = {
  '--waivers': 'waivers.yaml',
  '--reason': 'The proxy: until spring.',
  '--owner': 'Platform team',
  '--expires': '2999-12-31',
}

let directory: string

/** Runs `waive`; null omits an option. */
async function waived(patterns: string[] = [], parts: Record<string, string | null> = {}) {
  const context = createNestedContext(directory)
  const given = Object.entries<string | null>({ ...options, ...parts })
  const words = given.flatMap(([name, value]) => (value === null ? [] : [name, value]))
  const status = await runCommandLine(['waive', ...patterns, ...words], context)
  return { status, ...context.reported }
}

function written(): string[] {
  const text = readFileSync(join(directory, 'waivers.yaml'), 'utf8')
  return readWaivers(text, 'waivers.yaml').map(({ requirement }) => requirement)
}

function report(parts?: Parameters<typeof reportFixture>[0]): void {
  writeFileSync(join(directory, 'reports', 'report.json'), reportJson(reportFixture(parts)))
}

beforeEach(() => {
  directory = temporaryDirectory()
  mkdirSync(join(directory, 'reports'))
  report()
})

describe('plumbline waive', () => {
  it('waives exactly the failures, and prints the command of a run', async () => {
    const { status, output } = await waived()
    expect([status, written()]).toEqual([0, failed])
    expect(output).toContain('waivers.yaml: 2 entries added, until 2999-12-31')
    expect(output).toMatch(
      /\nUse it in runs against the same target: plumbline run --waivers waivers\.yaml\n$/,
    )
  })

  it('names the schema in a new file only, with a path that exists', async () => {
    const line = /^# yaml-language-server: \$schema=(\S+)\n/gm
    await waived(failed.slice(1))
    await waived()
    const found = [...readFileSync(join(directory, 'waivers.yaml'), 'utf8').matchAll(line)]
    expect(found.map(({ index }) => index)).toEqual([0])
    const schema = readFileSync(join(directory, found[0]?.[1] ?? ''), 'utf8')
    expect(JSON.parse(schema).$defs.waiver.properties.requirement.enum).toContain(failed[0])
    await waived(failed.slice(1), { '--waivers': 'waivers.json' })
    expect(JSON.parse(readFileSync(join(directory, 'waivers.json'), 'utf8')).waivers).toHaveLength(
      1,
    )
  })

  it('quotes the file name for a shell', async () => {
    const file = "it's $HOME `id`.yaml"
    const { output } = await waived([], { '--waivers': file })
    const [, word = ''] = /plumbline run --waivers (.*)\n$/.exec(output) ?? []
    expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(file)
  })

  it('writes only options of the waiver, trimmed', async () => {
    const link = 'https://tracker.example.com/1'
    const parts = { '--env-file': 'staging.env', '--reason': ' known ', '--link': ` ${link}` }
    expect(await waived(failed.slice(1), parts)).toMatchObject({ status: 0, errors: '' })
    const text = readFileSync(join(directory, 'waivers.yaml'), 'utf8')
    expect(readWaivers(text, 'waivers.yaml')).toEqual([
      {
        ...{ requirement: failed[1], reason: 'known', owner: 'Platform team' },
        ...{ expires: '2999-12-31', link },
        actual: `POST /api/v1/users/maria/tokens 500: ${hostileText.replace(/\s+/g, ' ')}`,
      },
    ])
  })

  it.each([
    ['a section', ['code-hosting/pagination'], failed.slice(0, 1)],
    ['a glob', ['*/*/{limit-*,created}'], failed],
  ])('waives what %s names', async (_name, patterns, ids) => {
    expect((await waived(patterns)).status).toBe(0)
    expect(written()).toEqual(ids)
  })

  it.each<[string, string[], Record<string, string | null>, string]>([
    [
      'a requirement that passed',
      ['code-hosting/resources/user'],
      {},
      'waive: code-hosting/resources/user matches no failure of run q7k2. Failures: ',
    ],
    ['a misspelled id', ['tokens/creatd'], {}, 'Did you mean code-hosting/tokens/created?'],
    [
      'a date in the past',
      [],
      { '--expires': '2026-01-31' },
      '--expires 2026-01-31 is in the past',
    ],
    [
      'an invalid date',
      [],
      { '--expires': '2999-02-30' },
      'waive: --expires must be a day of the calendar, such as',
    ],
    ['no reason', [], { '--reason': null }, "required option '--reason <text>' not specified"],
    ['no report', [], { '--reports': 'elsewhere' }, 'does not exist'],
    [
      'a file with problems',
      [],
      { '--waivers': 'reports/report.json' },
      "line 1: the file must have required property 'waivers'",
    ],
  ])('rejects %s, and writes nothing', async (_name, patterns, parts, message) => {
    const { status, errors } = await waived(patterns, parts)
    expect(status).toBe(2)
    expect(errors).toContain(message)
    expect(readdirSync(directory)).toEqual(['reports'])
  })

  describe('of several deviations', () => {
    const requirement = 'code-hosting/errors/body'
    const deviations = ['GET /api/v1/user 403', 'GET /api/v1/user 404'].map((subject) => {
      const name = 'plumbline-20260203t0259-a1b2c3-x'
      return { subject, expected: 'a url', actual: `${name} * "a"`, exchange: 'e1' }
    })
    const [first = '', second = ''] = deviations.map(
      ({ subject }) => `${subject}: (generated name) \\* "a"`,
    )
    const entries = () =>
      readWaivers(readFileSync(join(directory, 'waivers.yaml'), 'utf8'), 'waivers.yaml')

    beforeEach(() => {
      const results = [
        resultFixture({ requirement, verdict: 'fail', expected: 'a url', actual: 'x', deviations }),
      ]
      report({ results })
    })

    it('writes a pattern for each, which matches in another run', async () => {
      expect((await waived()).status).toBe(0)
      expect(entries()).toMatchObject([{ requirement, actual: [first, second] }])
      const [waiver] = entries()
      const now = reportFixture({
        results: [resultFixture({ requirement, verdict: 'fail', deviations })],
      })
      now.run.id = '20270101t0000-ffffff'
      const known = new Set([requirement])
      expect(withWaivers(now, waiver ? [waiver] : [], known).results[0]?.verdict).toBe('waived')
    })

    it('writes the patterns of a template that match some, and lists the others', async () => {
      const template = { requirement, reason: 'stock', actual: ['* 404: *', 'status 200'] }
      writeFileSync(join(directory, 'known.yaml'), JSON.stringify({ waivers: [template] }))
      const expires = `${new Date().getUTCFullYear() + 1}-01-01`
      const parts = { '--from': 'known.yaml', '--reason': null, '--expires': expires }
      const { status, output } = await waived([], parts)
      expect([status, entries()]).toMatchObject([0, [{ actual: template.actual }]])
      expect(output).toContain(`Not in known.yaml, still failing:\n  ${requirement}: ${first}\n`)
      // The entry is there now, and does not cover the other one.
      const again = await waived()
      expect(again.status).toBe(2)
      expect(again.errors).toContain(`    not in its actual: ${first}`)
      expect(again.errors).not.toContain(second)
    })

    it('writes nothing of a template that matches none of them', async () => {
      const template = { requirement, reason: 'stock', actual: 'status 200' }
      writeFileSync(join(directory, 'known.yaml'), JSON.stringify({ waivers: [template] }))
      const { status, errors } = await waived([], {
        ...{ '--from': 'known.yaml', '--reason': null },
        '--expires': `${new Date().getUTCFullYear() + 1}-01-01`,
      })
      expect(status).toBe(2)
      expect(errors).toContain(`  ${requirement}: ${second}`)
      expect(readdirSync(directory)).not.toContain('waivers.yaml')
    })
  })

  it('rejects a run without a failure', async () => {
    report({ results: [resultFixture()], verdict: 'conformant' })
    expect((await waived()).errors).toContain('nothing failed in run q7k2')
  })

  it('adds missing entries, and rejects a complete file', async () => {
    await waived(failed.slice(1), { '--expires': '2998-01-31' })
    const { status, output } = await waived()
    expect(status).toBe(0)
    expect(output).toMatch(
      /: 1 entry added, .*\n.*limit-lowered\nAlready there, unchanged:\n.*created, until 2998-01-31\n/,
    )
    expect(written()).toEqual(failed.toReversed())
    const again = await waived()
    expect(again.status).toBe(2)
    expect(again.errors).toContain('waive: waivers.yaml already has entries for all failures')
  })

  describe('with --from', () => {
    const nextYear = `${new Date().getUTCFullYear() + 1}-01-01`
    const template = `waivers:
  - requirement: ${failed[0]}
    versions: ['1.24']
    reason: A stock server has a limit of its own.
  - requirement: code-hosting/pagination/walk
    reason: It passed.
`
    const from = (parts: Record<string, string | null> = {}) =>
      waived([], {
        ...{ '--from': 'known.yaml', '--reason': null, '--expires': nextYear, ...parts },
      })

    beforeEach(() => writeFileSync(join(directory, 'known.yaml'), template))

    it('waives failures in the file, with their reasons, and lists the others', async () => {
      const { status, output } = await from()
      expect(status).toBe(0)
      const text = readFileSync(join(directory, 'waivers.yaml'), 'utf8')
      expect(readWaivers(text, 'waivers.yaml')).toEqual([
        {
          ...{ requirement: failed[0], reason: 'A stock server has a limit of its own.' },
          ...{ owner: 'Platform team', expires: nextYear },
          actual: 'GET /api/v1/user/repos 200: X-PerPage: 50',
        },
      ])
      expect(output).toContain(`Not in known.yaml, still failing:\n  ${failed[1]}\n`)
    })

    it.each<[string, Record<string, string | null>, string]>([
      ['a reason too', { '--reason': 'known' }, "cannot be used with option '--reason <text>'"],
      ['a day years ahead', { '--expires': '2999-12-31' }, 'more than a year ahead'],
      ['no owner', { '--owner': null }, "required option '--owner <name>' not specified"],
      ['no file', { '--from': 'gone.yaml' }, '--from: gone.yaml does not exist'],
      ['a file of something else', { '--from': 'reports/report.json' }, '--from: reports/report'],
    ])('rejects %s, and writes nothing', async (_name, parts, message) => {
      const { status, errors } = await from(parts)
      expect([status, errors]).toEqual([2, expect.stringContaining(message)])
      expect(readdirSync(directory).toSorted()).toEqual(['known.yaml', 'reports'])
    })

    it('rejects a file without entries for the failures', async () => {
      writeFileSync(join(directory, 'known.yaml'), 'waivers: []\n')
      const { status, errors } = await from()
      expect([status, errors]).toEqual([
        2,
        expect.stringContaining(`known.yaml has no entry for these failures`),
      ])
    })
  })
})
