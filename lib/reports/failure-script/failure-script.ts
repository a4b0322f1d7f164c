/** POSIX scripts that repeat a failure with curl: what it needs, its control, the request, and its assertion. */

import { curlArguments, shellArgument } from '../../probe/curl.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { Deviation, RequirementResult, RunReport } from '../../results/run-report.ts'
import { printableSentence, printableText } from '../../text/printable.ts'
import { placeInDocument } from '../report-text.ts'
import { type Assertion, assertionLines, assertionOf } from './assertion.ts'
import { responseFunctions, scriptStart } from './functions.ts'
import { InexpressibleError, inexpressible, type NoScriptReason } from './no-script.ts'
import { numberOf, ScriptRequests } from './requests.ts'
import { withVariablesIn, wordOf } from './variables.ts'

/** Folder of the scripts in the folder of the reports. */
export const SCRIPTS_FOLDER = 'failures'

/** Variable of the script that replaces the id of the run in names. */
const RUN = 'PLUMBLINE_RUN'

/** Creates the script of one failure. */
class ScriptWriter {
  readonly #result: RequirementResult
  readonly #report: RunReport
  readonly #deviation: Deviation
  readonly #offending: ExchangeRecord
  readonly #requests: ScriptRequests
  readonly #baseUrl: string
  readonly #baseUrlName: string

