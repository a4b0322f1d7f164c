import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { hostileText, reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportJson } from '../reports/report-files.ts'
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
    expect(output).toMatch(/^waivers\.yaml: 2 .*2999-12-31/)
    expect(output).toMatch(/: plumbline run --waivers waivers\.yaml\n$/)
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
      const ids = new Set([requirement])
      expect(withWaivers(now, waiver ? [waiver] : [], ids).results[0]?.verdict).toBe('waived')
    })

    it('writes the patterns of a template that match some, and lists the others', async () => {
      const template = { requirement, reason: 'stock', actual: ['* 404: *', 'status 200'] }
      writeFileSync(join(directory, 'known.yaml'), JSON.stringify({ waivers: [template] }))
      const expires = `${new Date().getUTCFullYear() + 1}-01-01`
      const parts = { '--from': 'known.yaml', '--reason': null, '--expires': expires }
      const { status, output } = await waived([], parts)
      expect([status, entries()]).toMatchObject([0, [{ actual: template.actual }]])
      expect(output).toMatch(/ known\.yaml,.*:\n/)
      expect(output).toContain(`:\n  ${requirement}: ${first}\n`)
      // The entry is there now, and does not cover the other one.
      const again = await waived()
      expect(again.status).toBe(2)
      expect(again.errors).toContain(`: ${first}`)
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

  describe('with --from', () => {
    const nextYear = `${new Date().getUTCFullYear() + 1}-01-01`
    const template = `waivers:
  - requirement: ${failed[0]}
    versions: ['1.24']
    reason: <reason>
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
          ...{ requirement: failed[0], reason: '<reason>' },
          ...{ owner: 'Platform team', expires: nextYear },
          actual: 'GET /api/v1/user/repos 200: X-PerPage: 50',
        },
      ])
      expect(output).toMatch(/ known\.yaml,.*:\n/)
      expect(output).toContain(`:\n  ${failed[1]}\n`)
    })
  })
})
