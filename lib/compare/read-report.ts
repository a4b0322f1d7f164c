import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type RequirementResult, type RunReport, verdicts } from '../conformance/result.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import { type FileKind, kindOfText, kindOfValue, kindWords } from './file-kind.ts'
import { storedReportSchema } from './stored-report-schema.ts'

const shownMisfits = 5

const explanations: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist: part of the path is a file',
  EACCES: 'may not be read: there is no permission',
  EPERM: 'may not be read: there is no permission',
  EISDIR: 'is a directory',
  ERR_STRING_TOO_LONG: 'is larger than can be read',
  ERR_FS_FILE_TOO_LARGE: 'is larger than can be read',
}

/** A file is no report that can be read; the message names the file and is all a person needs. */
export class UnreadableReportError extends Error {
  override readonly name = 'UnreadableReportError'
  /** Whether there is no such file at all. */
  readonly missing: boolean

  constructor(path: string, problem: string, missing = false) {
    super(`${printableSentence(path)} ${problem}.`)
    this.missing = missing
  }
}

/** A report of any version, and where it was found. */
export interface StoredReport {
  /** The file itself, where a directory was named. */
  path: string
  report: RunReport
}

// As in report-json.ts, whether the schema is one is a test's business.
const ajv = new Ajv2020({ allowUnionTypes: true, validateSchema: false, allErrors: true })
addFormats.default(ajv)
const fits = ajv.compile<RunReport>(storedReportSchema)

function readText(named: string): { path: string; text: string } {
  let path = named
  try {
    if (statSync(named).isDirectory()) path = join(named, 'report.json')
    return { path, text: readFileSync(path, 'utf8').replace(/^\ufeff/, '') }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    const missing = code === 'ENOENT' || code === 'ENOTDIR'
    throw new UnreadableReportError(path, explanations[code] ?? `cannot be read: ${code}`, missing)
  }
}

/** That a file is of another kind, and which is meant. */
function otherKind(kind: FileKind): string {
  return `is ${kindWords[kind]}, and no report; the report of a run is its report.json`
}

function parsed(path: string, text: string): unknown {
  if (text.trim() === '') {
    throw new UnreadableReportError(path, 'is empty: the run that wrote it did not end properly')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const problem = shortened(printableSentence((error as Error).message), 160)
    const kind = kindOfText(text)
    if (kind !== undefined && kind !== 'report') {
      throw new UnreadableReportError(path, otherKind(kind))
    }
    const hint = /^\s*[{[]/.test(text)
      ? 'is damaged'
      : 'is no JSON; the report of a run is its report.json'
    throw new UnreadableReportError(path, `${hint} (${problem})`)
  }
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** What is wrong with JSON that is no report of this format. */
function misfit(value: unknown): string {
  const kind = kindOfValue(value)
  if (kind !== undefined && kind !== 'report') return otherKind(kind)
  if (own(own(value, 'tool'), 'name') !== 'plumbline') {
    return 'is JSON, but no report of Plumbline; the report of a run is its report.json'
  }
  const schema = own(value, 'schema')
  if (schema !== 1) {
    const written = shortened(printableSentence(JSON.stringify(schema) ?? 'none'), 40)
    return (
      `has the report format ${written}, and this version of Plumbline reads format 1: ` +
      'use the version that wrote it, or a newer one'
    )
  }
  const errors = (fits.errors ?? []).map(
    ({ instancePath, message }) =>
      `${instancePath === '' ? 'the report' : instancePath} ${message}`,
  )
  const shown = errors.slice(0, shownMisfits).map((text) => shortened(printableSentence(text), 160))
  const more = errors.length - shown.length
  return `is damaged: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

function repeated(ids: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return ids.find((id) => seen.size === seen.add(id).size)
}

/** What this version does not know is no verdict, and no one takes it for a good one. */
function known(result: RequirementResult): RequirementResult {
  const { verdict, reason } = result
  const level = result.level === 'wording' ? 'wording' : 'contract'
  if (verdicts.includes(verdict)) return { ...result, level }
  const told = reason === undefined ? '' : `: ${reason}`
  const unknown = `this version of Plumbline does not know the verdict “${verdict}”${told}`
  return { ...result, level, verdict: 'inconclusive', reason: unknown }
}

/**
 * Reads a `report.json`, or the one in a directory, that any version of Plumbline wrote in format 1.
 * Properties that this version does not know are left alone; a verdict that it does not know becomes
 * `inconclusive`, and its reason says so.
 *
 * @throws UnreadableReportError
 */
export function readReport(named: string): StoredReport {
  const { path, text } = readText(named)
  const value = parsed(path, text)
  if (!fits(value)) throw new UnreadableReportError(path, misfit(value))
  const twice =
    repeated(value.results.map(({ requirement }) => requirement)) ??
    repeated(value.observations.map(({ id }) => id))
  if (twice !== undefined) {
    const id = shortened(printableSentence(twice), 120)
    throw new UnreadableReportError(path, `is damaged: ${id} stands in it twice`)
  }
  return { path, report: { ...value, results: value.results.map(known) } }
}
