import type { AnySchemaObject, ValidateFunction } from 'ajv/dist/2020.js'
import { isNode, LineCounter, parseDocument } from 'yaml'
import { ajv } from '../../conformance/ajv.ts'
import { UsageError } from '../../environment/errors.ts'
import { counted } from '../../reports/format.ts'
import { printableSentence, truncate } from '../../reports/printable.ts'
import { errorText } from '../../reports/schema-errors.ts'
import type { Waiver } from '../../results/run-report.ts'
import waiversSchema from './waivers.schema.json' with { type: 'json' }

type Content = { waivers: Waiver[] | null }

const longestProblem = 200

const { waiver: schemaOfOne } = waiversSchema.$defs
const known = Object.keys(schemaOfOne.properties).join(', ')

/** Members of waivers that a template does not have. */
const templateSchema = {
  ...waiversSchema,
  $id: 'urn:plumbline:schema:waivers-template:1',
  $defs: {
    waiver: {
      ...schemaOfOne,
      required: ['requirement', 'reason'],
      properties: {
        ...schemaOfOne.properties,
        versions: { type: 'array', items: { type: 'string' } },
      },
    },
  },
}

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
function flawsOf(content: unknown, schema: AnySchemaObject): { path: string[]; what: string }[] {
  const validate: ValidateFunction<Content> = ajv.compile(schema)
  if (!validate(content)) {
    return (validate.errors ?? []).map((error) => {
      const path = error.instancePath.split('/').slice(1)
      const [, index, name = ''] = path
      const { additionalProperty: unknown } = error.params
      if (index === undefined) return { path, what: errorText(error, 'the file') }
      const what =
        unknown === undefined
          ? errorText({ ...error, instancePath: name }, 'it')
          : `${truncate(unknown, 60)} is not known; there is ${known}`
      return { path, what: `${entryName(content, Number(index))}: ${what}` }
    })
  }
  const ids = content.waivers?.map(({ requirement }) => requirement) ?? []
  return ids.flatMap((id, index) => {
    const what = `${entryName(content, index)}: it is there twice; keep one`
    return ids.indexOf(id) === index ? [] : [{ path: ['waivers', String(index)], what }]
  })
}

const emptyFile =
  'it is empty: restore it if it had entries; a file of a deployment without any has `waivers: []`'

const noWaivers =
  'its entries have no owner yet: probe the deployment, then `plumbline waive --from` this file ' +
  '`--owner NAME --expires DATE` makes waivers of what failed there'

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
  { mayBeEmpty = false, option = '--waivers', schema = waiversSchema as AnySchemaObject },
): Waiver[] {
  const refused = (problems: readonly string[]) => {
    const count = counted(problems.length, 'problem', 'problems')
    const shown = problems.map((problem) => truncate(printableSentence(problem), longestProblem))
    const head = `${option}: ${file} has ${count}; nothing was sent.`
    return new UsageError([head, ...shown.map((problem) => `  ${problem}`)].join('\n'))
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
    throw refused([`this is neither YAML nor JSON: ${first}`])
  }
  if (document.contents === null && !mayBeEmpty) throw refused([emptyFile])
  if (document.contents === null) return []
  const problems = flawsOf(content, schema).map(({ path, what }) => {
    // A missing member has no line.
    const nodes = [path, path.slice(0, 2), []].map((part) => document.getIn(part, true))
    return { line: lines.linePos(nodes.find(isNode)?.range?.[0] ?? 0).line, what }
  })
  const entries = (content as Content | null)?.waivers ?? []
  if (problems.length === 0) return entries
  if (option === '--waivers' && flawsOf(content, templateSchema).length === 0) {
    if (entries.every(({ owner }: Partial<Waiver>) => owner === undefined))
      throw refused([noWaivers])
  }
  const sorted = problems.sort((one, other) => one.line - other.line)
  throw refused(sorted.map(({ line, what }) => `line ${line}: ${what}`))
}

export const readWaivers = (text: string, file: string, options: { mayBeEmpty?: boolean } = {}) =>
  read(text, file, options)

/** @throws UsageError as `readWaivers` */
export const readWaiverTemplates = (text: string, file: string): readonly WaiverTemplate[] =>
  read(text, file, { option: '--from', schema: templateSchema })

/** Returns the problems of an entry, by option: `--expires must be …`. */
export function waiverProblems(given: Omit<Waiver, 'requirement'>): string[] {
  const validate = ajv.compile(schemaOfOne)
  validate({ requirement: 'given', ...given })
  return (validate.errors ?? []).map((error) => {
    const [, name = ''] = error.instancePath.split('/')
    return errorText({ ...error, instancePath: `--${name}` }, 'it')
  })
}
