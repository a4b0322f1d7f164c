import { describeDefect } from './judgement.ts'
import { Inconclusive, Skip } from './outcome.ts'
import type { RowReport } from './row-report.ts'
import { currentRun } from './run.ts'
import { createScope, runInScope } from './scope.ts'

/**
 * Looks at what an observation is about. What cannot be seen is not recorded: the requirement beside
 * it says why. Anything else that is thrown is a defect of the observation.
 */
export async function see(
  id: string,
  look: () => Promise<unknown>,
): Promise<Pick<RowReport, 'observation' | 'defect'>> {
  const scope = createScope(id)
  const { redactor } = currentRun()
  try {
    const seen = JSON.stringify(await runInScope(scope, look))
    if (seen === undefined) return {}
    const value = redactor.redactJson(JSON.parse(seen))
    return { observation: { id, value, exchanges: [...scope.exchanges] } }
  } catch (error) {
    if (error instanceof Skip || error instanceof Inconclusive) return {}
    return { defect: redactor.redact(`${id}: ${describeDefect(error)}`) }
  }
}
