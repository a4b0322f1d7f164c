import { expect, it } from 'vitest'
import { isJudged } from '../results/verdict.ts'
import { referenceEnvironment } from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { loadTarget, plannedCasesOf, serviceKeys } from './services.ts'

it('a run lists the planned cases of each judged requirement, and the next one lists the same', async () => {
  const environment = await referenceEnvironment()
  const loaded = loadTarget({ environment, directory: '/no-such-directory' })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  const planned = await plannedCasesOf(serviceKeys, loaded.target)
  const tables = new Map(planned.map((one) => [one.case, one.requirements]))
  const listed = async () => {
    const { report } = await enclosedRun(environment)
    const judged = report.results.filter(({ verdict }) => isJudged(verdict))
    return judged.map(({ requirement, cases }) => {
      const missing = cases?.missing.flatMap((one) => one.cases) ?? []
      const numbers = [...(cases?.conforming ?? []), ...(cases?.deviating ?? []), ...missing]
      return { requirement, ids: numbers.map((number) => report.cases[number] ?? '').sort() }
    })
  }
  const first = await listed()
  for (const { requirement, ids } of first) {
    const own = planned.filter(({ requirements }) => requirements.includes(requirement))
    // The server grants no such token.
    const isSent = (id: string) => !id.includes('with write:admin')
    const ofTables = ids.filter((id) => tables.has(id) && isSent(id))
    expect(ofTables, requirement).toEqual(
      own
        .map((one) => one.case)
        .filter(isSent)
        .sort(),
    )
  }
  expect(await listed()).toEqual(first)
})
