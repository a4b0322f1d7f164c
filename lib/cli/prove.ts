import { Command } from 'commander'
import picocolors from 'picocolors'
import { Progress } from '../reports/progress.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { matrixText } from './matrix/matrix-text.ts'
import { proveSideBySide, usualThreads } from './matrix/prove-side-by-side.ts'
import { type SubjectPatterns, selectSubjects } from './matrix/subject.ts'
import { envFileOption } from './options.ts'

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

/** Runs the suites against faulty and conforming deployments, and tells whether they are right. */
async function prove(patterns: SubjectPatterns): Promise<number> {
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

export function proveCommand(finish: (status: Promise<number>) => Promise<void>): Command {
  return new Command('prove')
    .description(
      'run the suites against the reference deployment with each fault and as each variant: ' +
        'a fault fails exactly the requirements that it breaks, a variant none',
    )
    .option('--fault <name...>', 'only these faults: names or globs')
    .option('--variant <name...>', 'only these variants: names or globs')
    .addOption(envFileOption())
    .action((patterns: SubjectPatterns) => finish(prove(patterns)))
}
