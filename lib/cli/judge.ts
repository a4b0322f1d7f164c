import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Service } from '../../suites/service.ts'
import { wordsOf } from '../conformance/catalogue.ts'
import { judgeRecording } from '../conformance/recording/judge-recording.ts'
import { readEntries, recordingFiles } from '../conformance/recording/read-har.ts'
import {
  bodyOf,
  fieldsOf,
  hasResponse,
  type RecordedEntry,
  type RecordedExchange,
  toExchange,
} from '../conformance/recording/recorded-exchange.ts'
import { baseUrlIn, publicTexts } from '../environment/target.ts'
import { isBelow } from '../probe/base-url.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { Recorder } from '../probe/recorder.ts'
import { recordedSecrets } from '../probe/redaction/recorded-secrets.ts'
import { type KnownSecret, Redactor } from '../probe/redaction/redaction.ts'
import { createNormalizer } from '../results/normalize.ts'
import { exchangeOf } from '../results/reason.ts'
import { isTestable } from '../results/requirement.ts'
import { noEvidence, type RunEvidence } from '../results/run-evidence.ts'
import { readingProblem } from '../text/read-file.ts'
import { type CliContext, UsageError } from './context.ts'
import { buildReport, createRunSettings, type ExecuteRunOptions } from './execute-run.ts'
import { baseUrlVariable, loadConfiguration, type PreparedTarget } from './prepare-run.ts'
import { defineReporting, type RunOptions, run } from './run.ts'
import {
  catalogueOf,
  documentsStatuses,
  loadTarget,
  serviceKeys,
  services,
  servicesOf,
} from './services.ts'

/** Maximum number of different secrets, each of which is searched in every text in many encodings. */
const MAX_SECRETS = 2000

/** Returns the entries of a recording, the earliest first. @throws UsageError */
function readRecording(paths: readonly string[], directory: string): RecordedEntry[] {
  let file = ''
  try {
    const all = recordingFiles(paths.map((path) => resolve(directory, path))).flatMap((path) => {
      file = path
      const entries = [...readEntries(path)]
      const showsCredentials = entries.some(({ request }) =>
        request.headers.some(({ name }) => /^(?:authorization|cookie|x-.*-key)$/i.test(name)),
      )
      return entries.map((entry) => ({ entry, showsCredentials }))
    })
    const timeOf = ({ entry }: RecordedEntry) => Date.parse(entry.startedDateTime)
    return all.sort((one, other) => timeOf(one) - timeOf(other))
  } catch (error) {
    throw new UsageError(`${file || paths.join(', ')} ${readingProblem(error)}. Nothing was sent.`)
  }
}

/** Adds everything that may be a secret, before anything is kept. */
function addSecrets({ entry }: RecordedEntry, redactor: Redactor): void {
  const { request, response } = entry
  const messages = [
    { headers: fieldsOf(request.headers), body: request.postData?.text ?? '' },
    {
      headers: fieldsOf(response.headers),
      body: bodyOf(entry)?.toString('utf8') ?? response.content?.text ?? '',
    },
  ]
  for (const { name, value } of recordedSecrets(request.url, messages)) redactor.add(name, value)
}

/** Completes the records of the exchanges that support a verdict. */
function completedRecords(
  exchanges: readonly RecordedExchange[],
  { judgements }: RunEvidence,
  recorder: Recorder,
): ExchangeRecord[] {
  const shown = new Set(
    judgements.flatMap(({ exchanges, noVerdict }) => [
      ...exchanges,
      ...[(noVerdict && exchangeOf(noVerdict)) ?? []].flat(),
    ]),
  )
  return exchanges
    .filter(({ id }) => shown.has(id))
    .map(({ entry, record, status }) => {
      const { durationMs } = record
      const bytes = bodyOf(entry) ?? Buffer.alloc(0)
      const [text, fields] = [bytes.toString('utf8'), fieldsOf(entry.response.headers)]
      recorder.respond(record, 0, { status, fields, bytes, text, secrets: [] })
      return Object.assign(record, { durationMs })
    })
}

