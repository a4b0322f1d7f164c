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

async function runIn(reports: string): Promise<PreviousRun[]> {
  const report: RunReport = JSON.parse(readRegularFile(join(reports, 'report.json')))
  const { target, run, results } = report
  return [{ target, startedAt: run.startedAt, samples: failedSamples(results) }]
}

async function runsOf(history: string): Promise<PreviousRun[]> {
  return readHistory(history).lines
}

/**
 * Returns the samples that failed in the last run of a target, by requirement, from its reports and the
 * history. Unreadable files are ignored.
 *
 * @param reports folder of the reports; `again` is in the folder of the run that it repeats
 */
export async function readFailedSamples(
  target: RunReport['target'],
  { reports, history }: { reports: string; history: string | undefined },
): Promise<Sampling['failed']> {
  const folders = basename(reports) === 'again' ? [reports, dirname(reports)] : [reports]
  const sources = [...folders.map(runIn), ...(history === undefined ? [] : [runsOf(history)])]
  const runs = await Promise.all(
    sources.map(async (source) => {
      try {
        return (await source).filter((run) => isSameTarget(run.target, target))
      } catch {
        return []
      }
    }),
  )
  const [last] = runs.flat().sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))
  return last?.samples ?? {}
}
