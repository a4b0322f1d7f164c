import type { ErrorObject } from 'ajv/dist/2020.js'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import type { Waiver } from '../conformance/result.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import { validatorOf } from '../reports/schemas.ts'
import waiversSchema from './waivers.schema.json' with { type: 'json' }

/** Something wrong with a file of waivers. */
interface WaiversProblem {
  /** Of the file, from 1; absent where the whole file is meant. */
  line?: number
  /** Which entry is meant, and what is wrong with it. */
  message: string
}

/** The waivers of a file, or everything that is wrong with it. */
type ReadWaivers = { waivers: Waiver[] } | { problems: WaiversProblem[] }

interface Content {
  waivers: Waiver[] | null
}

const longestShown = 80

/** What each property of an entry has to be, in place of the words of JSON Schema. */
const instructions: Record<string, string> = {
  requirement: 'must be the id of a requirement',
  reason: 'must be a text that says why the deviation is accepted for now',
  owner: 'must be a text that says who answers for it',
  expires: 'must be the last day on which it holds, such as 2027-01-31',
  link: 'must be an absolute URL that starts with http:// or https://',
}

const known = Object.keys(instructions).join(', ')

function shown(text: unknown): string {
  return shortened(printableSentence(String(text)), longestShown)
}

/** Something wrong, and the path that leads to it. */
interface Flaw {
  path: string[]
  what: string
}

function flawOf({ instancePath, params }: ErrorObject, content: unknown): Flaw {
  const path = instancePath.split('/').slice(1)
  const [, index, name] = path
  const { additionalProperty: unknown, missingProperty: missing } = params
  if (index === undefined) {
    return { path, what: 'the file must have "waivers:" with a list of entries, and nothing else' }
  }
  if (unknown !== undefined) {
    return { path, what: `${shown(unknown)} is not known; there is ${known}` }
  }
  if (missing !== undefined)
    return { path, what: `${missing} is missing; it ${instructions[missing]}` }
  if (name === undefined) return { path, what: `must be an object with ${known}` }
  const value = (content as Content).waivers?.[Number(index)]?.[name as keyof Waiver]
  const isDay = name === 'expires' && /^\d{4}-\d\d-\d\d$/.test(`${value}`)
  const what = isDay
    ? `must be a day of the calendar, and there is no ${value}`
    : instructions[name]
  return { path, what: `${name} ${what}` }
}

/** What keeps the content of a file from being waivers. */
function flawsOf(content: unknown): Flaw[] {
  const validate = validatorOf<Content>(waiversSchema)
  if (!validate(content)) {
    const flaws = (validate.errors ?? []).map((error) => flawOf(error, content))
    // A text that has neither the format nor the beginning of a link is named once.
    return [...new Map(flaws.map((flaw) => [`${flaw.path} ${flaw.what}`, flaw])).values()]
  }
  const ids = content.waivers?.map(({ requirement }) => requirement) ?? []
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id)
    const what = `is there twice: it is entry ${first + 1} too; keep one`
    return first === index ? [] : [{ path: ['waivers', String(index)], what }]
  })
}

/** A flaw with its entry, and with the line of the nearest node that there is. */
function problemOf({ path, what }: Flaw, document: Document, lines: LineCounter): WaiversProblem {
  const [, index] = path
  const id = document.getIn(['waivers', index, 'requirement'])
  const name = typeof id === 'string' ? ` (${shown(id)})` : ''
  const message = index === undefined ? what : `entry ${Number(index) + 1}${name}: ${what}`
  const nodes = [path, path.slice(0, 2), path.slice(0, 1)].map((part) => document.getIn(part, true))
  const node = nodes.find(isNode) ?? document.contents
  return node?.range ? { line: lines.linePos(node.range[0]).line, message } : { message }
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
  const lines = new LineCounter()
  // What it would warn of on standard error is a problem here.
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' })
  let content: unknown
  try {
    for (const error of [...document.errors, ...document.warnings]) throw error
    // An alias may lead nowhere, or to too much.
    content = document.toJS()
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n')
    return { problems: [{ message: `this is neither YAML nor JSON: ${shown(first)}` }] }
  }
  if (document.contents === null) {
    return mayBeEmpty ? { waivers: [] } : { problems: [{ message: emptyFile }] }
  }
  const problems = flawsOf(content).map((flaw) => problemOf(flaw, document, lines))
  if (problems.length === 0) return { waivers: (content as Content).waivers ?? [] }
  return { problems: problems.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)) }
}

/** What is wrong with the parts of an entry that somebody gave one by one: `expires must be …`. */
export function waiverProblems({ reason, owner, expires, link }: Omit<Waiver, 'requirement'>) {
  const entry = {
    requirement: 'given',
    reason,
    owner,
    expires,
    ...(link !== undefined && { link }),
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
