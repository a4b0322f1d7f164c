import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { reportJson } from '../reports/report-json.ts'
import { readWaivers } from '../waivers/read.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { enclosedContext, UsageError } from './context.ts'
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
  const context = enclosedContext(directory)
  try {
    const status = await waive(patterns, { ...options, ...parts }, context)
    return { status, text: context.told.output, errors: context.told.errors }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { status: 2, text: error.message, errors: '' }
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

  it.each<[string, string[], Partial<WaiveOptions>, string]>([
    [
      'what passed',
      ['code-hosting/resources/user'],
      {},
      'waive: nothing that failed in run q7k2 is named code-hosting/resources/user. What failed: ',
    ],
    ['one that failed and one that did not', [...failed, 'code-hosting/resources'], {}, 'nothing'],
    ['what is misspelt', ['tokens/creatd'], {}, 'Did you mean code-hosting/tokens/created?'],
    ['the name of a section alone', ['tokens'], {}, 'Did you mean code-hosting/tokens?'],
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
      'no reason and no link',
      [],
      { reason: ' ', link: 'here' },
      '--reason must be a text that says why the deviation is accepted for now; --link must be',
    ],
    ['no report', [], { reports: 'elsewhere' }, 'does not exist'],
    [
      'a file in a directory that does not exist',
      [],
      { waivers: 'confg/waivers.yaml' },
      'the directory of confg/waivers.yaml does not exist: correct the path, or make it',
    ],
    [
      'a file below a file',
      [],
      { waivers: 'reports/report.json/w.yaml' },
      'reports/report.json/w.yaml is below the file',
    ],
    ['a directory', [], { waivers: 'reports' }, '--waivers: reports is no regular file'],
    ['a file without a name', [], { waivers: ' ' }, '--waivers names no file'],
  ])('refuses %s, and writes nothing', async (_name, patterns, parts, message) => {
    const { status, text } = await waived(patterns, parts)
    expect(status).toBe(2)
    expect(text).toContain(message)
    expect(readdirSync(directory)).toEqual(['reports'])
  })

  it('needs a reason, an owner and a last day', async () => {
    const context = enclosedContext(directory)
    expect(await runCommandLine(['waive', '--owner', 'Maria'], context)).toBe(2)
    expect(context.told.errors).toContain("required option '--reason <text>' not specified")
  })

  it('tells when the file cannot be written', async () => {
    const { status, errors } = await waived([], { waivers: `${'w'.repeat(300)}.yaml` })
    expect(status).toBe(3)
    expect(errors).toMatch(/^plumbline: Cannot write /)
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

  it('refuses where an entry for all of it is there', async () => {
    await waived()
    const { status, text } = await waived(['code-hosting/tokens'])
    expect(status).toBe(2)
    expect(text).toBe(
      'waive: waivers.yaml has entries already for all of that; change their date or reason there:\n' +
        '  code-hosting/tokens/created, until 2999-12-31',
    )
    expect(written()).toEqual(failed)
  })

  it('tells how the file is given to a run, as the command was begun', async () => {
    const context = enclosedContext(directory)
    const environment = {
      npm_lifecycle_event: 'plumbline',
      npm_lifecycle_script: 'node -- lib/cli/plumbline.js',
      npm_config_user_agent: 'npm/10.0.0',
    }
    await waive([], { ...options, waivers: 'of eu.yaml' }, { ...context, environment })
    expect(context.told.output).toMatch(
      /\nGive it to a run of the same deployment: npm run plumbline -- run --waivers 'of eu\.yaml'\n$/,
    )
  })

  it('refuses a file with problems, and leaves it as it is', async () => {
    writeFileSync(join(directory, 'waivers.yaml'), 'waivers: {}\n')
    expect((await waived()).text).toContain('--waivers: waivers.yaml has 1 problem')
    expect(readFileSync(join(directory, 'waivers.yaml'), 'utf8')).toBe('waivers: {}\n')
  })
})
