import { isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import { errorText } from '../../reports/schema-errors.ts'
import type { Waiver } from '../../results/run-report.ts'
import { isJson } from '../../text/json.ts'
import { printableJson, printableSentence, truncate } from '../../text/printable.ts'
import { counted } from '../../text/quantities.ts'
import { UsageError } from '../../text/usage-error.ts'
import { isWaiver, isWaiversFile } from '../validators.ts'

type Content = { waivers: Waiver[] | null }

const MAX_PROBLEM_CHARS = 200

/** Names an entry, counted from 1: `entry 2 (service/section/name)`. */
function entryName(content: unknown, index: number): string {
  const id: unknown = (content as Content).waivers?.[index]?.requirement
  return `entry ${index + 1}${typeof id === 'string' ? ` (${truncate(id, 80)})` : ''}`
}

function findProblems(content: unknown) {
  if (!isWaiversFile(content)) {
    return (isWaiversFile.errors ?? []).map((error) => {
      const path = error.instancePath.split('/').slice(1)
      const [, index, ...names] = path
      if (index === undefined) return { path, text: errorText(error, 'the file') }
      const problem = errorText({ ...error, instancePath: names.join('/') }, 'it')
      return { path, text: `${entryName(content, Number(index))}: ${problem}` }
    })
  }
  const ids = (content as Content).waivers?.map(({ requirement }) => requirement) ?? []
  return ids.flatMap((id, index) => {
    const text = `${entryName(content, index)}: it is there twice; keep one`
    return ids.indexOf(id) === index ? [] : [{ path: ['waivers', String(index)], text }]
  })
}

/** Reads waivers from YAML or JSON. @param mayBeEmpty false for a file that may be truncated @throws UsageError with every problem */
export function readWaivers(text: string, file: string, mayBeEmpty = false): Waiver[] {
  const toError = (problems: readonly string[]) => {
    const count = counted(problems.length, 'problem')
    const texts = problems.map((one) => truncate(printableSentence(one), MAX_PROBLEM_CHARS))
    return new UsageError(
      [`--waivers: ${file} has ${count}. Nothing was sent.`, ...texts].join('\n  '),
    )
  }
  const lines = new LineCounter()
  // Warnings of the parser are problems too.
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' })
  let content: unknown
  try {
    for (const error of [...document.errors, ...document.warnings]) throw error
    // An alias may be undefined, or expand to too much.
    content = document.toJS()
  } catch (error) {
    const [first = ''] = (error as Error).message.split('\n')
    throw toError([`this is neither YAML nor JSON: ${first.replace(/:$/, '')}`])
  }
  if (document.contents === null) {
    if (mayBeEmpty) return []
    throw toError(['it is empty; write `waivers: []` if the deployment has none'])
  }
  const problems = findProblems(content).map(({ path, text }) => {
    // A missing member has no line.
    const nodes = [path, path.slice(0, 2), []].map((part) => document.getIn(part, true))
    return { line: lines.linePos(nodes.find(isNode)?.range?.[0] ?? 0).line, text }
  })
  if (problems.length === 0) return (content as Content).waivers ?? []
  const sorted = problems.sort((one, other) => one.line - other.line)
  throw toError(sorted.map(({ line, text }) => `line ${line}: ${text}`))
}

/** Returns the problems of an entry, by option: `--expires must be …`. */
export function waiverProblems(input: Omit<Waiver, 'requirement'>): string[] {
  isWaiver({ requirement: 'given', ...input })
  return (isWaiver.errors ?? []).map((error) => {
    const [, name = ''] = error.instancePath.split('/')
    return errorText({ ...error, instancePath: `--${name}` }, 'it')
  })
}

export interface WaiverChanges {
  added?: readonly Waiver[]
  /** Requirements whose entries are removed. */
  removed?: ReadonlySet<string>
}

function withJsonChanges(text: string, { added = [], removed }: WaiverChanges): string {
  const content = JSON.parse(text)
  const kept = (content.waivers ?? []).filter(({ requirement }: Waiver) => {
    return removed?.has(requirement) !== true
  })
  return `${printableJson({ ...content, waivers: [...kept, ...added] })}\n`
}

/** @throws UsageError if an alias refers to a removed part */
function withYamlChanges(text: string, { added = [], removed }: WaiverChanges): string {
  const document = parseDocument(text)
  const list = document.get('waivers', true)
  if (isSeq(list)) {
    list.items = list.items.filter(
      (entry) => !isMap(entry) || removed?.has(String(entry.get('requirement'))) !== true,
    )
    for (const waiver of added) list.add(document.createNode(waiver))
    list.flow = list.items.length === 0
  } else {
    document.set('waivers', document.createNode(added))
  }
  try {
    // A long reason stays on one line.
    return document.toString({ lineWidth: 0, indentSeq: !/^- /m.test(text) })
  } catch (error) {
    const cause = printableSentence((error as Error).message)
    throw new UsageError(`waive: the aliases (*name) of the file prevent a change: ${cause}.`)
  }
}

/** Changes a file and keeps its comments and order. @param json true if a new file must be JSON */
export function changedWaivers(text: string, changes: WaiverChanges, json = false): string {
  if (text.trim() === '' && json) return withJsonChanges('{}', changes)
  if (isJson(text)) return withJsonChanges(text, changes)
  return withYamlChanges(text.replaceAll('\r\n', '\n'), changes)
}
