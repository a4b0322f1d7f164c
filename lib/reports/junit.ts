import junitReportBuilder, {
  type Builder,
  type TestCase,
  type TestSuite,
} from 'junit-report-builder'
import { idParts, sectionOf } from '../results/ids.ts'
import type { RunReport } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { capitalized, excerpt, printableSentence, printableText } from '../text/printable.ts'
import { messagesOf } from './exchange-text.ts'
import { type Facts, type ReportModel, textOf, waiverSpans } from './facts.ts'
import { runTimeMs } from './report-text.ts'

// `]]>` ends a CDATA section, and the library escapes only the first one. Readers of JUnit XML take
// paths of files to attach from `[[ATTACHMENT`: a target could publish a file of the CI server.
const UNSAFE_MARKS = /\](?=\]>)|(?<=\[)\[(?=(?:ATTACHMENT|PROPERTY)\b)/gi

/** Returns printable text with the marks escaped that readers of JUnit XML interpret. */
const inertText = (text: string): string =>
  printableText(text).replace(UNSAFE_MARKS, (mark) => (mark === ']' ? '\\u005d' : '\\u005b'))

/** Adds a suite that lasts this long, in milliseconds. */
function addSuite(builder: Builder, name: string, report: RunReport, timeMs = 0): TestSuite {
  const suite = builder.testSuite().name(printableSentence(name))
  // Readers of JUnit XML disagree on fractions and time zones; all accept UTC without either.
  return suite.timestamp(report.run.startedAt.slice(0, 19)).time(timeMs / 1000)
}

function addCase(suite: TestSuite, className: string, name: string, timeMs = 0): TestCase {
  const testCase = suite.testCase().className(printableSentence(className))
  return testCase.name(printableSentence(name)).time(timeMs / 1000)
}

const limits = { characters: 4000, lines: 50 }

const line = (text: string) => printableSentence(text, 400)

/** Adds the reasons of the exit status that are about no requirement. */
function addFurtherSuites(builder: Builder, model: ReportModel) {
  const { report, outcome, title, failingWaivers } = model
  if (failingWaivers.length > 0) {
    const suite = addSuite(builder, 'waivers', report)
    for (const waiver of failingWaivers) {
      const { requirement, state, message } = waiver
      const testCase = addCase(suite, 'plumbline.waivers', requirement).property('state', state)
      const text = `\n${message}\n${requirement}\nWaiver: ${textOf(waiverSpans(waiver))}\n`
      testCase.failure(line(message), `waiver ${state}`).stacktrace(inertText(text))
    }
  }
  if (!outcome.isBelowMinimum) return
  const suite = addSuite(builder, 'coverage', report)
  addCase(suite, 'plumbline.coverage', 'min-judged').error(line(title), 'inconclusive')
}

function content({ result, place, details, evidence, rerun }: Facts): string {
  const { statement, requirement, verdict } = result
  const link = place.url === undefined ? '' : `\nDocument: ${place.url}`
  const values = details.map(({ label = '', text }) => {
    return `${`${capitalized(label)}:`.padEnd(9)} ${excerpt(textOf(text), limits)}`
  })
  const paragraphs = [
    `${statement}\nRequirement: ${requirement}\nSection: ${place.text}${link}`,
    values.join('\n'),
  ]
  if (evidence !== undefined) {
    const { exchange, reads, commands } = evidence
    const { id, startedAt, durationMs, attempt } = exchange
    const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
    const title = `Exchange ${id}, sent ${startedAt}, ${Math.round(durationMs)} ms${attempts}`
    const { sent, received } = messagesOf(exchange, reads, limits)
    const lines = Object.entries({ '>': sent, '<': received }).flatMap(([prefix, { head, body }]) =>
      [...head, ...(body.length > 0 ? [{ text: '', isMarked: false }] : []), ...body].map(
        ({ text, isMarked }) => `${isMarked ? '! ' : ''}${prefix} ${text}`.trimEnd(),
      ),
    )
    paragraphs.push([title, ...lines].join('\n'))
    paragraphs.push(...commands.map(({ label, command }) => `${label}\n${command}`))
  }
  if (verdict === 'fail') paragraphs.push(`Re-run the failure:\n${rerun}`)
  return `\n${paragraphs.filter(Boolean).join('\n\n')}\n`
}

function addOutcome(testCase: TestCase, facts: Facts): void {
  const { verdict, level, waiver, reason, expected, actual } = facts.result
  const difference = expected === undefined ? '' : `expected ${expected}, actual ${actual}`
  const message = line(reason ?? (difference || 'no reason was recorded'))
  if (verdict === 'pass') testCase.standardOutput(inertText(reason ?? ''))
  else if (verdict === 'fail') {
    testCase.failure(message, level).stacktrace(inertText(content(facts)))
  } else if (verdict === 'inconclusive') {
    testCase.error(message, verdict, inertText(content(facts)))
  } else {
    const details = [...(waiver ? [textOf(waiverSpans(waiver))] : []), message].join('; ')
    // The library supports no message of a skipped case.
    const build = testCase.skipped().build.bind(testCase)
    testCase.build = (parent) => {
      const element = build(parent)
      element.children.at(-1)?.attribute('message', line(`${verdict}: ${details}`))
      return element
    }
  }
}

function addRequirement(suite: TestSuite, className: string, facts: Facts, timeMs: number): void {
  const { requirement, statement, section, level, verdict, impact } = facts.result
  const { title, url } = facts.place
  const testCase = addCase(suite, className, `${idParts(requirement).name}: ${statement}`, timeMs)
  const own = { requirement, statement, section, level, verdict, impact }
  for (const [name, value] of Object.entries({ ...own, document: title, 'document-url': url })) {
    if (value !== undefined) testCase.property(name, printableSentence(value))
  }
  addOutcome(testCase, facts)
}

/** Returns the run as JUnit XML. The name of a case has its statement; its property `requirement` is the id. */
export function junitXml(model: ReportModel): string {
  const { report, facts } = model
  // Readers add up the times of cases. Checks run concurrently, so each gets a share of the run time, in whole milliseconds.
  const total = report.results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const share = Math.min(1, runTimeMs(report) / Math.max(1, total))
  const timeOf = ({ result }: Facts) => Math.floor(result.durationMs * share)
  const builder = junitReportBuilder.newBuilder().name('plumbline')
  const sections = groupBy([...facts.values()], ({ result }) => sectionOf(result.requirement))
  for (const [section, members] of sections) {
    const timeMs = members.reduce((sum, one) => sum + timeOf(one), 0)
    const suite = addSuite(builder, section, report, timeMs)
    for (const one of members) addRequirement(suite, section.replace('/', '.'), one, timeOf(one))
  }
  addFurtherSuites(builder, model)
  return builder.build()
}
