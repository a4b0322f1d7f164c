import { curlCommand } from '../probe/curl.ts'
import type { RequirementResult, RunReport } from '../results/result.ts'
import { runCommand, variablesOf } from './commands.ts'
import {
  differences,
  type Evidence,
  evidenceIn,
  exchangeLines,
  exchangeTitle,
  furtherDeviations,
  placeInBody,
  readParts,
} from './evidence.ts'
import { coverageIn } from './exit-status.ts'
import { excerpt, printableSentence, printableText, shortened } from './printable.ts'
import { groupBy } from './reason-groups.ts'
import {
  failingDiffs,
  failingWaivers,
  hasEnded,
  idParts,
  placeInDocument,
  waiverText,
} from './run-words.ts'
import { coverageText, isShort } from './verdict-counts.ts'

interface Outcome {
  kind: 'passed' | 'skipped' | 'failure' | 'error'
  message?: string
  type?: string
  text?: string | undefined
}

interface Case extends Outcome {
  className: string
  name: string
  /** A whole number, so that sums are exact. */
  timeMs?: number
  properties: Record<string, string>
}

// A CDATA section ends where its text says so.
// Between the other marks readers find the path of a file to attach, or a property: text from a
// deployment could have a file of the CI server published.
const obeyed = /\](?=\]>)|(?<=\[)\[(?=(?:ATTACHMENT|PROPERTY)\b)/gi

/** As `printableText`; what a reader of JUnit XML would obey is written out as well. */
function inertText(text: string): string {
  return printableText(text).replace(obeyed, (mark) => (mark === ']' ? '\\u005d' : '\\u005b'))
}

/** An element of XML: with elements in it, or with text that stands in a CDATA section. */
interface Element {
  name: string
  attributes?: Record<string, string | number | undefined>
  elements?: readonly Element[]
  text?: string | undefined
}

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

const escaped = (value: string | number) =>
  String(value).replace(/[&<"\t\n\r]/g, (character) => references[character] ?? '')

function xml({ name, attributes = {}, elements = [], text }: Element, indent = ''): string {
  const shown = Object.entries(attributes).map(([attribute, value]) =>
    value === undefined ? '' : ` ${attribute}="${escaped(value)}"`,
  )
  const start = `${indent}<${name}${shown.join('')}`
  if (text !== undefined) return `${start}><![CDATA[${inertText(text)}]]></${name}>\n`
  if (elements.length === 0) return `${start}/>\n`
  const inside = elements.map((element) => xml(element, `${indent}  `)).join('')
  return `${start}>\n${inside}${indent}</${name}>\n`
}

function outcomeElements({ kind, message, type, text }: Outcome): Element[] {
  if (kind === 'skipped') return [{ name: kind, attributes: { message } }]
  if (kind !== 'passed') return [{ name: kind, attributes: { message, type }, text: text ?? '' }]
  return text === undefined ? [] : [{ name: 'system-out', text }]
}

function caseElement({ className, name, timeMs = 0, properties, ...outcome }: Case): Element {
  const property = ([name, value]: [string, string]): Element => {
    return { name: 'property', attributes: { name, value: printableSentence(value) } }
  }
  return {
    name: 'testcase',
    attributes: {
      classname: printableSentence(className),
      name: printableSentence(name),
      time: timeMs / 1000,
    },
    elements: [
      { name: 'properties', elements: Object.entries(properties).map(property) },
      ...outcomeElements(outcome),
    ],
  }
}

function counts(cases: readonly Case[]) {
  const count = (kind: Outcome['kind']) => cases.filter((one) => one.kind === kind).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  }
}

const runTime = ({ run }: RunReport) => Date.parse(run.finishedAt) - Date.parse(run.startedAt)

function suiteElement(name: string, cases: readonly Case[], { run }: RunReport): Element {
  return {
    name: 'testsuite',
    attributes: {
      name: printableSentence(name),
      // Readers of JUnit XML disagree on fractions and time zones: UTC without either suits them all.
      timestamp: run.startedAt.slice(0, 19),
      time: cases.reduce((sum, { timeMs = 0 }) => sum + timeMs, 0) / 1000,
      ...counts(cases),
    },
    elements: cases.map(caseElement),
  }
}

const valueLimits = { characters: 4000, lines: 60 }
const bodyLimits = { characters: 4000, lines: 120 }

function line(text: string): string {
  return shortened(printableSentence(text), 400)
}

function listCases(report: RunReport): Case[] {
  const failing = new Set<object>([...failingWaivers(report), ...failingDiffs(report)])
  const json = (value: unknown) => excerpt(JSON.stringify(value) ?? 'nothing', valueLimits)
  const outcomeOf = (entry: { state: string }, type: string, texts: string[]): Outcome => {
    if (['used', 'unchanged'].includes(entry.state)) return { kind: 'passed' }
    const message = line(`${entry.state}: ${texts[0]}`)
    if (!failing.has(entry)) return { kind: 'skipped', message }
    return { kind: 'failure', message, type, text: `\n${texts.join('\n')}\n` }
  }
  const waivers = (report.waivers ?? []).map((waiver): Case => {
    const { requirement: name, state, message } = waiver
    const texts = [message, name, `Waiver: ${waiverText(waiver)}`]
    const outcome = outcomeOf(waiver, `waiver ${state}`, texts)
    return { className: 'plumbline.waivers', name, properties: { state }, ...outcome }
  })
  const observations = (report.baseline?.observations ?? []).map((diff): Case => {
    const { id: name, state, before, after } = diff
    const texts = [`was ${json(before)}, is ${json(after)}`, name]
    const outcome = outcomeOf(diff, 'changed observation', texts)
    return { className: 'plumbline.baseline', name, properties: { state }, ...outcome }
  })
  const coverage = coverageIn(report)
  const isEnough = !isShort(coverage)
  const message = `${coverageText(coverage)} judged, and --min-judged asks for ${coverage.required}`
  const short: Outcome = { kind: 'error', message, type: 'inconclusive', text: `\n${message}\n` }
  const judged: Case = {
    className: 'plumbline.coverage',
    name: 'min-judged',
    properties: { state: isEnough ? 'enough' : 'short' },
    ...(isEnough ? { kind: 'passed' } : short),
  }
  return [...waivers, ...observations, ...(coverage.required === undefined ? [] : [judged])]
}

function content(result: RequirementResult, evidence: Evidence, report: RunReport): string {
  const { statement, requirement, expected, actual, reason } = result
  const place = placeInDocument(result, report)
  const link = place.url === undefined ? '' : `\nDocument: ${place.url}`
  const facts = Object.entries({
    'Expected:': expected,
    'Actual:  ': actual,
    'At:      ': placeInBody(result),
    'Reason:  ': reason,
  })
    .filter(([, text]) => text !== undefined)
    .map(([label, text = '']) => `${label} ${excerpt(text, valueLimits)}`)
  const paragraphs = [`${statement}\nRequirement: ${requirement}\nSection: ${place.text}${link}`]
  const { lines: others, more } = furtherDeviations(result)
  for (const { text, exchange } of others) {
    facts.push(
      `Also:     ${excerpt(text, valueLimits)}${exchange === undefined ? '' : ` (${exchange})`}`,
    )
  }
  if (more > 0) facts.push(`Also:     ${more} more, in report.json`)
  if (facts.length > 0) paragraphs.push(facts.join('\n'))
  const exchange = evidence.of(result)
  if (exchange !== undefined) {
    const options = { read: readParts([result]), requestDetails: true, body: bodyLimits }
    const lines = exchangeLines(exchange, options).map(({ text, isRead }) => {
      return isRead ? `! ${text}` : text
    })
    paragraphs.push([`Exchange ${exchangeTitle(exchange, result)}`, ...lines].join('\n'))
  }
  if (exchange !== undefined && !hasEnded(report)) {
    const command = curlCommand(exchange)
    const { told } = variablesOf([exchange], report)
    paragraphs.push(`Repeat it with:\n${command}`)
    for (const { name, command } of told) {
      paragraphs.push(`$${name} is in the response to:\n${command}`)
    }
  }
  if (result.verdict === 'fail') {
    paragraphs.push(`Judge it again with:\n${runCommand([requirement], report)}`)
  }
  return `\n${paragraphs.join('\n\n')}\n`
}

function outcomeOf(result: RequirementResult, evidence: Evidence, report: RunReport): Outcome {
  const { verdict, level, waiver, reason } = result
  if (verdict === 'pass') return { kind: 'passed', text: reason }
  const difference = differences(result).join(', ')
  const message = line(reason ?? (difference || 'no reason was recorded'))
  const text = () => content(result, evidence, report)
  if (verdict === 'fail') return { kind: 'failure', message, type: level, text: text() }
  if (verdict === 'inconclusive') return { kind: 'error', message, type: verdict, text: text() }
  if (waiver === undefined) return { kind: 'skipped', message: `${verdict}: ${message}` }
  const details = [waiverText(waiver), difference || reason].filter(Boolean)
  return { kind: 'skipped', message: line(`${verdict}: ${details.join('; ')}`) }
}

/** A case is named so that a list of names alone can be read; the property `requirement` is its id. */
export function junitXml(report: RunReport): string {
  const evidence = evidenceIn(report.exchanges)
  // Readers add up times, of checks that take place at once: each has its share in the time of the run.
  const total = report.results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const share = Math.min(1, runTime(report) / Math.max(1, total))
  const cases = report.results.map((result): Case => {
    const { requirement, statement, section, level, verdict, durationMs } = result
    const id = idParts(requirement)
    const { title: document, url } = placeInDocument(result, report)
    const properties = {
      ...{ requirement, statement, section, level, verdict },
      ...(document !== undefined && { document }),
      ...(url !== undefined && { 'document-url': url }),
    }
    const className = `${id.service}.${id.section}`
    return {
      className,
      name: `${id.name}: ${statement}`,
      timeMs: Math.floor(durationMs * share),
      properties,
      ...outcomeOf(result, evidence, report),
    }
  })
  const all = [...cases, ...listCases(report)]
  const suites = [...groupBy(all, ({ className }) => className)].map(([className, members]) =>
    suiteElement(className.replace(/^plumbline\./, '').replace('.', '/'), members, report),
  )
  const attributes = { name: 'plumbline', ...counts(all), time: runTime(report) / 1000 }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml({ name: 'testsuites', attributes, elements: suites })}`
}
