import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { SharedThread } from '../prove/shared-thread.ts'
import { startReference } from '../reference/index.ts'
import { judged } from '../reports/verdict-counts.ts'
import { atTheEnd, temporaryDirectory } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { diagnose } from './doctor.ts'
import { run } from './run.ts'

const thread = new SharedThread()
afterAll(() => thread.close())

/** Needs of data, which no variable meets: prove shows those that variables meet. */
const cases: [string, { variant?: string; told?: Record<string, string> }][] = [
  ['as it is', {}],
  ['without repositories', { variant: 'no-repositories' }],
  ['with one repository', { variant: 'single-repository' }],
  ['with as many repositories as a page holds', { variant: 'as-many-repositories-as-the-maximum' }],
  ['without X-Total-Count', { variant: 'no-total-count' }],
  ['with a private repository in no list', { variant: 'private-repository-of-somebody-else' }],
  ['with a list longer than may be read', { told: { PROBE_MAX_PAGES: '2' } }],
]

describe('what the doctor foretells', () => {
  it.each(cases)('is what a run judges of a deployment %s', async (_, { variant, told }) => {
    const reference = await startReference({ variant })
    atTheEnd(() => reference.close())
    const directory = temporaryDirectory()
    const environment = { ...reference.environment, ...told }
    const context = { ...enclosedContext(directory, thread.pool), environment }
    const { requirements } = await diagnose({}, context)
    await run({ reports: directory }, context)
    const report: RunReport = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))

    const foretold = requirements.filter(({ outlook }) => outlook === 'judged')
    const done = report.results.filter(({ verdict }) => judged(verdict))
    expect(foretold.map(({ requirement }) => requirement)).toEqual(
      done.map(({ requirement }) => requirement),
    )
  })
})
