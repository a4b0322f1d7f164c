import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
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

function problemOf({ instancePath, message, params }: ErrorObject): string {
  const name: unknown = params.additionalProperty ?? params.propertyName
  const told = typeof name === 'string' ? `: ${name}` : ''
  return shortened(printableSentence(`${instancePath || 'the file'} ${message}${told}`), 160)
}

/** Reads a baseline from the text of its file, or tells what is wrong with it, in a few sentences. */
export function readBaseline(text: string): { baseline: Baseline } | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `it is no JSON (${printableSentence((error as Error).message)})` }
  }
  if (validate(value)) return { baseline: value }
  const problems = (validate.errors ?? []).slice(0, 5).map(problemOf)
  return { problem: `it is no baseline (${problems.join('; ')})` }
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
