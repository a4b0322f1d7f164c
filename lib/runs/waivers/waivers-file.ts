import type { ValidateFunction } from 'ajv'
import {
  isMap,
  isNode,
  isSeq,
  LineCounter,
  parseDocument,
  type ScalarTag,
  type Tags,
  type YAMLSeq,
} from 'yaml'
import { UsageError } from '../../environment/errors.ts'
import { errorText } from '../../reports/schema-errors.ts'
import type { Waiver } from '../../results/run-report.ts'
import { isJson } from '../../text/json.ts'
import { printableJson, printableSentence, truncate } from '../../text/printable.ts'
import { counted } from '../../text/quantities.ts'
import { isTemplateFile, isWaiver, isWaiversFile } from '../validators.ts'
import waiversSchema from './waivers.schema.json' with { type: 'json' }

type Content = { waivers: Waiver[] | null }

const MAX_PROBLEM_CHARS = 200

const memberNames = Object.keys(waiversSchema.$defs.waiver.properties).join(', ')

/** Entry of a file for `waive --from`. `versions` are the server versions with this deviation. */
export type WaiverTemplate = Pick<Waiver, 'requirement' | 'reason' | 'link' | 'actual'> & {
  readonly versions?: readonly string[]
}

/** Names an entry, counted from 1: `entry 2 (service/section/name)`. */
function entryName(content: unknown, index: number): string {
  const id: unknown = (content as Content).waivers?.[index]?.requirement
  return `entry ${index + 1}${typeof id === 'string' ? ` (${truncate(id, 80)})` : ''}`
}

/** Returns the problems of a file of waivers, each with its path. */
function findProblems(content: unknown, validate: ValidateFunction) {
  if (!validate(content)) {
    return (validate.errors ?? []).map((error) => {
      const path = error.instancePath.split('/').slice(1)
      const [, index, ...names] = path
      const { additionalProperty: member } = error.params
      if (index === undefined) return { path, text: errorText(error, 'the file') }
      const problem =
        error.keyword === 'not'
          ? 'it has both actual and deviations; keep one'
          : member === undefined || names.length > 0
            ? errorText({ ...error, instancePath: names.join('/') }, 'it')
            : `${truncate(member, 60)} is not known; there is ${memberNames}`
      return { path, text: `${entryName(content, Number(index))}: ${problem}` }
    })
  }
  const ids = (content as Content).waivers?.map(({ requirement }) => requirement) ?? []
  return ids.flatMap((id, index) => {
    const text = `${entryName(content, index)}: it is there twice; keep one`
    return ids.indexOf(id) === index ? [] : [{ path: ['waivers', String(index)], text }]
  })
}

const emptyFile =
  'it is empty: restore it if it had entries; a file of a deployment without any has `waivers: []`'

const noWaivers =
  'its entries have no owner yet: probe the deployment, then `plumbline waive --from` this file ' +
  '`--owner NAME --expires DATE` creates waivers for its failures'

/**
 * Reads waivers or waiver templates from YAML or JSON. An empty file, or one with only
 * comments, is a problem, because it may be truncated.
 *
 * @param options.mayBeEmpty true if an empty file has no waivers
 * @throws UsageError with every problem and its line
 */
