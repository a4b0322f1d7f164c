import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { type FileKind, kindOfText } from '../compare/file-kind.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import baselineSchema from './baseline.schema.json' with { type: 'json' }

/** What a deployment did where its documents are silent. */
export interface Baseline {
  schema: 1
  /** By service, in camel case: its base URL, or `embedded`. */
  target: Record<string, string>
  /** Pinned values by the id of the observation. */
  observations: Record<string, unknown>
}

const ajv = new Ajv2020({ allErrors: true, validateSchema: false })
const validate = ajv.compile<Baseline>(baselineSchema)

/** The baseline of a file, or what is wrong with it, and what kind of file it seems to be. */
export type ReadBaseline = { baseline: Baseline } | { problem: string; kind?: FileKind }

const shownProblems = 5

/** What each part has to be, to be told in place of the words of JSON Schema. */
const instructions: Record<string, string> = {
  schema: 'schema must be 1',
  target: 'target must have the base URL of each service',
  observations: 'observations must have a value for the id of each observation',
}

function problemOf({ keyword, instancePath, params }: ErrorObject): string {
  const [, part = ''] = instancePath.split('/')
  const told = (name: unknown) => shortened(printableSentence(String(name)), 80)
  if (keyword === 'required') return `${told(params.missingProperty)} is missing`
  if (keyword === 'additionalProperties') return `${told(params.additionalProperty)} is not known`
  if (keyword === 'propertyNames') {
    return `${part} has ${told(params.propertyName)}, which is no id of an observation`
  }
  return instructions[part] ?? 'it must be an object'
}

function schemaOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined
}

function misfit(value: unknown): string {
  const schema = schemaOf(value)
  if (typeof schema === 'number' && schema > 1) {
    return (
      `it has the baseline format ${schema}, and this version of Plumbline reads format 1: ` +
      'use the version that wrote it, or a newer one'
    )
  }
  // A name that is wrong is told of by the keyword that it breaks, and by that of all names.
  const errors = (validate.errors ?? []).filter(({ propertyName }) => propertyName === undefined)
  const problems = [...new Set(errors.map(problemOf))]
  const more = problems.length - shownProblems
  const rest = more > 0 ? `; and ${more} more` : ''
  return `it is damaged: ${problems.slice(0, shownProblems).join('; ')}${rest}`
}

/**
 * Reads a baseline from the text of its file, or tells what is wrong with it, in a few words. Only
 * where the kind is that of a baseline can it have been one.
 */
export function readBaseline(text: string): ReadBaseline {
  const kind = kindOfText(text)
  const seeming = kind === undefined ? {} : { kind }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (text.trim() === '') return { problem: 'it is empty: restore it if it was one' }
    return { problem: `it is no JSON (${printableSentence((error as Error).message)})`, ...seeming }
  }
  if (validate(value)) return { baseline: value }
  return { problem: kind === 'baseline' ? misfit(value) : 'it is no baseline', ...seeming }
}

function sorted<Value>(object: Record<string, Value>): Record<string, Value> {
  const entries = Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries)
}

/** The text of a baseline: sorted, so that it differs only where the deployment does. */
export function baselineText({ schema, target, observations }: Baseline): string {
  const content = { schema, target: sorted(target), observations: sorted(observations) }
  return `${JSON.stringify(content, null, 2)}\n`
}
