import type { Builder, TestCase } from 'junit-report-builder'
import type { ReviewedPin, ReviewedWaiver, RunReport } from '../conformance/result.ts'
import { failCase, skipCase } from './junit-elements.ts'
import { failingWaivers, waiverText } from './list-words.ts'
import { excerpt, printableSentence, shortened } from './printable.ts'

const messageLength = 400
const valueLimits = { characters: 4000, lines: 60 }

function line(text: string): string {
  return shortened(printableSentence(text), messageLength)
}

function addSuite(
  builder: Builder,
  suiteName: string,
  cases: readonly { name: string; state: string; finish: (testCase: TestCase) => void }[],
  { run }: RunReport,
): void {
  if (cases.length === 0) return
  const suite = builder.testSuite().name(suiteName).timestamp(run.startedAt.slice(0, 19)).time(0)
  for (const { name, state, finish } of cases) {
    const testCase = suite
      .testCase()
      .className(`plumbline.${suiteName}`)
      .name(printableSentence(name))
      .time(0)
      .property('state', state)
    finish(testCase)
  }
}

function finishWaiver(waiver: ReviewedWaiver, fails: boolean, testCase: TestCase): void {
  const { requirement, state, message } = waiver
  if (fails) {
    const text = `\n${requirement}\n${message}\nWaiver: ${waiverText(waiver)}\n`
    failCase(testCase, line(`waiver ${state}: ${message}`), `waiver ${state}`, text)
  } else if (state !== 'used') {
    skipCase(testCase, line(`${state}: ${message}`))
  }
}

function json(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? 'nothing', valueLimits)
}

function finishPin({ id, state, before, after }: ReviewedPin, pinned: boolean, testCase: TestCase) {
  if (state === 'unchanged') return
  const told = {
    changed: `was ${json(before)}, is ${json(after)}`,
    new: `is ${json(after)}, and the baseline does not have it`,
    missing: `was ${json(before)}, and was not observed this time`,
  }[state]
  if (state === 'changed' && pinned) {
    const text = `\n${id}\nBaseline: ${json(before)}\nObserved: ${json(after)}\n`
    failCase(testCase, line(`changed: ${told}`), 'changed observation', text)
  } else {
    skipCase(testCase, line(`${state}: ${told}`))
  }
}

/**
 * Adds what the operator keeps lists of, in suites of their own: `waivers` with a case for each entry
 * (a failure for one that fails the run), `baseline` with one for each observation (a failure for a
 * change that fails the run, skipped for one that is only told, new or missing).
 */
export function addLists(builder: Builder, report: RunReport): void {
  const failing = new Set(failingWaivers(report))
  const waivers = (report.waivers ?? []).map((waiver) => ({
    name: waiver.requirement,
    state: waiver.state,
    finish: (testCase: TestCase) => finishWaiver(waiver, failing.has(waiver), testCase),
  }))
  addSuite(builder, 'waivers', waivers, report)
  const { pinned = false, observations = [] } = report.baseline ?? {}
  const pins = observations.map((pin) => ({
    name: pin.id,
    state: pin.state,
    finish: (testCase: TestCase) => finishPin(pin, pinned, testCase),
  }))
  addSuite(builder, 'baseline', pins, report)
}
