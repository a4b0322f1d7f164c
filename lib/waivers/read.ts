import type { ErrorObject } from 'ajv/dist/2020.js'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import type { Waiver } from '../conformance/result.ts'
import { UsageError } from '../environment/problems.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import { validatorOf } from '../reports/schemas.ts'
import waiversSchema from './waivers.schema.json' with { type: 'json' }

interface Content {
  waivers: Waiver[] | null
}

const longestShown = 80

/** What each property of an entry has to be, in place of the words of JSON Schema. */
const instructions: Record<string, string> = {
  requirement: 'must be the id of a requirement',
  reason: 'must be a text that says why the deviation is accepted for now',
  owner: 'must be a text that says who answers for it',
  expires: 'must be the last day on which it holds, a day of the calendar such as 2027-01-31',
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

function flawOf({ instancePath, params }: ErrorObject): Flaw {
  const path = instancePath.split('/').slice(1)
  const [, index, name = params.missingProperty] = path
  const unknown = params.additionalProperty
  if (index === undefined) {
    return { path, what: 'the file must have "waivers:" with a list of entries, and nothing else' }
  }
  if (unknown !== undefined) {
    return { path, what: `${shown(unknown)} is not known; there is ${known}` }
  }
  const what = name === undefined ? `must be an object with ${known}` : instructions[name]
  return { path, what: `${name === undefined ? '' : `${name} `}${what}` }
}

/** What keeps the content of a file from being waivers. */
function flawsOf(content: unknown): Flaw[] {
  const validate = validatorOf<Content>(waiversSchema)
  if (!validate(content)) {
    const flaws = (validate.errors ?? []).map(flawOf)
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

/** A flaw in words with its entry, and with the line of the nearest node that there is. */
function problemOf({ path, what }: Flaw, document: Document, lines: LineCounter) {
  const [, index] = path
  const id = document.getIn(['waivers', index, 'requirement'])
  const name = typeof id === 'string' ? ` (${shown(id)})` : ''
  const entry = index === undefined ? '' : `entry ${Number(index) + 1}${name}: `
  const nodes = [path, path.slice(0, 2), path.slice(0, 1)].map((part) => document.getIn(part, true))
  const { line } = lines.linePos((nodes.find(isNode) ?? document.contents)?.range?.[0] ?? 0)
  return { line, text: `line ${line}: ${entry}${what}` }
}

const emptyFile =
  'it is empty: restore it if it had entries; a file of a deployment without any has `waivers: []`'

/**
 * Reads waivers from the text of a file, which is YAML or JSON. A file with nothing in it, or nothing
 * but comments, is a problem: it may have been cut off.
 *
 * @param options.mayBeEmpty whether such a file has no waivers, for one that is only begun
 * @throws UsageError that tells every problem, with its line
 */
export function readWaivers(text: string, file: string, { mayBeEmpty = false } = {}): Waiver[] {
  const lines = new LineCounter()
  // What it would warn of on standard error is a problem here.
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' })
  const refused = (problems: readonly string[]) => {
    const count = counted(problems.length, 'problem', 'problems')
    const head = `--waivers: ${file} has ${count}; nothing was sent.`
    return new UsageError([head, ...problems.map((problem) => `  ${problem}`)].join('\n'))
  }
  let content: unknown
  try {
    for (const error of [...document.errors, ...document.warnings]) throw error
    // An alias may lead nowhere, or to too much.
    content = document.toJS()
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n')
    throw refused([`this is neither YAML nor JSON: ${shown(first)}`])
  }
  if (document.contents === null) {
    if (mayBeEmpty) return []
    throw refused([emptyFile])
  }
  const problems = flawsOf(content).map((flaw) => problemOf(flaw, document, lines))
  if (problems.length === 0) return (content as Content).waivers ?? []
  const sorted = problems.sort((one, other) => one.line - other.line)
  throw refused(sorted.map(({ text }) => text))
}

/** What is wrong with the parts of an entry that somebody gave one by one: `expires must be …`. */
export function waiverProblems(given: Omit<Waiver, 'requirement'>): string[] {
  return flawsOf({ waivers: [{ requirement: 'given', ...given }] }).map(({ what }) => what)
}
