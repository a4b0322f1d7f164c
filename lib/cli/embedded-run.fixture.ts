import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { catalogues } from './catalogues.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { prepareTarget } from './prepare-run.ts'
import { probeTarget } from './probe-target.ts'
import { selectRequirements } from './select-requirements.ts'

/** A run of the suites against the embedded deployment, in this process. */
export interface EmbeddedRun {
  report: RunReport
  defects: readonly string[]
  /** Ids of the requirements with a verdict, in the order of the catalogues. */
  idsWith(verdict: RequirementResult['verdict']): string[]
}

/**
 * Judges the embedded deployment on the path that the command takes, without the start of a process:
 * many runs are cheap.
 */
export async function embeddedRun(options: {
  fault?: string
  variant?: string
  service?: string[]
}): Promise<EmbeddedRun> {
  const prepared = await prepareTarget(options)
  const probed = prepared.services.map((key) => catalogues[key])
  const { report, defects } = await probeTarget(prepared, {
    requirements: selectRequirements(probed, []),
    directory: temporaryDirectory(),
  })
  return {
    report,
    defects,
    idsWith: (verdict) =>
      report.results
        .filter((result) => result.verdict === verdict)
        .map(({ requirement }) => requirement),
  }
}
