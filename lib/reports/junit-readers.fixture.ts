import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as junit2json, type TestSuites } from 'junit2json'
import testResultsParser from 'test-results-parser'
import type { RequirementResult, RunReport, Verdict } from '../conformance/result.ts'
import { printableSentence, shortened } from './printable.ts'

type Outcome = 'passed' | 'failure' | 'error' | 'skipped'

/** A case as a reader of JUnit XML tells it. */
interface ToldCase {
  suite: string
  name: string
  requirement: string
  verdict: string
  /** Where the reader does not tell a failure and an error apart: a failure. */
  outcome: Outcome
  /** Where the reader tells it. */
  message: string | undefined
}

/** What a reader of JUnit XML tells of a run. */
export interface ToldRun {
  counts: { failures: number; errors: number; skipped: number }
  /** Of the whole run. */
  seconds: number
  cases: ToldCase[]
}

const outcomes: Record<Verdict, Outcome> = {
  pass: 'passed',
  fail: 'failure',
  inconclusive: 'error',
  skipped: 'skipped',
  waived: 'skipped',
  advisory: 'skipped',
}

/** By junit2json, which rests on sax. */
export async function toldByJunit2json(xml: string): Promise<ToldRun> {
  const root = (await junit2json(xml)) as TestSuites & { skipped: number }
  const cases = (root.testsuite ?? []).flatMap(({ name: suite, testcase = [] }) =>
    testcase.map((told): ToldCase => {
      const { properties } = told as { properties?: { name: string; value: string }[] }
      const property = (name: string) =>
        String(properties?.find((candidate) => candidate.name === name)?.value)
      const kinds = (['failure', 'error', 'skipped'] as const).filter((kind) => told[kind])
      const [kind] = kinds
      const message = kind === undefined ? undefined : told[kind]?.[0]?.message
      return {
        suite: String(suite),
        name: String(told.name),
        requirement: property('requirement'),
        verdict: property('verdict'),
        outcome: kind ?? 'passed',
        message: message === undefined ? undefined : String(message),
      }
    }),
  )
  const { failures = Number.NaN, errors = Number.NaN, skipped, time = Number.NaN } = root
  return { counts: { failures, errors, skipped }, seconds: time, cases }
}

const statuses: Partial<Record<string, Outcome>> = {
  PASS: 'passed',
  FAIL: 'failure',
  SKIP: 'skipped',
}

/** By test-results-parser, which rests on fast-xml-parser; it also looks for files to attach. */
export function toldByTestResultsParser(xml: string): ToldRun & { attachments: unknown[] } {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-junit-'))
  try {
    const file = join(directory, 'junit.xml')
    writeFileSync(file, xml)
    const told = testResultsParser.parse({ type: 'junit', files: [file] })
    const cases = told.suites.flatMap((suite) =>
      suite.cases.map(({ name, status, failure, metadata }): ToldCase => {
        const { requirement, verdict } = metadata as { requirement: string; verdict: string }
        const outcome = statuses[status] ?? 'error'
        const message = outcome === 'failure' ? String(failure) : undefined
        return { suite: suite.name, name: String(name), requirement, verdict, outcome, message }
      }),
    )
    return {
      counts: { failures: told.failed, errors: told.errors, skipped: told.skipped },
      seconds: told.duration / 1000,
      cases,
      attachments: told.suites.flatMap((suite) => suite.cases.flatMap((one) => one.attachments)),
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function messageOf(result: RequirementResult): string | undefined {
  const { verdict, reason, expected, actual } = result
  if (verdict === 'pass') return undefined
  const because = shortened(
    printableSentence(reason ?? `expected ${expected}, actual ${actual}`),
    400,
  )
  return verdict === 'fail' || verdict === 'inconclusive' ? because : `${verdict}: ${because}`
}

/** What any reader should tell of the run: section by section, in the order of the report. */
export function toldByReport({ run, results }: RunReport): ToldRun {
  const cases = results.map((result): ToldCase => {
    const [service, section, ...name] = result.requirement.split('/')
    return {
      suite: `${service}/${section}`,
      name: name.join('/'),
      requirement: result.requirement,
      verdict: result.verdict,
      outcome: outcomes[result.verdict],
      message: messageOf(result),
    }
  })
  const suites = [...new Set(cases.map(({ suite }) => suite))]
  const count = (outcome: Outcome) => cases.filter((told) => told.outcome === outcome).length
  return {
    counts: { failures: count('failure'), errors: count('error'), skipped: count('skipped') },
    seconds: (Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000,
    cases: suites.flatMap((suite) => cases.filter((told) => told.suite === suite)),
  }
}

/** As a reader tells it to which failure and error are one, and which has no message of the skipped. */
export function withoutDistinctions(told: ToldRun): ToldRun {
  const cases = told.cases.map((one) => ({
    ...one,
    outcome: one.outcome === 'error' ? 'failure' : one.outcome,
    message: one.outcome === 'skipped' ? undefined : one.message,
  }))
  return { ...told, cases }
}