function read(
  text: string,
  file: string,
  { mayBeEmpty = false, option = '--waivers', validate = isWaiversFile as ValidateFunction },
): Waiver[] {
  const toError = (problems: readonly string[]) => {
    const count = counted(problems.length, 'problem')
    const texts = problems.map((text) => truncate(printableSentence(text), MAX_PROBLEM_CHARS))
    return new UsageError(
      [`${option}: ${file} has ${count}. Nothing was sent.`, ...texts].join('\n  '),
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
    throw toError([`this is neither YAML nor JSON: ${first}`])
  }
  if (document.contents === null && !mayBeEmpty) throw toError([emptyFile])
  if (document.contents === null) return []
  const problems = findProblems(content, validate).map(({ path, text }) => {
    // A missing member has no line.
    const nodes = [path, path.slice(0, 2), []].map((part) => document.getIn(part, true))
    return { line: lines.linePos(nodes.find(isNode)?.range?.[0] ?? 0).line, text }
  })
  const entries = (content as Content | null)?.waivers ?? []
  if (problems.length === 0) return entries
  if (option === '--waivers' && findProblems(content, isTemplateFile).length === 0) {
    if (entries.every(({ owner }: Partial<Waiver>) => owner === undefined))
      throw toError([noWaivers])
  }
  const sorted = problems.sort((one, other) => one.line - other.line)
  throw toError(sorted.map(({ line, text }) => `line ${line}: ${text}`))
}

export const readWaivers = (text: string, file: string, options: { mayBeEmpty?: boolean } = {}) =>
  read(text, file, options)

/** @throws UsageError as `readWaivers` */
export const readWaiverTemplates = (text: string, file: string): readonly WaiverTemplate[] =>
  read(text, file, { option: '--from', validate: isTemplateFile })

/** Returns the problems of an entry, by option: `--expires must be …`. */
export function waiverProblems(input: Omit<Waiver, 'requirement'>): string[] {
  isWaiver({ requirement: 'given', ...input })
  return (isWaiver.errors ?? []).map((error) => {
    const [, name = ''] = error.instancePath.split('/')
    return errorText({ ...error, instancePath: `--${name}` }, 'it')
  })
}

/** Changes of a file of waivers. */
export interface WaiverChanges {
  added?: readonly Waiver[]
  /** Requirements whose entries are removed. */
  removed?: ReadonlySet<string>
}

function withJsonChanges(text: string, { added = [], removed }: WaiverChanges): string {
  const content = JSON.parse(text)
  const indentation = /^\s*{\s*\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const kept = (content.waivers ?? []).filter(({ requirement }: Waiver) => {
    return removed?.has(requirement) !== true
  })
  return `${printableJson({ ...content, waivers: [...kept, ...added] }, indentation)}\n`
}

/** Escapes the characters of new strings that editors and terminals hide or interpret. */
function withPrintableStrings(tags: Tags): Tags {
  const text = tags.find((tag): tag is ScalarTag => {
    return typeof tag === 'object' && tag.tag === 'tag:yaml.org,2002:str'
  })
  const printable: Partial<ScalarTag> = {
    stringify(item, ...context) {
      const escaped = printableJson(item.value)
      // Strings of the file have a source, and stay as they are.
      const isUnchanged = item.source !== undefined || escaped === JSON.stringify(item.value)
      return (isUnchanged && text?.stringify?.(item, ...context)) || escaped
    },
  }
  return tags.map((tag) => (tag === text ? { ...text, ...printable } : tag)) as Tags
}

/** Removes entries. Comments above one stay, since they may be about several. */
function removeEntries(list: YAMLSeq, removed: ReadonlySet<string>): void {
  const joined = (...comments: (string | null | undefined)[]) =>
    comments.filter(Boolean).join('\n') || undefined
  let comments: string | undefined
  let spaceBefore: boolean | undefined
  list.items = list.items.filter((entry) => {
    if (!isMap(entry)) return true
    comments = joined(comments, entry.commentBefore)
    spaceBefore ||= entry.spaceBefore
    if (removed.has(String(entry.get('requirement')))) return false
    Object.assign(entry, { commentBefore: comments, spaceBefore })
    comments = undefined
    spaceBefore = undefined
    return true
  })
  const [first] = list.items
  list.flow = first === undefined
  if (first === undefined) list.commentBefore = joined(list.commentBefore, comments)
  else list.comment = joined(comments, list.comment)
  // After a comment, the parser would write the empty line before it with spaces.
  if (isMap(first) && list.commentBefore) first.spaceBefore = false
}

/** @throws UsageError if an alias refers to a replaced part */
function withYamlChanges(text: string, { added = [], removed }: WaiverChanges): string {
  const document = parseDocument(text, { customTags: withPrintableStrings })
  const list = document.get('waivers', true)
  if (isSeq(list)) {
    list.flow = false
    if (removed) removeEntries(list, removed)
    for (const waiver of added) list.add(document.createNode(waiver))
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

/** Changes a file and keeps its comments, order, and line breaks. @param json true if a new file must be JSON */
export function changedWaivers(text: string, changes: WaiverChanges, json = false): string {
  if (text.trim() === '' && json) return withJsonChanges('{}', changes)
  if (isJson(text)) return withJsonChanges(text, changes)
  const result = withYamlChanges(text.replaceAll('\r\n', '\n'), changes)
  return text.includes('\r\n') ? result.replaceAll('\n', '\r\n') : result
}
