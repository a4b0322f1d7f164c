import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Document, isNode, LineCounter, parseDocument, type YAMLError } from 'yaml'
import type { Waiver } from '../conformance/result.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import waiversSchema from './waivers.schema.json' with { type: 'json' }

/** Something wrong with a file of waivers. */
export interface WaiversProblem {
  /** Of the file, from 1; absent where the whole file is meant. */
  line?: number
  /** Of that line, from 1; where the file is neither YAML nor JSON. */
  column?: number
  /** Which entry is meant, and what is wrong with it. */
  message: string
}

/** The waivers of a file, or everything that is wrong with it. */
export type ReadWaivers = { waivers: Waiver[] } | { problems: WaiversProblem[] }

const longestShown = 80

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, validateSchema: false })
addFormats.default(ajv)
const validate = ajv.compile<{ waivers: Waiver[] | null }>(waiversSchema)

/** What each property of an entry has to be, to be told in place of the words of JSON Schema. */
const instructions: Record<string, string> = {
  requirement: 'must be the id of a requirement',
  reason: 'must be a text that says why the deviation is accepted for now',
  owner: 'must be a text that says who answers for it',
  expires: 'must be the last day on which it holds, such as 2027-01-31',
  link: 'must be an absolute URL that starts with http:// or https://',
}

/** What is to be told of a part that is wrong, with its value where that says more. */
function instructionOf(property: string, value: unknown): string {
  if (property === 'expires' && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) {
    return `must be a day of the calendar, and there is no ${value}`
  }
  return instructions[property] ?? 'is wrong'
}

const known = Object.keys(waiversSchema.$defs.waiver.properties).join(', ')

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return shortened(printableSentence(text), longestShown)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `entry 3 (code-hosting/errors/status)`, the entry as it stands in the list. */
function entryName(index: number, entries: unknown): string {
  const entry: unknown = Array.isArray(entries) ? entries[index] : undefined
  const requirement = isObject(entry) ? entry.requirement : undefined
  const name = typeof requirement === 'string' ? ` (${shown(requirement)})` : ''
  return `entry ${index + 1}${name}`
}

function messageOf({ keyword, instancePath, params }: ErrorObject, value: unknown): string {
  const [, , index, property] = instancePath.split('/')
  if (index === undefined) {
    return instancePath === '' && keyword === 'additionalProperties'
      ? `${shown(params.additionalProperty)} is not known: everything stands below "waivers:"`
      : 'the file must have "waivers:" with a list of entries, and nothing else'
  }
  const entries: unknown = isObject(value) ? value.waivers : undefined
  const entry = entryName(Number(index), entries)
  if (property !== undefined) {
    const given: unknown = Array.isArray(entries) ? entries[Number(index)]?.[property] : undefined
    return `${entry}: ${property} ${instructionOf(property, given)}`
  }
  if (keyword === 'required') {
    const missing = String(params.missingProperty)
    return `${entry}: ${missing} is missing; it ${instructions[missing]}`
  }
  return keyword === 'additionalProperties'
    ? `${entry}: ${shown(params.additionalProperty)} is not known; there is ${known}`
    : `${entry} must be an object with ${known}`
}

