import { basename, dirname, join } from 'node:path'
import { failedSamples, type Sampling } from '../conformance/sampling.ts'
import { readRegularFile } from '../environment/read-file.ts'
import type { RunReport } from '../results/run-report.ts'
import { isSameTarget } from '../results/snapshot.ts'
import { readHistory } from '../runs/history/history.ts'

interface PreviousRun {
  target: RunReport['target']
  startedAt: string
  samples?: Sampling['failed']
}

function readRun(reports: string): PreviousRun {
  const report: RunReport = JSON.parse(readRegularFile(join(reports, 'report.json')))
  const { target, run, results } = report
  return { target, startedAt: run.startedAt, samples: failedSamples(results) }
}

/**
 * Returns the samples that failed in the last run of a target, by requirement. A folder `again` is in the
 * folder of the run that it repeats; unreadable files are ignored.
 */
export function readFailedSamples(
  target: RunReport['target'],
  { reports, history }: { reports: string; history: string | undefined },
): Sampling['failed'] {
  const folders = basename(reports) === 'again' ? [reports, dirname(reports)] : [reports]
  function ofTarget(read: () => readonly PreviousRun[]): PreviousRun[] {
    try {
      return read().filter((run) => isSameTarget(run.target, target))
    } catch {
      return []
    }
  }
  const runs = folders.flatMap((folder) => ofTarget(() => [readRun(folder)]))
  if (history !== undefined) runs.push(...ofTarget(() => readHistory(history).lines))
  const [last] = runs.sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
  return last?.samples ?? {}
}
