import type { ErrorObject } from 'ajv/dist/2020.js'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import type { Waiver } from '../conformance/result.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import { validatorOf } from '../reports/schemas.ts'
import waiversSchema from './waivers.schema.json' with { type: 'json' }

/** Something wrong with a file of waivers. */
export interface WaiversProblem {
  /** Of the file, from 1; absent where the whole file is meant. */
  line?: number
  /** Which entry is meant, and what is wrong with it. */
  message: string
}

/** The waivers of a file, or everything that is wrong with it. */
export type ReadWaivers = { waivers: Waiver[] } | { problems: WaiversProblem[] }

interface Content {
  waivers: Waiver[] | null
}

const longestShown = 80

/** What each property of an entry has to be, to be told in place of the words of JSON Schema. */
const instructions: Record<string, string> = {
  requirement: 'must be the id of a requirement',
  reason: 'must be a text that says why the deviation is accepted for now',
  owner: 'must be a text that says who answers for it',
  expires: 'must be the last day on which it holds, such as 2027-01-31',
  link: 'must be an absolute URL that starts with http:// or https://',
}

const known = Object.keys(instructions).join(', ')

/** What is to be told of a part that is wrong, with its value where that says more. */
function instructionOf(property: string, value: unknown): string {
  if (property === 'expires' && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) {
    return `must be a day of the calendar, and there is no ${value}`
  }
  return instructions[property] ?? 'is wrong'
}

function shown(text: unknown): string {
  return shortened(printableSentence(String(text)), longestShown)
}

/** Something wrong, in the place that a JSON Pointer leads to. */
interface Flaw {
  pointer: string
  /** `entry 3 (service/section/name): `; empty where the whole file is meant. */
  entry: string
  what: string
}

/** The entry as it stands in the list. */
function entryName(index: number, { requirement }: Partial<Waiver>): string {
  return `entry ${index + 1}${typeof requirement === 'string' ? ` (${shown(requirement)})` : ''}: `
}

function flawOf({ keyword, instancePath: pointer, params }: ErrorObject, content: unknown): Flaw {
  const [, , index, property] = pointer.split('/')
  const unknown = `${shown(params.additionalProperty)} is not known`
  if (index === undefined) {
    const what =
      pointer === '' && keyword === 'additionalProperties'
        ? `${unknown}: everything stands below "waivers:"`
        : 'the file must have "waivers:" with a list of entries, and nothing else'
    return { pointer, entry: '', what }
  }
  const given: Partial<Waiver> = (content as Content).waivers?.[Number(index)] ?? {}
  const entry = entryName(Number(index), given)
  if (property !== undefined) {
    const value = given[property as keyof Waiver]
    return { pointer, entry, what: `${property} ${instructionOf(property, value)}` }
  }
  const missing: string = params.missingProperty
  const what: Record<string, string> = {
    required: `${missing} is missing; it ${instructions[missing]}`,
    additionalProperties: `${unknown}; there is ${known}`,
  }
  return { pointer, entry, what: what[keyword] ?? `must be an object with ${known}` }
}

/** The line of the node that a JSON Pointer of the schema check leads to, or the nearest around it. */
function lineOf(document: Document, pointer: string, lines: LineCounter): { line?: number } {
  const steps = pointer.split('/').slice(1)
  for (let length = steps.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(steps.slice(0, length), true)
    if (isNode(node) && node.range) return { line: lines.linePos(node.range[0]).line }
  }
  return {}
}

/** What keeps the content from being waivers. */
function flawsOf(content: unknown): Flaw[] {
  const validate = validatorOf<Content>(waiversSchema)
  if (!validate(content)) {
    const flaws = (validate.errors ?? []).map((error) => flawOf(error, content))
    // A text that has neither the format nor the beginning of a link is told of once.
    return [...new Map(flaws.map((flaw) => [`${flaw.pointer} ${flaw.what}`, flaw])).values()]
  }
  const waivers = content.waivers ?? []
  return waivers.flatMap((waiver, index) => {
    const first = waivers.findIndex(({ requirement }) => requirement === waiver.requirement)
    const what = `is there twice: it is entry ${first + 1} too; keep one`
    const entry = entryName(index, waiver)
    return first === index ? [] : [{ pointer: `/waivers/${index}`, entry, what }]
  })
}

const emptyFile =
  'it is empty: restore it if it had entries; a file of a deployment without any has `waivers: []`'

/**
 * Reads waivers from the text of a file, which is YAML or JSON. Every problem is told, with its line
 * where it has one. A file with nothing in it, or nothing but comments, is one: it may have been cut
 * off.
 *
 * @param options.mayBeEmpty whether such a file has no waivers, for one that is only begun
 */
export function readWaivers(text: string, { mayBeEmpty = false } = {}): ReadWaivers {
  const lineCounter = new LineCounter()
  // What it would warn of on standard error is a problem here, and told as one.
  const document = parseDocument(text, { lineCounter, logLevel: 'error' })
  const wrong = (error: Error, line?: number): ReadWaivers => {
    const [first = ''] = error.message.split('\n')
    const message = `this is neither YAML nor JSON: ${shown(first)}`
    return { problems: [line === undefined ? { message } : { line, message }] }
  }
  const [syntaxError] = [...document.errors, ...document.warnings]
  if (syntaxError) return wrong(syntaxError, syntaxError.linePos?.[0].line)
  if (document.contents === null) {
    return mayBeEmpty ? { waivers: [] } : { problems: [{ message: emptyFile }] }
  }
  let content: unknown
  try {
    content = document.toJS()
  } catch (error) {
    // An alias that leads nowhere, or to too much.
    return wrong(error as Error)
  }
  const problems = flawsOf(content).map(({ pointer, entry, what }) => ({
    ...lineOf(document, pointer, lineCounter),
    message: `${entry}${what}`,
  }))
  if (problems.length === 0) return { waivers: (content as Content).waivers ?? [] }
  return { problems: problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)) }
}

/**
 * What is wrong with the parts of an entry that somebody gave one by one: `expires must be …`. A part
 * that is missing is not among them.
 */
export function waiverProblems(parts: Partial<Omit<Waiver, 'requirement'>>): string[] {
  const { reason = 'given', owner = 'given', expires = '2027-01-31', link } = parts
  const entry = {
    requirement: 'given',
    reason,
    owner,
    expires,
    ...(link === undefined ? {} : { link }),
  }
  return flawsOf({ waivers: [entry] }).map(({ what }) => what)
}

/** All problems of a file in words, with a line for each. */
export function waiversProblemsText(file: string, problems: readonly WaiversProblem[]): string {
  return [
    `--waivers: ${printableSentence(file)} has ${counted(problems.length, 'problem', 'problems')}; nothing was sent.`,
    ...problems.map(
      ({ line, message }) => `  ${line === undefined ? '' : `line ${line}: `}${message}`,
    ),
  ].join('\n')
}
