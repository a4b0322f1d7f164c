import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunReport } from '../../conformance/result.ts'
import type { Variant } from '../../reference/index.ts'
import { countVerdicts, verdictCountsText } from '../../reports/verdict-counts.ts'
import { enclosedContext } from '../context.ts'
import { run } from '../run.ts'
import { disagreements, type RunOutcome } from './disagreements.ts'
import type { PlainRuns } from './plain-runs.ts'
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

type Deployment = { readonly fault: string } | { readonly variant: string | Variant | undefined }

/** Runs the command against a deployment, and reads its report. */
async function outcomeOf(
  deployment: Deployment,
  { services }: Subject,
  thread: SharedThread,
): Promise<RunOutcome & { errors: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-proof-'))
  const context = enclosedContext(directory, thread.pool)
  try {
    const status = await run({ ...deployment, service: [...services], reports: directory }, context)
    const report: RunReport = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))
    return { status, report, errors: context.told.errors }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Runs the command against the deployment of the subject, and judges what it reports. */
export async function proveSubject(
  subject: Subject,
  thread: SharedThread,
  plainRuns: PlainRuns,
): Promise<Proof> {
  const { kind, name } = subject
  try {
    const deployment = kind === 'fault' ? { fault: name } : { variant: subject.variant }
    const outcome = await outcomeOf(deployment, subject, thread)
    const unchanged =
      kind === 'fault'
        ? []
        : await plainRuns.unchanged(subject, outcome, (variant) =>
            outcomeOf({ variant }, subject, thread),
          )
    return {
      subject,
      disagreements: [
        ...disagreements(subject, outcome),
        ...unchanged,
        ...complaints(outcome.errors),
      ],
      counts: verdictCountsText(countVerdicts(outcome.report.results)),
    }
  } catch (error) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { subject, disagreements: [`the run came to no end: ${told}`], counts: '' }
  }
}
