import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportJson } from '../reports/report-json.ts'
import { readWaivers } from '../waivers/read.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { enclosedSurroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'
import { type WaiveOptions, waive } from './waive.ts'

const options: WaiveOptions = {
  reports: 'reports',
  waivers: 'waivers.yaml',
  reason: 'The proxy: until spring.',
  owner: 'Platform team',
  expires: '2999-12-31',
}

let directory: string

/** What `waive` told, or the message with which it refused. */
async function waived(patterns: string[] = [], parts: Partial<WaiveOptions> = {}) {
  const surroundings = enclosedSurroundings(directory)
  try {
    const status = await waive(patterns, { ...options, ...parts }, surroundings)
    return { status, text: surroundings.told.output }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { status: 2, text: error.message }
  }
}

function written(name = 'waivers.yaml'): string[] {
  const read = readWaivers(readFileSync(join(directory, name), 'utf8'))
  return 'waivers' in read ? read.waivers.map(({ requirement }) => requirement) : []
}

const failed = ['code-hosting/pagination/limit-lowered', 'code-hosting/tokens/created']

beforeEach(() => {
  directory = temporaryDirectory()
  mkdirSync(join(directory, 'reports'))
  writeFileSync(join(directory, 'reports', 'report.json'), reportJson(reportFixture()))
})

