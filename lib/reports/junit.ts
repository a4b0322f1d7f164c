import junitReportBuilder, { type Builder, type TestCase } from 'junit-report-builder'
import type {
  ObservationDiff,
  RequirementResult,
  ReviewedWaiver,
  RunReport,
} from '../conformance/result.ts'
import { curlCommand } from './curl.ts'
import { differences, Evidence, exchangeLines, exchangeTitle, readParts } from './evidence.ts'
import { excerpt, printableSentence, printableText, shortened } from './printable.ts'
import { groupBy } from './reason-groups.ts'
import { failingWaivers, idParts, waiverText } from './run-words.ts'

type XmlElement = ReturnType<TestCase['build']>

interface Buildable {
  build(parent: XmlElement): XmlElement
}

type Outcome =
  | { kind: 'passed'; output?: string | undefined }
  | { kind: 'skipped'; message: string }
  | { kind: 'failure' | 'error'; message: string; type: string; text: string }

interface Case {
  className: string
  name: string
  durationMs: number
  properties: Record<string, string>
  outcome: Outcome
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

function addOutcome(testCase: TestCase, outcome: Outcome): void {
  if (outcome.kind === 'passed') {
    const { output } = outcome
    if (output === undefined) return
    onceBuilt(testCase, (element) => element.element('system-out').text(inertText(output)))
  } else if (outcome.kind === 'skipped') {
    testCase.skipped()
    onceBuilt(testCase, ({ children }) => children.at(-1)?.attribute('message', outcome.message))
  } else {
    testCase[outcome.kind](outcome.message, outcome.type)
    onceBuilt(testCase, ({ children }) => children.at(-1)?.text(inertText(outcome.text)))
  }
}

function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000
}

function addSuite(builder: Builder, name: string, cases: readonly Case[], { run }: RunReport) {
  const suite = builder.testSuite().name(printableSentence(name))
  // Readers of JUnit XML disagree on fractions and time zones: UTC without either suits them all.
  suite.timestamp(run.startedAt.slice(0, 19))
  suite.time(seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)))
  // Readers that find no time at the root add up the suites, whose checks take place at once.
  const duration = Date.parse(run.finishedAt) - Date.parse(run.startedAt)
  onceBuilt(suite, (element) => element.root().attribute('time', seconds(duration)))
  for (const { className, name, durationMs, properties, outcome } of cases) {
    const testCase = suite
      .testCase()
      .className(printableSentence(className))
      .name(printableSentence(name))
      .time(seconds(durationMs))
    for (const [property, value] of Object.entries(properties)) {
      testCase.property(property, printableSentence(value))
    }
    addOutcome(testCase, outcome)
  }
}

const messageLength = 400
const valueLimits = { characters: 4000, lines: 60 }
const bodyLimits = { characters: 4000, lines: 120 }

function line(text: string): string {
  return shortened(printableSentence(text), messageLength)
}

function waiverOutcome(waiver: ReviewedWaiver, fails: boolean): Outcome {
  const { requirement, state, message } = waiver
  if (fails) {
    const text = `\n${requirement}\n${message}\nWaiver: ${waiverText(waiver)}\n`
    const type = `waiver ${state}`
    return { kind: 'failure', message: line(`${type}: ${message}`), type, text }
  }
  return state === 'used'
    ? { kind: 'passed' }
    : { kind: 'skipped', message: line(`${state}: ${message}`) }
}

function json(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? 'nothing', valueLimits)
}

function diffOutcome({ id, state, before, after }: ObservationDiff, pinned: boolean): Outcome {
  if (state === 'unchanged') return { kind: 'passed' }
  const details = {
    changed: `was ${json(before)}, is ${json(after)}`,
    new: `is ${json(after)}, and the baseline does not have it`,
    missing: `was ${json(before)}, and was not observed this time`,
  }[state]
  const message = line(`${state}: ${details}`)
  if (state !== 'changed' || !pinned) return { kind: 'skipped', message }
  const text = `\n${id}\nBaseline: ${json(before)}\nObserved: ${json(after)}\n`
  return { kind: 'failure', message, type: 'changed observation', text }
}

/** What the operator keeps lists of: failures fail the run, what is skipped is only told. */
function listCases(report: RunReport): Case[] {
  const listed = (suite: string, name: string, state: string, outcome: Outcome): Case => {
    return { className: `plumbline.${suite}`, name, durationMs: 0, properties: { state }, outcome }
  }
  const failing = new Set(failingWaivers(report))
  const { pinned = false, observations = [] } = report.baseline ?? {}
  return [
    ...(report.waivers ?? []).map((waiver) => {
      const outcome = waiverOutcome(waiver, failing.has(waiver))
      return listed('waivers', waiver.requirement, waiver.state, outcome)
    }),
    ...observations.map((diff) =>
      listed('baseline', diff.id, diff.state, diffOutcome(diff, pinned)),
    ),
  ]
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
  const facts = Object.entries({
    'Expected:': result.expected,
    'Actual:  ': result.actual,
    'Reason:  ': result.reason,
  }).flatMap(([label, text]) =>
    text === undefined ? [] : [`${label} ${excerpt(text, valueLimits)}`],
  )
  const paragraphs = [
    `${result.statement}\nRequirement: ${result.requirement}\nSection: ${result.section}`,
    ...(facts.length === 0 ? [] : [facts.join('\n')]),
    ...exchangeParagraphs(result, evidence),
  ]
  return `\n${paragraphs.join('\n\n')}\n`
}

function outcomeOf(result: RequirementResult, evidence: Evidence): Outcome {
  const { verdict, level, waiver, reason } = result
  if (verdict === 'pass') return { kind: 'passed', output: reason }
  const difference = differences(result).join(', ')
  const message = line(reason ?? (difference || 'no reason was recorded'))
  if (verdict === 'fail' || verdict === 'inconclusive') {
    const [kind, type] =
      verdict === 'fail' ? (['failure', level] as const) : (['error', verdict] as const)
    return { kind, message, type, text: content(result, evidence) }
  }
  if (waiver === undefined) return { kind: 'skipped', message: `${verdict}: ${message}` }
  const details = [waiverText(waiver), difference || (reason ?? '')]
  return {
    kind: 'skipped',
    message: line(`${verdict}: ${details.filter((part) => part !== '').join('; ')}`),
  }
}

/**
 * The run as JUnit XML: a suite for each `service/section`, a case for each requirement, named by
 * its id, so that a CI server keeps its history when a statement is reworded. The message of a skipped
 * case begins with its verdict. Waivers and the baseline have suites of their own.
 */
export function junitXml(report: RunReport): string {
  const evidence = new Evidence(report.exchanges)
  const cases = report.results.map((result): Case => {
    const { requirement, statement, section, level, verdict, durationMs } = result
    const id = idParts(requirement)
    const className = `${id.service}.${id.section}`
    const properties = { requirement, statement, section, level, verdict }
    return {
      className,
      name: id.name,
      durationMs,
      properties,
      outcome: outcomeOf(result, evidence),
    }
  })
  const builder = junitReportBuilder.newBuilder().name('plumbline')
  for (const [className, members] of groupBy(cases, (one) => one.className)) {
    addSuite(builder, className.replace('.', '/'), members, report)
  }
  for (const [className, members] of groupBy(listCases(report), (one) => one.className)) {
    addSuite(builder, className.replace('plumbline.', ''), members, report)
  }
  return builder.build()
}
