import picocolors from 'picocolors'
import { Progress } from '../../reports/progress.ts'
import { terminalStyle } from '../../reports/terminal-style.ts'
import { matrixText } from './matrix-text.ts'
import { proveSideBySide, usualThreads } from './prove-side-by-side.ts'
import { type SubjectPatterns, selectSubjects } from './subject.ts'

const WIDTH_WITHOUT_TERMINAL = 120
const FAILED = 1
const INTERRUPTED = 3

/** Aborts when the process is asked to stop; asked once more, it ends at once. */
function askedToStop(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort())
  }
  return controller.signal
}

/**
 * Runs the suites against faulty and conforming deployments, and tells whether they are right.
 *
 * @returns the exit status
 * @throws UsageError for a pattern that names nothing
 */
export async function proveMatrix(patterns: SubjectPatterns): Promise<number> {
  const subjects = selectSubjects(patterns)
  const signal = askedToStop()
  process.stderr.write(`${subjects.length} reference deployments, ${usualThreads()} at a time.\n`)
  const progress = new Progress(process.stderr, { color: picocolors.isColorSupported })
  progress.start(subjects.length)
  const proofs = await proveSideBySide(subjects, {
    signal,
    onProof: ({ subject, disagreements }) =>
      progress.add({
        requirement: subject.name,
        verdict: disagreements.length === 0 ? 'pass' : 'fail',
      }),
  })
  progress.finish()
  const style = terminalStyle({
    color: picocolors.isColorSupported && process.stdout.isTTY,
    width: process.stdout.columns ?? WIDTH_WITHOUT_TERMINAL,
  })
  if (signal.aborted) {
    const left = subjects.length - proofs.length
    process.stderr.write(`plumbline: interrupted; ${left} of ${subjects.length} were not tried.\n`)
  }
  process.stdout.write(`${matrixText(proofs, style)}\n`)
  if (proofs.some(({ disagreements }) => disagreements.length > 0)) return FAILED
  return signal.aborted ? INTERRUPTED : 0
}
