import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type EntryParts, harEntry, harText } from '../conformance/recording/har-entry.fixture.ts'
import { temporaryDirectory } from './command.fixture.ts'
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
