import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type EntryParts, harEntry, harText } from '../conformance/recording/har-entry.fixture.ts'
import { COMMAND, plumbline, temporaryDirectory, withVerdict } from './command.fixture.ts'
import { enclosedCommand } from './enclosed-run.fixture.ts'

const environment = { CODE_HOSTING_BASE_URL: 'https://git.example.com' }

/** Judges a recording. */
function judge(entries: readonly EntryParts[]) {
  const directory = temporaryDirectory()
  const texts = entries.map((parts, index) => harEntry({ at: index, ...parts }))
  writeFileSync(join(directory, 'traffic.har'), harText(texts))
  const args = ['judge', 'traffic.har', '--reports', 'reports']
  return enclosedCommand(args, environment, directory)
}

const USERS = 20

/** Returns an entry of one of some users, who read pages, their record, and what does not exist. */
function entryOf(_: unknown, index: number): EntryParts {
  const sent = { authorization: `Bearer token-${index % USERS}-0123456789abcdef`, cookie: 'a=b' }
  const page = (index % 50) + 1
  const records = Array.from({ length: 20 }, (_, item) => ({ full_name: `maria/${page}-${item}` }))
  const kinds: EntryParts[] = [
    {
      url: `https://git.example.com/api/v1/user/repos?limit=20&page=${page}`,
      body: records,
      headers: {
        'X-Total-Count': '1000',
        'X-Page': String(page),
        'X-PerPage': '20',
        'X-HasMore': String(page < 50),
      },
    },
    { body: { login: 'maria' } },
    { url: 'https://git.example.com/api/v1/orgs/x', status: 403, body: { message: 'no', url: '' } },
  ]
  return { ...kinds[index % kinds.length], sent }
}

/** Returns the processor time that a recording of this length takes, in microseconds. */
async function timeOf(length: number): Promise<number> {
  const before = process.cpuUsage()
  const { report } = await judge(Array.from({ length }, entryOf))
  const { user, system } = process.cpuUsage(before)
  expect(report.run.recording).toMatchObject({ entries: length, judged: length })
  return user + system
}

const SIZE = 300
const FACTOR = 5
/** Garbage collection and a busy machine make times differ. */
const MAX_NOISE = 2

it('judges a recording in linear time', async () => {
  // The first one also loads the code.
  await timeOf(1)
  const short = await timeOf(SIZE)
  expect(await timeOf(SIZE * FACTOR)).toBeLessThan(FACTOR * MAX_NOISE * short)
})

/** Heap for a recording of 30 MB; a command with less than 95 MiB ends without a report. */
const MAX_HEAP_MEBIBYTES = 140
const LARGE = 9600

it('judges a large recording in bounded memory, and reports a part of its exchanges', async () => {
  const padding = 'x'.repeat(2600)
  const withPadding = (record: unknown) => ({ ...Object(record), padding })
  const entries = Array.from({ length: LARGE }, (_, index) => {
    const parts = entryOf(_, index)
    const { body } = parts
    const padded = Array.isArray(body) ? body.with(0, withPadding(body[0])) : withPadding(body)
    return harEntry({ at: index, ...parts, body: padded })
  })
  const directory = temporaryDirectory()
  const text = harText(entries)
  expect(text.length).toBeGreaterThan(30_000_000)
  writeFileSync(join(directory, 'traffic.har'), text)
  const args = ['judge', 'traffic.har', '--reports', 'reports']
  const limit = { NODE_OPTIONS: `--max-old-space-size=${MAX_HEAP_MEBIBYTES}` }
  const outcome = await plumbline(args, { ...environment, ...limit }, () => {}, COMMAND, directory)
  expect(outcome.status).toBe(1)
  const { run, exchanges } = outcome.report
  expect(run.recording).toMatchObject({ entries: LARGE, judged: LARGE })
  const short = await judge(Array.from({ length: SIZE }, entryOf))
  expect(withVerdict(outcome, 'fail')).toEqual(withVerdict(short, 'fail'))
  expect(exchanges.length).toBeLessThan(1000)
})

it('judges a part of a recording with too many secrets only', async () => {
  const withTokens = (count: number) =>
    judge(
      Array.from({ length: count }, (_, index) => ({
        sent: { authorization: `Bearer ${index}-0123456789abcdef` },
      })),
    )
  expect((await withTokens(50)).report.run.recording).toMatchObject({ judged: 50 })
  const refused = await withTokens(2001)
  expect([refused.status, refused.output]).toEqual([2, ''])
})
