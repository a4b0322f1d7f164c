import { shellArgument } from '../../probe/curl.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import { createNormalizer } from '../../results/normalize.ts'
import type { Deviation, RunReport } from '../../results/run-report.ts'
import { isJson } from '../../text/json.ts'
import { findJsonValue } from '../../text/json-pointer.ts'
import { printableSentence } from '../../text/printable.ts'
import { inexpressible } from './no-script.ts'
import { isAccepted } from './requests.ts'
import { type VariableNames, withVariables, wordOf } from './variables.ts'

/** The inspected part of a response in a script. */
export interface Assertion {
  /** Shell word that expands to the part: `=` and its value, or nothing if it is missing. */
  word: string
  /** Patterns of `case` in the shell. */
  patterns: string[]
  /** True if the patterns are values that conform; false if they are the value of the report. */
  isExpected: boolean
  /** Name of the part for people. */
  part: string
}

/** Returns a value of JSON text as the scripts print it: without white space and with few escapes. */
function compactJson(text: string): string {
  const escapes: Record<string, string> = { '3c': '<', '3e': '>', '26': '&', '27': "'" }
  return text
    .replace(/"(?:[^"\\]|\\.)*"|\s+/gs, (part) => (part.startsWith('"') ? part : ''))
    .replace(/\\u00(3c|3e|26|27)/gi, (_, code: string) => escapes[code.toLowerCase()] ?? '')
    .replaceAll('\\/', '/')
}

function seenHeader(name: string, { response }: ExchangeRecord): string | null {
  const fields = response?.headers ?? []
  const own = fields.filter((one) => one.name.toLowerCase() === name.toLowerCase())
  return own.length === 0 ? null : own.map(({ value }) => value.trim()).join(', ')
}

function seenInBody(
  pointer: string,
  value: string | undefined,
  { response }: ExchangeRecord,
): string | null {
  const { body = null, bodyBytes = 0, bodyKept } = response ?? {}
  if (value !== undefined) return compactJson(value)
  if (bodyKept !== undefined || (body === null && bodyBytes > 0)) inexpressible('notKept')
  if (body === null || body.trim() === '') return null
  if (pointer === '') {
    return isJson(body) ? inexpressible('severalParts') : body.replace(/\n+$/, '')
  }
  const place = isJson(body) ? findJsonValue(body, pointer) : undefined
  return place?.isExact ? compactJson(body.slice(place.start, place.end)) : null
}

/** @throws InexpressibleError if the value of the part differs in every run, or does not decide */
export function assertionOf(
  { reads }: Deviation,
  offending: ExchangeRecord,
  names: VariableNames,
  report: RunReport,
): Assertion {
  const { response, request, secrets } = offending
  const conforming = reads?.conforming
  if (conforming?.length === 0) inexpressible('severalParts')
  const toPatterns = (values: readonly (string | null)[]) =>
    values.map((value) => {
      if (value === null) return "''"
      return value === '*' ? '=*' : wordOf(`=${value}`, names)
    })
  if (reads !== undefined && 'status' in reads) {
    const statuses = conforming ?? [String(response?.status)]
    const patterns = statuses.map((one) => `=${String(one).replaceAll('x', '?')}`)
    return { word: '"=$status"', patterns, isExpected: conforming !== undefined, part: 'status' }
  }
  const isHeader = reads !== undefined && 'header' in reads
  const { pointer = '', value = undefined } = reads !== undefined && 'pointer' in reads ? reads : {}
  const [word, part] = isHeader
    ? [`"$(header ${shellArgument(reads.header)})"`, reads.header]
    : pointer === ''
      ? ['"$(body)"', 'body']
      : [`"$(json ${shellArgument(pointer)})"`, pointer]
  if (conforming !== undefined) {
    const texts = isHeader ? conforming : conforming.map((one) => one && compactJson(one))
    return { word, part, patterns: toPatterns(texts), isExpected: true }
  }
  const seen = isHeader
    ? seenHeader(reads.header, offending)
    : seenInBody(pointer, value, offending)
  if (seen !== null) {
    const { text } = withVariables(seen, names)
    const isStable = createNormalizer(report)(text) === text.replace(/\s+/g, ' ').trim()
    // The ids of created resources differ in every run.
    const isCreation = request.method !== 'GET' && isAccepted(offending)
    if (isCreation || secrets !== undefined || !isStable) inexpressible('variesByRun')
  }
  return { word, part, patterns: toPatterns([seen]), isExpected: false }
}

/** Returns the last lines of a script, which compare the part and end with an exit status. */
export function assertionLines(
  { word, patterns, isExpected, part }: Assertion,
  expected: string,
  { response }: ExchangeRecord,
): string[] {
  const alternatives = [...new Set(patterns)].join(' | ')
  const status = String(response?.status)
  const isStatus = part === 'status'
  const name = shellArgument(printableSentence(part, 100))
  const requested = shellArgument(printableSentence(expected, 400))
  const sameStatus = status.replace(/^2../, '2??')
  const otherStatus = status.startsWith('5')
    ? `{ actual="=status $status"; conforms ${name} ${requested}; }`
    : `stop "the status is $status instead of ${status}"`
  const how = isExpected
    ? '# Compares with what the document requires.'
    : '# The required value has no simple form: compares with the value in the report.'
  const [same, other] = isExpected ? ['conforms', 'deviates'] : ['deviates', 'conforms']
  return [
    '',
    how,
    `actual=${word}`,
    ...(isStatus ? [] : [`case $status in ${sameStatus}) ;; *) ${otherStatus} ;; esac`]),
    'case $actual in',
    // Another error of the server, or a limit, shows nothing.
    ...(isStatus ? [`=${status}) deviates ${name} ${requested} ;;`] : []),
    ...(isStatus ? ['=5?? | =429) stop "the status is $status" ;;'] : []),
    `${alternatives}) ${same} ${name} ${requested} ;;`,
    'esac',
    `${other} ${name} ${requested}`,
  ]
}
