import junitReportBuilder, { type Builder, type TestCase } from 'junit-report-builder'
import { idParts } from '../results/ids.ts'
import type { RunReport } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { capitalized, excerpt, printableSentence, printableText } from '../text/printable.ts'
import { textOf } from './document.ts'
import { messageLines } from './exchange-text.ts'
import type { Facts, ReportModel } from './model.ts'
import { waiverText } from './report-text.ts'
import { creationText } from './rerun-commands.ts'
import { coverageText } from './verdict-labels.ts'

interface TestCaseOutcome {
  kind: 'passed' | 'skipped' | 'failure' | 'error'
  message?: string
  type?: string
  text?: string | undefined
}

interface Case extends TestCaseOutcome {
  className: string
  name: string
  /** Whole milliseconds, for exact sums. */
  timeMs?: number
  properties: Record<string, string | undefined>
}

// `]]>` ends a CDATA section, and the library escapes only the first one. Readers of JUnit XML take
// paths of files to attach from `[[ATTACHMENT`: a target could publish a file of the CI server.
const UNSAFE_MARKS = /\](?=\]>)|(?<=\[)\[(?=(?:ATTACHMENT|PROPERTY)\b)/gi

/** Returns printable text with the marks escaped that readers of JUnit XML interpret. */
const inertText = (text: string): string =>
  printableText(text).replace(UNSAFE_MARKS, (mark) => (mark === ']' ? '\\u005d' : '\\u005b'))

type XmlElement = ReturnType<TestCase['build']>

/** Runs `finish` on the built element, for attributes that the library does not support. */
function onceBuilt(
  node: { build(parent: XmlElement): XmlElement },
  finish: (element: XmlElement) => void,
): void {
  const build = node.build.bind(node)
  node.build = (parent) => {
    const element = build(parent)
    finish(element)
    return element
  }
}

function addOutcome(testCase: TestCase, outcome: TestCaseOutcome): void {
  const { kind, message = '', type, text = '' } = outcome
  if (kind === 'passed') testCase.standardOutput(inertText(text))
  if (kind === 'failure') testCase.failure(message, type).stacktrace(inertText(text))
  if (kind === 'error') testCase.error(message, type, inertText(text))
  if (kind !== 'skipped') return
  testCase.skipped()
  onceBuilt(testCase, ({ children }) => children.at(-1)?.attribute('message', message))
}

const runTime = ({ run }: RunReport) => Date.parse(run.finishedAt) - Date.parse(run.startedAt)

function addSuite(builder: Builder, name: string, cases: readonly Case[], report: RunReport) {
  const suite = builder.testSuite().name(printableSentence(name))
  // Readers of JUnit XML disagree on fractions and time zones; all accept UTC without either.
  suite.timestamp(report.run.startedAt.slice(0, 19))
  suite.time(cases.reduce((sum, { timeMs = 0 }) => sum + timeMs, 0) / 1000)
  onceBuilt(suite, (element) => element.root().attribute('time', runTime(report) / 1000))
  for (const { className, name, timeMs = 0, properties, ...outcome } of cases) {
    const testCase = suite.testCase().className(printableSentence(className))
    testCase.name(printableSentence(name)).time(timeMs / 1000)
    for (const [property, value] of Object.entries(properties)) {
      if (value !== undefined) testCase.property(property, printableSentence(value))
    }
    addOutcome(testCase, outcome)
  }
}

const valueLimits = { characters: 4000, lines: 60 }
const bodyLimits = { characters: 4000, lines: 50 }

const line = (text: string) => printableSentence(text, 400)

/** Returns the reasons of the exit status that are about no requirement. */
function furtherCases({ outcome, failingWaivers }: ReportModel): Case[] {
  const waivers = failingWaivers.map((waiver): Case => {
    const { requirement: name, state, message: advice } = waiver
    return {
      className: 'plumbline.waivers',
      name,
      properties: { state },
      kind: 'failure',
      message: line(advice),
      type: `waiver ${state}`,
      text: `\n${advice}\n${name}\nWaiver: ${waiverText(waiver)}\n`,
    }
  })
  const { coverage, isBelowMinimum } = outcome
  if (!isBelowMinimum) return waivers
  const message = `${coverageText(coverage)} judged, and --min-judged requires ${coverage.required}`
  const judged = { className: 'plumbline.coverage', name: 'min-judged', properties: {} }
  const text = `\n${message}\n`
  return [...waivers, { ...judged, kind: 'error', message, type: 'inconclusive', text }]
}

function content({ result, place, details, evidence, rerun }: Facts): string {
  const { statement, requirement, verdict } = result
  const link = place.url === undefined ? '' : `\nDocument: ${place.url}`
  const values = details.map(({ label = '', text }) => {
    return `${`${capitalized(label)}:`.padEnd(9)} ${excerpt(textOf(text), valueLimits)}`
  })
  const paragraphs = [
    `${statement}\nRequirement: ${requirement}\nSection: ${place.text}${link}`,
    values.join('\n'),
  ]
  if (evidence !== undefined) {
    const { exchange, read, commands } = evidence
    const { id, startedAt, durationMs, attempt } = exchange
    const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
    const title = `Exchange ${id}, sent ${startedAt}, ${Math.round(durationMs)} ms${attempts}`
    const { sent, received } = messageLines(exchange, { read, body: bodyLimits })
    const lines = Object.entries({ '>': sent, '<': received }).flatMap(([prefix, some]) =>
      some.map(({ text, isMarked }) => `${isMarked ? '! ' : ''}${prefix} ${text}`.trimEnd()),
    )
    paragraphs.push([title, ...lines].join('\n'))
    for (const { creates, command } of commands) {
      const text = creates.length > 0 ? creationText(creates) : 'Repeat it with:'
      paragraphs.push(`${text}\n${command}`)
    }
  }
  if (verdict === 'fail') paragraphs.push(`Re-run the failure:\n${rerun}`)
  return `\n${paragraphs.filter(Boolean).join('\n\n')}\n`
}

function outcomeFor(facts: Facts): TestCaseOutcome {
  const { verdict, level, waiver, reason, expected, actual } = facts.result
  if (verdict === 'pass') return { kind: 'passed', text: reason }
  const difference = expected === undefined ? '' : `expected ${expected}, actual ${actual}`
  const message = line(reason ?? (difference || 'no reason was recorded'))
  if (verdict === 'fail') return { kind: 'failure', message, type: level, text: content(facts) }
  if (verdict === 'inconclusive') {
    return { kind: 'error', message, type: verdict, text: content(facts) }
  }
  if (waiver === undefined) return { kind: 'skipped', message: `${verdict}: ${message}` }
  const details = [waiverText(waiver), difference || reason].filter(Boolean)
  return { kind: 'skipped', message: line(`${verdict}: ${details.join('; ')}`) }
}

/** Returns the run as JUnit XML. The name of a case has its statement; its property `requirement` is the id. */
export function junitXml(model: ReportModel): string {
  const { report, facts } = model
  // Readers add up the times of cases. Checks run concurrently, so each gets a share of the run time.
  const total = report.results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const share = Math.min(1, runTime(report) / Math.max(1, total))
  const cases = Array.from(facts.values(), (one): Case => {
    const { requirement, statement, section, level, verdict, impact, durationMs } = one.result
    const id = idParts(requirement)
    return {
      ...{ className: `${id.service}.${id.section}`, name: `${id.name}: ${statement}` },
      timeMs: Math.floor(durationMs * share),
      properties: {
        ...{ requirement, statement, section, level, verdict, impact },
        ...{ document: one.place.title, 'document-url': one.place.url },
      },
      ...outcomeFor(one),
    }
  })
  const builder = junitReportBuilder.newBuilder().name('plumbline')
  const suites = groupBy([...cases, ...furtherCases(model)], ({ className }) => className)
  for (const [className, members] of suites) {
    addSuite(builder, className.replace(/^plumbline\./, '').replace('.', '/'), members, report)
  }
  return builder.build()
}
