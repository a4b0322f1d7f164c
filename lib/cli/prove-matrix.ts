import picocolors from 'picocolors'
import picomatch from 'picomatch'
import { matrixText } from '../prove/matrix-text.ts'
import { type ProbeDeployment, proveSideBySide, usualThreads } from '../prove/prove.ts'
import { needSubjects, type Subject, subjects } from '../prove/subject.ts'
import { Progress } from '../reports/progress.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { didYouMean } from '../target/nearest.ts'
import { type CliContext, enclosedContext, UsageError } from './context.ts'
import { terminalOptions } from './output.ts'
import { unknownName } from './reference-names.ts'
import { run } from './run.ts'
import { catalogues, loadTarget } from './services.ts'

const FAILED = 1
const INTERRUPTED = 3

/** Names or globs of what is to be proved; with none, everything is. */
export type SubjectPatterns = Partial<Record<Subject['kind'], readonly string[]>>

function unknown(kind: Subject['kind'], pattern: string, all: readonly Subject[]): UsageError {
  if (kind !== 'need') return unknownName(kind, pattern)
  const names = all.filter((subject) => subject.kind === kind).map(({ name }) => name)
  return new UsageError(
    `--need ${pattern} names no need.${didYouMean(pattern, names)} There is ${names.join(', ')}.`,
  )
}

/**
 * The subjects that patterns name, in their order and each of them once.
 *
 * @throws UsageError for a pattern that names nothing
 */
export function selectSubjects(
  all: readonly Subject[],
  patterns: SubjectPatterns,
): readonly Subject[] {
  const chosen = (['fault', 'variant', 'need'] as const).flatMap((kind) =>
    (patterns[kind] ?? []).flatMap((pattern) => {
      const found = all.filter(
        (subject) =>
          subject.kind === kind &&
          pattern.trim() !== '' &&
          picomatch.isMatch(subject.name, pattern),
      )
      if (found.length === 0) throw unknown(kind, pattern, all)
      return found
    }),
  )
  return chosen.length === 0 ? all : all.filter((subject) => chosen.includes(subject))
}

/** A run of the command that reads no configuration. */
export const probeDeployment: ProbeDeployment = async (deployment, directory, pool) => {
  const context = enclosedContext(directory, pool)
  const status = await run({ ...deployment, reports: directory }, context)
  return { status, errors: context.told.errors }
}

const NOTICE = 'Interrupted: ending with the deployments under way. Once more to stop at once.'

/**
 * Runs the suites against faulty and conforming deployments, and tells whether they are right.
 *
 * @returns the exit status
 * @throws UsageError for a pattern that names nothing
 */
export async function proveMatrix(patterns: SubjectPatterns, context: CliContext): Promise<number> {
  const { output, errors } = context
  const all = [...subjects, ...(await needSubjects(catalogues, loadTarget))]
  const chosen = selectSubjects(all, patterns)
  const controller = new AbortController()
  const { signal } = controller
  void context.interruption(NOTICE).then(() => controller.abort())
  errors.write(`${chosen.length} reference deployments, ${usualThreads()} at a time.\n`)
  const progress = new Progress(errors, { color: picocolors.isColorSupported })
  progress.start(chosen.length)
  const proofs = await proveSideBySide(chosen, {
    probe: probeDeployment,
    signal,
    onProof: ({ subject, disagreements }) =>
      progress.add({
        requirement: subject.name,
        verdict: disagreements.length === 0 ? 'pass' : 'fail',
      }),
  })
  progress.finish()
  const style = terminalStyle(terminalOptions(context))
  if (signal.aborted) {
    const left = chosen.length - proofs.length
    errors.write(`plumbline: interrupted; ${left} of ${chosen.length} were not tried.\n`)
  }
  output.write(`${matrixText(proofs, style)}\n`)
  if (proofs.some(({ disagreements }) => disagreements.length > 0)) return FAILED
  return signal.aborted ? INTERRUPTED : 0
}
