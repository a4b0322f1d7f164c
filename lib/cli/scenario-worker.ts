import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redactor } from '../probe/redaction/redaction.ts'
import { reportJson } from '../reports/report-files.ts'
import type { RunReport } from '../results/run-report.ts'
import type { ScenarioWorker } from '../test-bed/prove/run-scenarios.ts'
import { executeRun } from './execute-run.ts'
import { prepareTarget } from './prepare-run.ts'
import { selectRequirements } from './select.ts'
import { cataloguesOf } from './services.ts'
import { Suites } from './suite-runner.ts'

function withExchangesOfFailures(report: RunReport): RunReport {
  const failed = report.results.filter(({ verdict }) => verdict === 'fail')
  const shown = new Set(failed.flatMap(({ exchanges }) => exchanges))
  return { ...report, exchanges: report.exchanges.filter(({ id }) => shown.has(id)) }
}

/** Opens a worker that writes no reports; it throws if a report does not match its schema. */
export function openWorker(): ScenarioWorker {
  const suites = new Suites()
  // With the ledger of each run.
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-scenarios-'))
  const context = { environment: {}, directory, program: 'plumbline', errors: { write() {} } }
  return {
    async probe(server, inspect) {
      const prepared = await prepareTarget(server, { ...context, redactor: new Redactor() })
      const { requirement = [] } = server
      const requirements = selectRequirements(cataloguesOf(prepared.target), requirement)
      const { report, internalErrors, outOfMemory } = await executeRun(prepared, {
        ...{ requirements, directory, suites },
        interruption: new Promise(() => {}),
        log: () => {},
        complete(report) {
          inspect?.(report)
          return withExchangesOfFailures(report)
        },
      })
      reportJson(report, 0)
      const errors = outOfMemory ? ['the run was aborted: out of memory'] : internalErrors
      if (errors.length > 0) await suites.close()
      return { report, internalErrors: errors }
    },
    async close() {
      await suites.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