/** Judges recorded traffic; returns what a run returns. */
export async function judgeEntries(
  entries: readonly RecordedEntry[],
  prepared: PreparedTarget,
  options: Pick<ExecuteRunOptions, 'requirements' | 'directory' | 'progress' | 'asOf'>,
) {
  const { requirements, directory, progress, asOf } = options
  const { target } = prepared
  const settings = createRunSettings(prepared, requirements, directory)
  const found: KnownSecret[] = []
  const words = wordsOf(settings.checks)
  const redactor = new Redactor({ words, onSecret: (secret) => found.push(secret) })
  redactor.addNames(publicTexts(target, settings.secrets))
  for (const { name, value } of settings.secrets) redactor.add(name, value)
  const baseUrls = prepared.services.map((key) => target[key]?.baseUrl ?? '')
  for (const one of entries) {
    const url = new URL(one.entry.request.url)
    // Nothing of other servers is kept.
    if (baseUrls.some((baseUrl) => isBelow(url, baseUrl))) addSecrets(one, redactor)
    if (found.length > MAX_SECRETS) {
      const problem = `the recording has more than ${MAX_SECRETS} different tokens, cookies and other secrets`
      throw new UsageError(`${problem}: judge a part of it. Nothing was sent.`)
    }
  }
  const redact = (text: string) => redactor.redact(text)
  const isBodyLeftOut = target.probe.evidence === 'headers'
  const normalize = createNormalizer({ run: { id: settings.runId }, target })
  const responded = entries.filter(({ entry }) => hasResponse(entry))
  const evidence = noEvidence()
  // Services may share an address; an exchange belongs to the one that documents its endpoint.
  const judged = new Map<string, RecordedExchange>()
  const testable = requirements.filter(isTestable).map(({ id }) => id)
  progress.start(testable.length)
  for (const key of prepared.services) {
    const catalogue = catalogueOf(key)
    const { service } = catalogue
    const traffic = await (services[key] as Service).recorded?.()
    const { endpoints, rules } = traffic ?? { endpoints: [], rules: () => ({}) }
    const baseUrl = baseUrlIn(target, service) ?? ''
    const place = { service, baseUrl, endpoints, redact, isBodyLeftOut, secrets: settings.secrets }
    const exchanges = responded.flatMap((one, index) => {
      const parts = { ...place, documentsStatuses: documentsStatuses.includes(service) }
      return toExchange(one, `e${index + 1}`, parts) ?? []
    })
    for (const one of exchanges) {
      if (one.request.endpoint !== undefined || !judged.has(one.id)) judged.set(one.id, one)
    }
    const recording = { catalogue, exchanges, target, normalize, selected: testable }
    const results = judgeRecording({ ...recording, rules: await rules(exchanges, target) })
    evidence.judgements.push(...(await results))
  }
  const recorder = new Recorder({ userAgent: '', redactor, evidence: target.probe.evidence })
  evidence.exchanges.push(...completedRecords([...judged.values()], evidence, recorder))
  const ending = { interrupted: false, outOfMemory: false, internalErrors: [] }
  const { report, ...others } = buildReport(evidence, settings, found, ending, asOf)
  for (const service of Object.values(report.target)) service.source = 'recording'
  const withoutResponse = entries.length - responded.length
  const isUnknown = ({ request }: RecordedExchange) =>
    request.endpoint !== undefined && request.credentials === undefined
  report.run.recording = {
    ...{ entries: entries.length, judged: judged.size, withoutResponse },
    unknownCredentials: [...judged.values()].filter(isUnknown).length,
  }
  for (const one of report.results) if (testable.includes(one.requirement)) progress.add(one)
  progress.finish()
  return { report, ...others }
}

export function action(
  files: readonly string[],
  options: RunOptions,
  context: CliContext,
): Promise<number> {
  const { target } = loadConfiguration(loadTarget, context, options.envFile)
  if (servicesOf(target).length === 0) {
    const missing = serviceKeys.map(baseUrlVariable).join(', ')
    throw new UsageError(
      `judge needs the base URL of a service: set one of ${missing}. Nothing was sent.`,
    )
  }
  const entries = readRecording(files, context.directory)
  return run(
    { ...options, embedded: false },
    // Nothing has to be cleaned up.
    { ...context, interruption: () => new Promise(() => {}) },
    {
      execute: (...parameters) => judgeEntries(entries, ...parameters),
      command: ['judge', ...files],
    },
  )
}

export const define = (command: Command) =>
  defineReporting(
    command.argument('<file...>', 'HTTP Archives (HAR 1.2), or folders with them'),
    'judge',
  ).option('--reports <directory>', 'write the reports to this directory', 'reports/recorded')