describe('plumbline waive', () => {
  it('waives all that failed, and nothing else', async () => {
    const { status, text } = await waived()
    expect([status, written()]).toEqual([0, failed])
    expect(text).toContain('waivers.yaml: 2 entries added, until 2999-12-31')
    expect(text).toContain('plumbline run --waivers waivers.yaml')
  })

  it.each([
    ['an id', failed.slice(1), failed.slice(1)],
    ['a section', ['code-hosting/pagination'], failed.slice(0, 1)],
    ['a glob', ['*/*/{limit-*,created}'], failed],
  ])('waives what %s names', async (_name, patterns, ids) => {
    expect((await waived(patterns)).status).toBe(0)
    expect(written()).toEqual(ids)
  })

  it('adds to a file, and leaves alone what is in it', async () => {
    const before = `# Of staging\nwaivers:\n- requirement: a/b/c # kept\n  reason: old\n  owner: Maria\n  expires: 2026-01-31\n`
    writeFileSync(join(directory, 'waivers.yaml'), before)
    expect((await waived()).status).toBe(0)
    expect(readFileSync(join(directory, 'waivers.yaml'), 'utf8').startsWith(before)).toBe(true)
    expect(written()).toEqual(['a/b/c', ...failed])
  })

  it.each(['', ' \n', '# Of staging\n'])('begins in a file of %j', async (before) => {
    writeFileSync(join(directory, 'waivers.yaml'), before)
    expect((await waived()).status).toBe(0)
    expect(readFileSync(join(directory, 'waivers.yaml'), 'utf8')).toContain(before.trim())
    expect(written()).toEqual(failed)
  })

  it('begins a file in JSON where its name says so', async () => {
    await waived([], { waivers: 'known.json', link: 'https://tracker.example.com/1' })
    const { waivers } = JSON.parse(readFileSync(join(directory, 'known.json'), 'utf8'))
    expect(waivers[1]).toEqual({
      requirement: 'code-hosting/tokens/created',
      reason: 'The proxy: until spring.',
      owner: 'Platform team',
      expires: '2999-12-31',
      link: 'https://tracker.example.com/1',
    })
  })

  it.each<[string, string[], Partial<WaiveOptions>, string]>([
    [
      'what passed',
      ['code-hosting/resources/user'],
      {},
      'code-hosting/resources/user passed in run q7k2. Only what failed',
    ],
    ['what is waived', ['incident-status/updates/no-response-body'], {}, 'is waived already'],
    ['what got no verdict', ['*/pagination/total-count'], {}, 'total-count got no verdict'],
    [
      'several that did not fail',
      ['code-hosting/authentication'],
      {},
      'none of the 2 requirements',
    ],
    [
      'what is not there',
      ['code-hosting/tokens/creatd'],
      {},
      'Did you mean code-hosting/tokens/created?',
    ],
    [
      'one that failed and one that did not',
      [...failed, 'code-hosting/resources'],
      {},
      'Only what failed',
    ],
    ['an empty pattern', [' '], {}, 'names nothing'],
    ['a day that is over', [], { expires: '2026-01-31' }, '--expires 2026-01-31 is over'],
    [
      'a day that is none',
      [],
      { expires: '2999-02-30' },
      '--expires must be a day of the calendar, and there is no 2999-02-30.',
    ],
    ['what is no day', [], { expires: 'tomorrow' }, '--expires must be the last day'],
    [
      'the name of a requirement alone',
      ['limit-lowerd'],
      {},
      'Did you mean code-hosting/pagination/limit-lowered?',
    ],
    ['the name of a section alone', ['tokens'], {}, 'Did you mean code-hosting/tokens?'],
    [
      'what nothing is near',
      ['nope'],
      {},
      'no requirement nope. What failed: code-hosting/pagination/limit-lowered, code-hosting/tokens/created.',
    ],
    [
      'no reason and no link',
      [],
      { reason: ' ', link: 'here' },
      '--reason must be a text that says why the deviation is accepted for now; --link must be',
    ],
    ['no report', [], { reports: 'elsewhere' }, 'does not exist'],
  ])('refuses %s, and writes nothing', async (_name, patterns, parts, message) => {
    const { status, text } = await waived(patterns, parts)
    expect(status).toBe(2)
    expect(text).toContain(message)
    expect(existsSync(join(directory, 'waivers.yaml'))).toBe(false)
  })

  it.each([
    ['missing/waivers.yaml', 'does not exist: correct the path, or make it'],
    ['reports/report.json/waivers.yaml', 'is no folder'],
  ])('makes no folder for %s', async (waivers, message) => {
    const { status, text } = await waived([], { waivers })
    expect(status).toBe(2)
    expect(text).toContain(message)
    expect(existsSync(join(directory, 'missing'))).toBe(false)
  })

  it('tells of all options that are missing', async () => {
    const surroundings = enclosedSurroundings(directory)
    expect(await runCommandLine(['waive', '--owner', 'Maria'], surroundings)).toBe(2)
    expect(surroundings.told.errors).toBe(
      'plumbline: waive needs --reason <text> and --expires <date> too.\n',
    )
  })

  it('refuses a run without a failure', async () => {
    const report = reportFixture({ results: [resultFixture()], verdict: 'conformant' })
    writeFileSync(join(directory, 'reports', 'report.json'), reportJson(report))
    expect((await waived()).text).toContain('nothing failed in run q7k2')
  })

  it('adds what is not there yet, and tells what is', async () => {
    await waived(failed.slice(1), { expires: '2998-01-31' })
    const { status, text } = await waived()
    expect(status).toBe(0)
    expect(text).toBe(
      'waivers.yaml: 1 entry added, until 2999-12-31\n' +
        '  code-hosting/pagination/limit-lowered\n' +
        'There already, and left as they are:\n' +
        '  code-hosting/tokens/created, until 2998-01-31\n' +
        'Give it to a run of the same deployment: plumbline run --waivers waivers.yaml\n',
    )
    expect(written()).toEqual(failed.toReversed())
  })

  it.each<[string, string[], string, string[]]>([
    ['all that failed', [], 'all that failed', failed],
    ['a pattern', ['code-hosting'], 'all that code-hosting names', failed],
    ['one of the patterns', failed, `all that ${failed[1]} names`, failed.slice(1)],
  ])('refuses where all is there of %s', async (_name, patterns, told, there) => {
    await waived(there)
    const before = written()
    const { status, text } = await waived(patterns)
    expect(status).toBe(2)
    expect(text).toBe(
      `waive: waivers.yaml has an entry already for ${told}; change its date or reason there, or ` +
        `name other requirements:\n${there.map((id) => `  ${id}, until 2999-12-31`).join('\n')}`,
    )
    expect(written()).toEqual(before)
  })

  it('tells how the file is given to a run, as the command was begun', async () => {
    const surroundings = enclosedSurroundings(directory)
    const environment = {
      npm_lifecycle_event: 'plumbline',
      npm_lifecycle_script: 'node -- lib/cli/plumbline.js',
      npm_config_user_agent: 'npm/10.0.0',
    }
    await waive([], { ...options, waivers: 'of eu.yaml' }, { ...surroundings, environment })
    expect(surroundings.told.output).toMatch(
      /\nGive it to a run of the same deployment: npm run plumbline -- run --waivers 'of eu\.yaml'\n$/,
    )
  })

  it('refuses a file with problems, and leaves it as it is', async () => {
    writeFileSync(join(directory, 'waivers.yaml'), 'waivers: {}\n')
    expect((await waived()).text).toContain('--waivers: waivers.yaml has 1 problem')
    expect(readFileSync(join(directory, 'waivers.yaml'), 'utf8')).toBe('waivers: {}\n')
  })
})
