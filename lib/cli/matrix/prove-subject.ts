import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunReport } from '../../conformance/result.ts'
import { countVerdicts, verdictCountsText } from '../../reports/verdict-counts.ts'
import { run } from '../run.ts'
import { enclosedSurroundings } from '../surroundings.ts'
import { disagreements } from './disagreements.ts'
import { readJunit } from './junit-reading.ts'
import type { SharedThread } from './shared-thread.ts'
import type { Subject } from './subject.ts'

/** What came of a subject. */
export interface Proof {
  subject: Subject
  /** How the suites did not do what they have to; empty when they did. */
  disagreements: readonly string[]
  /** `102 passed, 0 failed, 12 skipped`; empty where there is no report. */
  counts: string
}

/** What a run says of itself beside its progress: it has none when all is well. */
function complaints(errors: string): string[] {
  return errors.split('\n').filter((line) => line.startsWith('plumbline: '))
}

/** Runs the command against the deployment of the subject, reads its reports, and judges them. */
export async function proveSubject(subject: Subject, thread: SharedThread): Promise<Proof> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-proof-'))
  const surroundings = enclosedSurroundings(directory, thread.pool)
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  try {
    const status = await run(
      { [subject.kind]: subject.name, service: [...subject.services], reports: directory },
      surroundings,
    )
    const report: RunReport = JSON.parse(read('report.json'))
    const outcome = { status, report, junit: readJunit(read('junit.xml')) }
    const found = [...disagreements(subject, outcome), ...complaints(surroundings.told.errors)]
    return {
      subject,
      disagreements: found,
      counts: verdictCountsText(countVerdicts(report.results)),
    }
  } catch (error) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { subject, disagreements: [`the run came to no end: ${told}`], counts: '' }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
