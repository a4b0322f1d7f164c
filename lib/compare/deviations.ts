import type { RequirementResult, RunReport } from '../conformance/result.ts'

/** What a run writes into its texts and no other run does, with what stands for it. */
const passingTexts: readonly [RegExp, string][] = [
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '(a UUID)'],
  [/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g, '(a date)'],
  [/\b(?=[a-f]*\d)[\da-f]{16,}\b/gi, '(an id)'],
]

type Run = Pick<RunReport, 'run' | 'target'>

function settledActual({ actual = '' }: RequirementResult, { run, target }: Run): string {
  const own: [string, string][] = [
    ...(run.id === '' ? [] : [[run.id, '(the run)'] as [string, string]]),
    ...Object.values(target).flatMap(({ baseUrl }): [string, string][] =>
      URL.canParse(baseUrl) ? [[new URL(baseUrl).origin, '(the origin)']] : [],
    ),
  ]
  const withoutOwn = own.reduce((text, [found, words]) => text.replaceAll(found, words), actual)
  return passingTexts.reduce((text, [pattern, words]) => text.replace(pattern, words), withoutOwn)
}

/**
 * Whether what came instead of what the document states is the same in two runs, apart from dates,
 * ids, the name of the run and the address of the deployment.
 */
export function isSameDeviation(
  before: RequirementResult,
  after: RequirementResult,
  runs: { before: Run; after: Run },
): boolean {
  return settledActual(before, runs.before) === settledActual(after, runs.after)
}
