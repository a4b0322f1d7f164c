/** POSIX scripts that repeat a failure with curl: what it needs, its control, the request, and its assertion. */

import { curlArguments, PASSPHRASE, type RecordedRequest, shellArgument } from '../probe/curl.ts'
import type { ExchangeRecord, Placeholder } from '../probe/exchange-record.ts'
import { createNormalizer } from '../results/normalize.ts'
import type { Deviation, RequirementResult, RunReport } from '../results/run-report.ts'
import { isJson } from '../text/json.ts'
import { findJsonValue, toPointer } from '../text/json-pointer.ts'
import { printableSentence, printableText } from '../text/printable.ts'
import { responseFunctions, scriptStart } from './failure-script-functions.ts'
import { hasEnded, placeInDocument } from './report-text.ts'

/** Folder of the scripts in the folder of the reports. */
export const SCRIPTS_FOLDER = 'failures'

/** Variable of the script that replaces the id of the run in names. */
const RUN = 'PLUMBLINE_RUN'

/** Variables with a value that a run invents, and that no server accepts. */
const INVENTED = ['UNKNOWN_TOKEN', 'WRONG_KEY', 'WRONG_PASSWORD']

/** Thrown for a failure that a script cannot repeat. */
class InexpressibleError extends Error {}

function inexpressible(): never {
  throw new InexpressibleError()
}

type Placeholders = readonly Pick<Placeholder, 'at' | 'name'>[]

/** Replaces values in a text by placeholders, and returns these with the earlier ones. */
function withVariables(text: string, earlier: Placeholders, names: ReadonlyMap<string, string>) {
  const placeholders: Pick<Placeholder, 'at' | 'name'>[] = []
  let [result, end] = ['', 0]
  const add = (name: string) => {
    placeholders.push({ at: result.length, name })
    result += `$${name}`
  }
  const addText = (part: string) => {
    const [first] = [...names.keys()]
      .map((value) => ({ value, at: part.indexOf(value) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at || b.value.length - a.value.length)
    if (first === undefined) {
      result += part
      return
    }
    result += part.slice(0, first.at)
    add(names.get(first.value) ?? '')
    addText(part.slice(first.at + first.value.length))
  }
  for (const { at, name } of earlier) {
    addText(text.slice(end, at))
    add(name)
    end = at + 1 + name.length
  }
  addText(text.slice(end))
  return { text: result, placeholders }
}

/** Replaces values in a request by variables. */
function withVariablesIn(
  request: RecordedRequest,
  names: ReadonlyMap<string, string>,
): RecordedRequest {
  const { placeholders: earlier = [], ...sent } = request
  const placeholders: Placeholder[] = []
  const replace = (part: Placeholder['in'], text: string) => {
    const own = earlier.filter((one) => one.in === part)
    const replaced = withVariables(text, own, names)
    placeholders.push(...replaced.placeholders.map((one) => ({ in: part, ...one })))
    return replaced.text
  }
  return {
    ...sent,
    url: replace('url', sent.url),
    ...(sent.user !== undefined && { user: replace('user', sent.user) }),
    headers: sent.headers.map(({ name, value }, index) => ({ name, value: replace(index, value) })),
    body: sent.body === null ? null : replace('body', sent.body),
    placeholders,
  }
}

/** Returns the texts in JSON with their pointers. */
function textsIn(json: unknown, pointer = ''): { pointer: string; text: string }[] {
  if (typeof json === 'string') return [{ pointer, text: json }]
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]) =>
    textsIn(value, pointer + toPointer([name])),
  )
}

/** Returns the pointer to a text in the JSON of a response; undefined if it has none. */
function pointerTo(text: string, { response }: ExchangeRecord): string | undefined {
  const body = response?.body ?? ''
  if (!body.includes(text) || !isJson(body)) return undefined
  return textsIn(JSON.parse(body)).find((one) => one.text === text)?.pointer
}

const isAccepted = ({ response }: ExchangeRecord) =>
  response !== null && response.status >= 200 && response.status < 300