  constructor(result: RequirementResult, report: RunReport) {
    const [deviation] = result.deviations ?? []
    const offending = report.exchanges.find(({ id }) => id === deviation?.exchange)
    if (deviation === undefined || !offending?.response) inexpressible('noResponse')
    this.#result = result
    this.#report = report
    this.#deviation = deviation
    this.#offending = offending
    const { service } = offending
    const key = service.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    this.#baseUrl = report.target[key]?.baseUrl ?? inexpressible('noResponse')
    this.#baseUrlName = `${service.toUpperCase().replaceAll('-', '_')}_BASE_URL`
    const names = [
      [report.run.id, RUN],
      [this.#baseUrl, this.#baseUrlName],
    ] as const
    this.#requests = new ScriptRequests(report, new Map(names))
  }

  text(): string {
    const [offending, requests] = [this.#offending, this.#requests]
    const before = this.#report.exchanges.filter(
      (one) =>
        one.connection !== undefined &&
        one.connection === offending.connection &&
        numberOf(one) < numberOf(offending),
    )
    const control = this.#report.exchanges.find(({ id }) => id === this.#deviation.control)
    const sent = [...(control ? [control] : []), ...before, offending]
    for (const one of sent) requests.require(one)
    requests.requireSameName(offending)
    const created = [...requests.creations.keys()].sort((a, b) => numberOf(a) - numberOf(b))
    const assertion = assertionOf(this.#deviation, offending, requests.names, this.#report)
    const steps = [
      ...created.map((one) => this.#creationStep(one)),
      ...(control && !requests.creations.has(control)
        ? [this.#neededStep('The control, which must be permitted', control, 'the control failed')]
        : []),
      ...requests
        .deletions(created, offending)
        .map((one) => this.#neededStep('Deletes what must not exist', one, 'it was not deleted')),
      this.#offendingStep(before),
    ]
    const all = [...new Set([...created, ...sent])]
    const undo = requests.deletions(all).map((one) => this.#undoStep(one, all))
    const functions = this.#functions(assertion, undo)
    const end = assertionLines(assertion, this.#result.expected ?? '', offending)
    const text = `${[...this.#start(), ...functions, ...steps, ...end].join('\n')}\n`
    return printableText(text) === text ? text : inexpressible('hiddenCharacters')
  }

  #arguments({ request }: ExchangeRecord): string {
    return curlArguments(withVariablesIn(request, this.#requests.names), this.#report.settings)
  }

  /** Returns the lines of a step, which sends a request. */
  #step(comment: string, exchange: ExchangeRecord, ...after: string[]): string {
    const { id, request } = exchange
    const isCreation =
      request.method === 'POST' && this.#requests.generatedNames(exchange).length > 0
    const mark = isCreation ? [`sent_${id}=yes`] : []
    return ['', `# ${comment}`, ...mark, `send ${this.#arguments(exchange)}`, ...after].join('\n')
  }

  /** Returns a step that must have its status, or succeed. @param problem text if it does not */
  #neededStep(what: string, exchange: ExchangeRecord, problem: string, ...after: string[]): string {
    const { id, response } = exchange
    // A control may be a change that is permitted, and rejected for another reason.
    const { status = 200 } = response ?? {}
    const expected = status < 400 ? '2??' : String(status)
    const need = `need '${expected}' '${problem}'`
    return this.#step(`${what} (${id}).`, exchange, need, ...after)
  }

  #creationStep(exchange: ExchangeRecord): string {
    const lines = [...(this.#requests.creations.get(exchange) ?? [])].flatMap(([name, pointer]) => [
      `${name}=$(json ${shellArgument(pointer)} | sed 's/^="\\(.*\\)"$/\\1/')`,
      `[ -n "$${name}" ] || stop 'the response has no ${name}'`,
    ])
    const what = `Creates what the request needs: ${printableSentence(exchange.purpose)}`
    return this.#neededStep(what, exchange, 'it could not be created', ...lines)
  }

  #undoStep(exchange: ExchangeRecord, sent: readonly ExchangeRecord[]): string {
    const [name = ''] = this.#requests.generatedNames(exchange)
    const creations = sent
      .filter((one) => one.request.method === 'POST')
      .filter((one) => this.#requests.generatedNames(one).includes(name))
    const isSent = creations.map(({ id }) => `\${sent_${id}-}`).join('')
    const word = wordOf(name, this.#requests.names)
    return `  [ -z "${isSent}" ] || delete ${word} ${this.#arguments(exchange)}`
  }

  #offendingStep(before: readonly ExchangeRecord[]): string {
    const { id } = this.#offending
    const first =
      before.length === 0 ? '' : `, on the connection of ${before.map((one) => one.id).join(', ')}`
    const [number] = this.#deviation.cases ?? []
    const name = number === undefined ? '' : (this.#report.cases[number] ?? '')
    const comment = `The request that deviated${first} (${id}): ${printableSentence(name)}`
    const previous = before.map(
      (one) => `${this.#arguments(one)} --output /dev/null --next --silent `,
    )
    return this.#step(comment, this.#offending).replace(
      '\nsend ',
      () => `\nsend ${previous.join('')}`,
    )
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
      ...[...this.#requests.required].map((name) => `[ -n "\${${name}-}" ] || stop 'set ${name}'`),
      `${RUN}=$(date -u +%Y%m%d%H%M%S)-$$`,
      ...[...this.#requests.invented].map(
        (name) => `${name}=$(od -An -N20 -tx1 /dev/urandom | tr -d ' \\n')`,
      ),
    ]
  }

  #functions({ word }: Assertion, undo: readonly string[]): string[] {
    const names = ['json', 'header', 'body'] as const
    const isUsed = (name: string) =>
      word.includes(`$(${name}`) ||
      (name === 'json' && [...this.#requests.creations.values()].some(({ size }) => size > 0))
    return [
      ...responseFunctions.start,
      ...names.filter(isUsed).map((name) => responseFunctions[name]),
      'undo() {',
      ...(undo.length === 0 ? ['  :'] : undo),
      '}',
    ]
  }
}

/** A script of a report. */
export interface FailureScript {
  /** Path in the folder of the reports. */
  path: string
  content: string
}

/** Returns the script that repeats a failure, or why none can. */
export function failureScript(
  result: RequirementResult,
  report: RunReport,
): FailureScript | NoScriptReason {
  try {
    const content = new ScriptWriter(result, report).text()
    return { path: `${SCRIPTS_FOLDER}/${result.requirement}.sh`, content }
  } catch (error) {
    if (error instanceof InexpressibleError) return error.reason
    throw error
  }
}
