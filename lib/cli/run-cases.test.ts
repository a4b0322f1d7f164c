import { expect, it } from 'vitest'
import { isJudged } from '../results/verdict.ts'
import { referenceEnvironment } from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { catalogues, loadTarget, plannedCasesOf, serviceKeys } from './services.ts'

/** Requirements about every response of a kind. */
const responses = catalogues
  .flatMap(({ requirements }) => requirements)
  .flatMap(({ id, checkedBy }) => (checkedBy.includes('invariant') ? id : []))

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
    // Requirements about every response judge cases of others too.
    const isOwn = (id: string) =>
      responses.includes(requirement)
        ? tables.get(id)?.includes(requirement) === true
        : tables.has(id)
    expect(ids.filter(isOwn), requirement).toEqual(own.map((one) => one.case).sort())
  }
  expect(await listed()).toEqual(first)
})