const numberOf = ({ id }: ExchangeRecord) => Number(id.slice(1))

/** Returns a value of JSON text as the scripts print it: without white space and with few escapes. */
function compactJson(text: string): string {
  const escapes: Record<string, string> = { '3c': '<', '3e': '>', '26': '&', '27': "'" }
  return text
    .replace(/"(?:[^"\\]|\\.)*"|\s+/gs, (part) => (part.startsWith('"') ? part : ''))
    .replace(/\\u00(3c|3e|26|27)/gi, (_, code: string) => escapes[code.toLowerCase()] ?? '')
    .replaceAll('\\/', '/')
}

/** The inspected part of a response in a script. */
interface Assertion {
  /** Shell word that expands to the part: `=` and its value, or nothing if it is missing. */
  word: string
  /** Patterns of `case` in the shell. */
  patterns: string[]
  /** True if the patterns are values that conform; false if they are the value of the report. */
  isExpected: boolean
  /** Name of the part for people. */
  part: string
}

/** Creates the script of one failure. */
class ScriptWriter {
  readonly #result: RequirementResult
  readonly #report: RunReport
  readonly #deviation: Deviation
  readonly #offending: ExchangeRecord
  /** Requests that create what others need, with the variables that their responses fill. */
  readonly #creations = new Map<ExchangeRecord, Map<string, string>>()
  /** Values of the report that are variables of the script, by their text. */
  readonly #names = new Map<string, string>()
  readonly #baseUrl: string
  readonly #baseUrlName: string
  #sent: readonly ExchangeRecord[] = []
  readonly #required = new Set<string>()
  readonly #invented = new Set<string>()

  constructor(result: RequirementResult, report: RunReport) {
    const [deviation] = result.deviations ?? []
    const offending = report.exchanges.find(({ id }) => id === deviation?.exchange)
    if (deviation === undefined || deviation.conformedIn !== undefined) inexpressible()
    if (!offending?.response) inexpressible()
    this.#result = result
    this.#report = report
    this.#deviation = deviation
    this.#offending = offending
    const { service } = offending
    const key = service.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    this.#baseUrl = report.target[key]?.baseUrl ?? inexpressible()
    this.#baseUrlName = `${service.toUpperCase().replaceAll('-', '_')}_BASE_URL`
    this.#names.set(report.run.id, RUN)
    this.#names.set(this.#baseUrl, this.#baseUrlName)
  }

