import junitReportBuilder, { type Builder, type TestCase } from 'junit-report-builder'
import type {
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
} from '../conformance/result.ts'
import { curlCommand } from './curl.ts'
import { Evidence, exchangeLines, exchangeTitle, readParts } from './evidence.ts'
import { failingWaivers, waiverText } from './list-words.ts'
import { excerpt, printableSentence, printableText, shortened } from './printable.ts'
import { idParts } from './run-words.ts'

type XmlElement = ReturnType<TestCase['build']>

/** What the library builds an element from: a suite or a case. */
interface Buildable {
  build(parent: XmlElement): XmlElement
}

// Readers take what these marks enclose for the path of a file to attach, or for a property: text
// from a deployment could have a file of the CI server published.
const markOfReader = /\[\[(?=(?:ATTACHMENT|PROPERTY)\b)/gi

/** As `printableText`; what a reader of JUnit XML would obey is written out as well. */
function inertText(text: string): string {
  return printableText(text).replace(markOfReader, '[\\u005b')
}

/**
 * Finishes an element that the library builds. It gives `skipped` no message and ends a CDATA section
 * at the second `]]>` of its text; text that xmlbuilder escapes needs neither.
 */
function onceBuilt(node: Buildable, finish: (element: XmlElement) => void): void {
  const build = node.build.bind(node)
  node.build = (parent) => {
    const element = build(parent)
    finish(element)
    return element
  }
}

/** The element of a case that was added last: its outcome. */
function outcomeOf(element: XmlElement): XmlElement['children'][number] | undefined {
  return element.children.at(-1)
}

/** Has a case skipped, with a message on one line. */
function skipCase(testCase: TestCase, message: string): void {
  testCase.skipped()
  onceBuilt(testCase, (element) => outcomeOf(element)?.attribute('message', message))
}

/** Has a case failed, with a message on one line and a text behind it. */
function failCase(testCase: TestCase, message: string, type: string, text: string): void {
  testCase.failure(message, type)
  onceBuilt(testCase, (element) => outcomeOf(element)?.text(inertText(text)))
}

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
function addLists(builder: Builder, report: RunReport): void {
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

const bodyLimits = { characters: 4000, lines: 120 }

function difference({ expected, actual }: RequirementResult): string | undefined {
  if (expected === undefined && actual === undefined) return undefined
  return [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}`]),
  ].join(', ')
}

function message(result: RequirementResult): string {
  return line(result.reason ?? difference(result) ?? 'no reason was recorded')
}

function exchangeParagraphs(result: RequirementResult, evidence: Evidence): string[] {
  const exchange = evidence.of(result)
  if (exchange === undefined) return []
  const options = { read: readParts([result]), requestDetails: true, body: bodyLimits }
  const lines = exchangeLines(exchange, options).map(({ text }) => text)
  return [
    [`Exchange ${exchangeTitle(exchange, result)}`, ...lines].join('\n'),
    `Repeat it with:\n${curlCommand(exchange)}`,
  ]
}

function content(result: RequirementResult, evidence: Evidence): string {
  const value = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`${label} ${excerpt(text, valueLimits)}`]
  const facts = [
    ...value('Expected:', result.expected),
    ...value('Actual:  ', result.actual),
    ...value('Reason:  ', result.reason),
  ]
  const paragraphs = [
    `${result.statement}\nRequirement: ${result.requirement}\nSection: ${result.section}`,
    ...(facts.length === 0 ? [] : [facts.join('\n')]),
    ...exchangeParagraphs(result, evidence),
  ]
  return `\n${paragraphs.join('\n\n')}\n`
}

function skippedMessage(result: RequirementResult): string {
  const { verdict, waiver } = result
  if (waiver === undefined) return `${verdict}: ${message(result)}`
  const told = [waiverText(waiver), difference(result) ?? result.reason ?? '']
  return line(`${verdict}: ${told.filter((part) => part !== '').join('; ')}`)
}

function addOutcome(testCase: TestCase, result: RequirementResult, evidence: Evidence): void {
  switch (result.verdict) {
    case 'pass':
      if (result.reason !== undefined) {
        const reason = inertText(result.reason)
        onceBuilt(testCase, (element) => element.element('system-out').text(reason))
      }
      return
    case 'fail':
      failCase(testCase, message(result), result.level, content(result, evidence))
      return
    case 'inconclusive':
      testCase.error(message(result), 'inconclusive')
      onceBuilt(testCase, (element) =>
        outcomeOf(element)?.text(inertText(content(result, evidence))),
      )
      return
    default:
      skipCase(testCase, skippedMessage(result))
  }
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000
}

/**
 * The run as JUnit XML: a suite for each `service/section` in order of appearance, a case for each
 * requirement, named by its id, so that a CI server keeps its history when a statement is reworded.
 * A failed requirement is a failure, an inconclusive one an error; skipped, waived and advisory ones
 * are skipped, and the message begins with which of the three it is. Waivers and the baseline, where
 * the run was given them, have suites of their own. Times are in seconds; that of
 * the root is how long the run took. Characters that XML cannot carry are written out (`\u0000`).
 */
export function junitXml(report: RunReport): string {
  const evidence = new Evidence(report.exchanges)
  const sections = new Map<string, RequirementResult[]>()
  for (const result of report.results) {
    const { service, section } = idParts(result.requirement)
    const name = `${service}/${section}`
    sections.set(name, [...(sections.get(name) ?? []), result])
  }
  const builder = junitReportBuilder.newBuilder().name('plumbline')
  const duration = Date.parse(report.run.finishedAt) - Date.parse(report.run.startedAt)
  for (const [name, results] of sections) {
    const suite = builder.testSuite().name(printableSentence(name))
    // Readers that find no time at the root add up the suites, whose checks take place at once.
    onceBuilt(suite, (element) => element.root().attribute('time', seconds(duration)))
    // Readers of JUnit XML disagree on fractions and time zones: UTC without either suits them all.
    suite.timestamp(report.run.startedAt.slice(0, 19))
    suite.time(seconds(results.reduce((sum, result) => sum + result.durationMs, 0)))
    for (const result of results) {
      const id = idParts(result.requirement)
      const testCase = suite
        .testCase()
        .className(printableSentence(`${id.service}.${id.section}`))
        .name(printableSentence(id.name))
        .time(seconds(result.durationMs))
      for (const property of ['requirement', 'statement', 'section', 'level', 'verdict'] as const) {
        testCase.property(property, printableSentence(result[property]))
      }
      addOutcome(testCase, result, evidence)
    }
  }
  addLists(builder, report)
  return builder.build()
}