/** Where the node stands that a JSON Pointer of the schema check leads to, or the nearest around. */
function positionOf(document: Document, pointer: string): number | undefined {
  const path = pointer.split('/').slice(1)
  for (let length = path.length; length >= 0; length -= 1) {
    const steps = path.slice(0, length).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
    const node: unknown = length === 0 ? document.contents : document.getIn(steps, true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return undefined
}

function doubles(value: { waivers: Waiver[] | null }): { index: number; first: number }[] {
  const first = new Map<string, number>()
  return (value.waivers ?? []).flatMap(({ requirement }, index) => {
    const earlier = first.get(requirement)
    if (earlier === undefined) first.set(requirement, index)
    return earlier === undefined ? [] : [{ index, first: earlier }]
  })
}

/** The content of a document; `undefined` for one with aliases that lead nowhere, or to too much. */
function contentOf(document: Document): { content: unknown } | undefined {
  try {
    return { content: document.toJS() }
  } catch {
    return undefined
  }
}

const emptyFile =
  'it is empty: restore it if it had entries; a file of a deployment without any has `waivers: []`'

/** What the YAML library says, once for each line: what follows in a line mostly follows from it. */
function syntaxProblems(errors: readonly YAMLError[], lines: LineCounter): WaiversProblem[] {
  const problems = new Map<number, WaiversProblem>()
  for (const error of errors) {
    const { line, col: column } = lines.linePos(error.pos[0])
    const message = `this is neither YAML nor JSON: ${shown(error.message)}`
    if (!problems.has(line)) problems.set(line, { line, column, message })
  }
  return [...problems.values()]
}

/**
 * Reads waivers from the text of a file, which is YAML or JSON. Every problem is told, with its line
 * where it has one. A file with nothing in it, or nothing but comments, is one: it may have been cut
 * off.
 *
 * @param options.mayBeEmpty whether such a file has no waivers, for one that is only begun
 */
export function readWaivers(text: string, { mayBeEmpty = false } = {}): ReadWaivers {
  const lines = new LineCounter()
  // What it would warn of on standard error is a problem here, and told as one.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  })
  const at = (position: number | undefined) =>
    position === undefined ? {} : { line: lines.linePos(position).line }
  const syntax = [...document.errors, ...document.warnings]
  if (syntax.length > 0) return { problems: syntaxProblems(syntax, lines) }
  if (document.contents === null) {
    return mayBeEmpty ? { waivers: [] } : { problems: [{ message: emptyFile }] }
  }
  const read = contentOf(document)
  if (read === undefined) {
    return {
      problems: [{ message: 'an alias (*name) leads nowhere, or to too much: write it out' }],
    }
  }
  const value = read.content
  if (!validate(value)) {
    const problems = (validate.errors ?? []).map((error) => ({
      ...at(positionOf(document, error.instancePath)),
      message: messageOf(error, value),
    }))
    // A text that has neither the format nor the beginning of a link is told of once.
    const told = new Map(problems.map((problem) => [problem.message, problem]))
    return { problems: [...told.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) }
  }
  const problems = doubles(value).map(({ index, first }) => ({
    ...at(positionOf(document, `/waivers/${index}`)),
    message: `${entryName(index, value.waivers)} is there twice: it is entry ${first + 1} too; keep one`,
  }))
  return problems.length > 0 ? { problems } : { waivers: value.waivers ?? [] }
}

/**
 * What is wrong with the parts of an entry that somebody gave one by one: `expires must be …`. A part
 * that is missing is not among them.
 */
export function waiverProblems(parts: Partial<Record<keyof Waiver, unknown>>): string[] {
  const { reason = 'given', owner = 'given', expires = '2027-01-31', link } = parts
  const entry = {
    requirement: 'given',
    reason,
    owner,
    expires,
    ...(link === undefined ? {} : { link }),
  }
  if (validate({ waivers: [entry] })) return []
  const names = (validate.errors ?? []).map(
    ({ instancePath }) => (instancePath.split('/')[3] ?? '') as keyof Waiver,
  )
  return [...new Set(names)].map((name) => `${name} ${instructionOf(name, parts[name])}`)
}

function placeText(line: number | undefined, column: number | undefined): string {
  if (line === undefined) return ''
  return column === undefined ? `line ${line}: ` : `line ${line}, column ${column}: `
}

/** All problems of a file in words, with a line for each. */
export function waiversProblemsText(file: string, problems: readonly WaiversProblem[]): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return [
    `--waivers: ${printableSentence(file)} has ${count}; nothing was sent.`,
    ...problems.map(({ line, column, message }) => `  ${placeText(line, column)}${message}`),
  ].join('\n')
}