  text(): string {
    const offending = this.#offending
    const before = this.#report.exchanges.filter(
      (one) =>
        one.connection !== undefined &&
        one.connection === offending.connection &&
        numberOf(one) < numberOf(offending),
    )
    const control = this.#report.exchanges.find(({ id }) => id === this.#deviation.control)
    const sent = [...(control ? [control] : []), ...before, offending]
    for (const one of sent) this.#require(one)
    this.#requireSameName(offending)
    const created = [...this.#creations.keys()].sort((a, b) => numberOf(a) - numberOf(b))
    const assertion = this.#assertion()
    const steps = [
      ...created.map((one) => this.#creationStep(one)),
      ...(control && !this.#creations.has(control) ? [this.#controlStep(control)] : []),
      ...this.#deletions(created, offending).map((one) => this.#deletionStep(one)),
      this.#offendingStep(before),
    ]
    this.#sent = [...new Set([...created, ...sent])]
    const undone = this.#deletions(this.#sent)
    const undo = undone.map((one) => this.#undoStep(one))
    const functions = this.#functions(assertion, undo)
    const lines = [...this.#start(), ...functions, ...steps, ...this.#end(assertion)]
    const text = `${lines.join('\n')}\n`
    // An editor hides other characters.
    return printableText(text) === text ? text : inexpressible()
  }

  /** Adds what a request needs. @throws InexpressibleError if it cannot be repeated */
  #require(exchange: ExchangeRecord): void {
    const { request } = exchange
    if (request.body === null && (request.bodyBytes ?? 0) > 0) inexpressible()
    for (const name of request.secrets ?? []) this.#requireSecret(name)
    this.#requireIds(exchange)
    if (request.url.startsWith('https:') && Object.hasOwn(this.#report.settings, PASSPHRASE)) {
      this.#required.add(PASSPHRASE)
    }
  }

  #requireSecret(name: string): void {
    const { settings, exchanges } = this.#report
    const isHeader = String(settings.PROBE_HEADERS).includes(`"$${name}"`)
    if (isHeader || Object.hasOwn(settings, name)) this.#required.add(name)
    else if (INVENTED.includes(name)) this.#invented.add(name)
    else {
      const source = exchanges.find((one) => isAccepted(one) && one.secrets?.includes(name))
      const pointer = source && pointerTo(`$${name}`, source)
      if (source === undefined || pointer === undefined) inexpressible()
      this.#create(source, name, pointer)
    }
  }

  /** Adds the requests whose responses have ids that are in the path of this one. */
  #requireIds(exchange: ExchangeRecord): void {
    const { exchanges, settings } = this.#report
    const known = new Set(Object.values(settings).flatMap((one) => String(one).split('/')))
    const path = new URL(exchange.request.url).pathname.split('/').filter((one) => one.length > 5)
    for (const id of path.filter((one) => !known.has(one) && !this.#names.has(one))) {
      if (id.includes(this.#report.run.id)) continue
      for (const source of exchanges) {
        if (source.request.method === 'GET' || !isAccepted(source)) continue
        if (numberOf(source) >= numberOf(exchange)) continue
        const pointer = pointerTo(id, source)
        if (pointer === undefined) continue
        const name = `CREATED_ID_${this.#names.size}`
        this.#names.set(id, name)
        this.#create(source, name, pointer)
        break
      }
    }
  }

  /** Adds the request that created something with the name of this one. */
  #requireSameName(exchange: ExchangeRecord): void {
    const names = this.#generatedNames(exchange)
    const source = this.#report.exchanges.find(
      (one) =>
        numberOf(one) < numberOf(exchange) &&
        one.request.method === 'POST' &&
        isAccepted(one) &&
        this.#generatedNames(one).some((name) => names.includes(name)),
    )
    if (source !== undefined) this.#create(source)
  }

  #create(source: ExchangeRecord, variable?: string, pointer = ''): void {
    const variables = this.#creations.get(source)
    const all = variables ?? new Map<string, string>()
    if (variable !== undefined) all.set(variable, pointer)
    this.#creations.set(source, all)
    if (variables === undefined) this.#require(source)
  }

  #generatedNames({ request: { url, body } }: ExchangeRecord): string[] {
    const { id } = this.#report.run
    return `${url} ${body ?? ''}`.match(new RegExp(`plumbline-${id}[\\w-]*`, 'g')) ?? []
  }

  /** Returns the deletions of what requests created. @param before a request that they precede */
  #deletions(created: readonly ExchangeRecord[], before?: ExchangeRecord): ExchangeRecord[] {
    const names = created
      .filter(({ request }) => request.method === 'POST')
      .flatMap((one) => this.#generatedNames(one))
    const found = new Map<string, ExchangeRecord>()
    for (const one of this.#report.exchanges) {
      const [name] = one.request.method === 'DELETE' ? this.#generatedNames(one) : []
      if (name === undefined || !names.includes(name) || found.has(name)) continue
      if (before !== undefined && numberOf(one) > numberOf(before)) continue
      // A deletion with a one-time code follows one without it.
      if (one.request.secrets?.every((secret) => Object.hasOwn(this.#report.settings, secret))) {
        found.set(name, one)
      }
    }
    const all = [...found.values()]
    for (const one of all) this.#require(one)
    return all
  }

  #arguments({ request }: ExchangeRecord): string {
    return curlArguments(withVariablesIn(request, this.#names), this.#report.settings)
  }

  /** Returns the lines that send a request. */
  #sendLines(exchange: ExchangeRecord, previous: readonly string[] = []): string[] {
    const { id, request } = exchange
    return [
      ...(request.method === 'POST' && this.#generatedNames(exchange).length > 0
        ? [`sent_${id}=yes`]
        : []),
      `send ${[...previous, this.#arguments(exchange)].join(' ')}`,
    ]
  }

  #word(text: string): string {
    const { text: shown, placeholders } = withVariables(text, [], this.#names)
    return shellArgument(shown, placeholders)
  }

  #creationStep(exchange: ExchangeRecord): string {
    const { id, purpose } = exchange
    const what = printableSentence(purpose)
    const lines = [...(this.#creations.get(exchange) ?? [])].map(([name, pointer]) =>
      [
        `${name}=$(json ${shellArgument(pointer)} | sed 's/^="\\(.*\\)"$/\\1/')`,
        `[ -n "$${name}" ] || stop 'the response has no ${name}'`,
      ].join('\n'),
    )
    return [
      '',
      `# Creates what the request needs: ${what} (${id}).`,
      ...this.#sendLines(exchange),
      `need_success 'what the request needs could not be created'`,
      ...lines,
    ].join('\n')
  }

  #controlStep(control: ExchangeRecord): string {
    return [
      '',
      `# The control, which must succeed (${control.id}).`,
      ...this.#sendLines(control),
      `need_success 'the control failed'`,
    ].join('\n')
  }

  #deletionStep(exchange: ExchangeRecord): string {
    return [
      '',
      `# Deletes what the request must not find (${exchange.id}).`,
      `send ${this.#arguments(exchange)}`,
      `need_success 'it could not be deleted'`,
    ].join('\n')
  }

  #undoStep(exchange: ExchangeRecord): string {
    const [name = ''] = this.#generatedNames(exchange)
    const creations = this.#sent
      .filter((one) => one.request.method === 'POST')
      .filter((one) => this.#generatedNames(one).includes(name))
    const isSent = creations.map(({ id }) => `\${sent_${id}-}`).join('')
    return `  [ -z "${isSent}" ] || delete ${this.#word(name)} ${this.#arguments(exchange)}`
  }

  #offendingStep(before: readonly ExchangeRecord[]): string {
    const offending = this.#offending
    const ids = before.map(({ id }) => id).join(', ')
    const first = before.length === 0 ? '' : `, on the connection of ${ids}`
    const [number] = this.#deviation.cases ?? []
    const name = number === undefined ? '' : (this.#report.cases[number] ?? '')
    const previous = before.map(
      (one) => `${this.#arguments(one)} --output /dev/null --next --silent`,
    )
    return [
      '',
      `# The request that deviated${first} (${offending.id}): ${printableSentence(name)}`,
      ...this.#sendLines(offending, previous),
    ].join('\n')
  }

  /** @throws InexpressibleError if the value of the part differs in every run */
  #assertion(): Assertion {
    const { reads } = this.#deviation
    const { response, request } = this.#offending
    const conforming = reads?.conforming
    if (response === null || conforming?.length === 0) inexpressible()
    const toPatterns = (values: readonly (string | null)[]) =>
      values.map((value) => {
        if (value === null) return "''"
        return value === '*' ? '=*' : this.#word(`=${value}`)
      })
    if (reads !== undefined && 'status' in reads) {
      const statuses = conforming ?? [String(response.status)]
      const patterns = statuses.map((one) => `=${String(one).replaceAll('x', '?')}`)
      return { word: '"=$status"', patterns, isExpected: conforming !== undefined, part: 'status' }
    }
    const isHeader = reads !== undefined && 'header' in reads
    const pointer = reads !== undefined && 'pointer' in reads ? reads.pointer : ''
    const [word, part] = isHeader
      ? [`"$(header ${shellArgument(reads.header)})"`, reads.header]
      : pointer === ''
        ? ['"$(body)"', 'body']
        : [`"$(json ${shellArgument(pointer)})"`, pointer]
    if (conforming !== undefined) {
      const texts = isHeader ? conforming : conforming.map((one) => one && compactJson(one))
      return { word, part, patterns: toPatterns(texts), isExpected: true }
    }
    const seen = isHeader ? this.#seenHeader(reads.header) : this.#seenInBody(pointer)
    if (seen !== null) {
      // The ids of created resources differ in every run.
      if (request.method !== 'GET' && isAccepted(this.#offending)) inexpressible()
      const { text } = withVariables(seen, [], this.#names)
      const normalized = createNormalizer(this.#report)(text)
      if (this.#offending.secrets !== undefined || normalized !== text.replace(/\s+/g, ' ').trim())
        inexpressible()
    }
    return { word, part, patterns: toPatterns([seen]), isExpected: false }
  }

  #seenHeader(name: string): string | null {
    const fields = this.#offending.response?.headers ?? []
    const own = fields.filter((one) => one.name.toLowerCase() === name.toLowerCase())
    return own.length === 0 ? null : own.map(({ value }) => value.trim()).join(', ')
  }

  #seenInBody(pointer: string): string | null {
    const { body = null, bodyBytes = 0, bodyKept } = this.#offending.response ?? {}
    if (bodyKept !== undefined || (body === null && bodyBytes > 0)) inexpressible()
    if (body === null || body.trim() === '') return null
    if (pointer === '') return isJson(body) ? inexpressible() : body.replace(/\n+$/, '')
    const place = isJson(body) ? findJsonValue(body, pointer) : undefined
    return place?.isExact ? compactJson(body.slice(place.start, place.end)) : null
  }

  #start(): string[] {
    const { requirement, statement, expected = '', actual = '' } = this.#result
    const { run, tool } = this.#report
    const comment = (text: string) => `# ${printableSentence(text, 400)}`
    return [
      '#!/bin/sh',
      comment(`${requirement}: ${statement}`),
      comment(`Section: ${placeInDocument(this.#result, this.#report).text}`),
      comment(`Expected: ${expected}`),
      comment(`Actual: ${actual}`),
      comment(
        `Plumbline ${tool.version} wrote this file after the run ${run.id}, ${run.startedAt}.`,
      ),
      ...scriptStart,
      `${this.#baseUrlName}=\${${this.#baseUrlName}:-${shellArgument(this.#baseUrl)}}`,
      ...[...this.#required].map((name) => `[ -n "\${${name}-}" ] || stop 'set ${name}'`),
      `${RUN}=$(date -u +%Y%m%d%H%M%S)-$$`,
      ...[...this.#invented].map(
        (name) => `${name}=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \\n')`,
      ),
    ]
  }

  #functions({ word }: Assertion, undo: readonly string[]): string[] {
    const names = ['json', 'header', 'body'] as const
    const isUsed = (name: string) =>
      word.includes(`$(${name}`) ||
      (name === 'json' && [...this.#creations.values()].some(({ size }) => size > 0))
    return [
      ...responseFunctions.start,
      ...names.filter(isUsed).map((name) => responseFunctions[name]),
      'undo() {',
      ...(undo.length === 0 ? ['  :'] : undo),
      '}',
    ]
  }

  #end({ word, patterns, isExpected, part }: Assertion): string[] {
    const { expected = '' } = this.#result
    const { response } = this.#offending
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
}

/** A script of a report. */
export interface FailureScript {
  /** Path in the folder of the reports. */
  path: string
  content: string
}

/** Returns the script that repeats a failure; undefined if none can, or if the server has ended. */
export function failureScript(
  result: RequirementResult,
  report: RunReport,
): FailureScript | undefined {
  if (result.verdict !== 'fail' || hasEnded(report)) return undefined
  try {
    const content = new ScriptWriter(result, report).text()
    return { path: `${SCRIPTS_FOLDER}/${result.requirement}.sh`, content }
  } catch (error) {
    if (error instanceof InexpressibleError) return undefined
    throw error
  }
}
