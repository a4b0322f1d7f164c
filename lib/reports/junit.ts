import junitReportBuilder, { type TestCase } from 'junit-report-builder'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { curlCommand } from './curl.ts'
import { aboutText, Evidence, exchangeTitle } from './evidence.ts'
import { exchangeLines } from './exchange-text.ts'
import { failCase, inertText, onceBuilt, outcomeOf, skipCase } from './junit-elements.ts'
import { addLists } from './junit-lists.ts'
import { waiverText } from './list-words.ts'
import { excerpt, printableSentence, shortened } from './printable.ts'

const messageLength = 400
const bodyLimits = { characters: 4000, lines: 120 }
const valueLimits = { characters: 4000, lines: 60 }

function difference({ expected, actual }: RequirementResult): string | undefined {
  if (expected === undefined && actual === undefined) return undefined
  return [
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}`]),
  ].join(', ')
}

function message(result: RequirementResult): string {
  const text = result.reason ?? difference(result) ?? 'no reason was recorded'
  return shortened(printableSentence(text), messageLength)
}

function exchangeParagraphs(result: RequirementResult, evidence: Evidence): string[] {
  const exchange = evidence.of(result)
  if (exchange === undefined) return []
  const options = { about: aboutText(result), requestDetails: true, body: bodyLimits }
  return [
    [`Exchange ${exchangeTitle(exchange, result)}`, ...exchangeLines(exchange, options)].join('\n'),
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
  const text = told.filter((part) => part !== '').join('; ')
  return shortened(printableSentence(`${verdict}: ${text}`), messageLength)
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

/** `service` and `section` of a requirement id, and the name that is left. */
function idParts(requirement: string): { service: string; section: string; name: string } {
  const [service = '', section = '', ...name] = requirement.split('/')
  return { service, section, name: name.join('/') }
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
