import { resolve } from 'node:path'
import type { Command } from 'commander'
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
import { Recorder } from '../probe/recorder.ts'
import { recordedSecrets } from '../probe/redaction/recorded-secrets.ts'
import { type KnownSecret, Redactor } from '../probe/redaction/redaction.ts'
import { createNormalizer } from '../results/normalize.ts'
import { exchangeOf } from '../results/reason.ts'
import { isTestable } from '../results/requirement.ts'
import { noEvidence } from '../results/run-evidence.ts'
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

/** Judges recorded traffic; returns what a run returns. */
export async function judgeEntries(
  entries: readonly RecordedEntry[],
  prepared: PreparedTarget,
  {
    requirements,
    directory,
    progress,
    asOf,
  }: Pick<ExecuteRunOptions, 'requirements' | 'directory' | 'progress' | 'asOf'>,
) {
  const { target } = prepared
  const settings = createRunSettings(prepared, requirements, directory)
  const found: KnownSecret[] = []
  const words = wordsOf(settings.checks)
  const redactor = new Redactor({ words, onSecret: (secret) => found.push(secret) })
  redactor.addNames(publicTexts(target, settings.secrets))
  for (const { name, value } of settings.secrets) redactor.add(name, value)
  for (const entry of entries) addSecrets(entry, redactor)
  const redact = (text: string) => redactor.redact(text)
  const normalize = createNormalizer({ run: { id: settings.runId }, target })
  const responded = entries.filter(({ entry }) => hasResponse(entry))
  const evidence = noEvidence()
  const all: { exchange: RecordedExchange; entry: RecordedEntry['entry'] }[] = []
  progress.start(requirements.filter(isTestable).length)
  for (const key of prepared.services) {
    const catalogue = catalogueOf(key)
    const { service } = catalogue
    const { endpoints, rules } = (await services[key].recorded?.()) ?? {
      endpoints: [],
      rules: () => ({}),
    }
    const baseUrl = baseUrlIn(target, service) ?? ''
    const statuses = documentsStatuses.includes(service)
    const place = { service, baseUrl, endpoints, documentsStatuses: statuses, redact }
    const exchanges = responded.flatMap((one, index) => {
      const exchange = toExchange(one, `e${index + 1}`, place)
      if (exchange) all.push({ exchange, entry: one.entry })
      return exchange ?? []
    })
    const { selected } = settings
    const recording = { catalogue, exchanges, target, selected, normalize }
    evidence.judgements.push(
      ...(await judgeRecording({ ...recording, rules: await rules(exchanges, target) })),
    )
  }
  const shown = new Set(
    evidence.judgements.flatMap(({ exchanges, noVerdict }) => [
      ...exchanges,
      ...[(noVerdict && exchangeOf(noVerdict)) ?? []].flat(),
    ]),
  )
  const recorder = new Recorder({ userAgent: '', redactor, evidence: target.probe.evidence })
  for (const { exchange, entry } of all) {
    const { record, status } = exchange
    if (!shown.has(exchange.id)) continue
    const { durationMs } = record
    const bytes = bodyOf(entry) ?? Buffer.alloc(0)
    const fields = fieldsOf(entry.response.headers)
    recorder.respond(record, 0, {
      status,
      fields,
      bytes,
      text: bytes.toString('utf8'),
      secrets: [],
    })
    evidence.exchanges.push(Object.assign(record, { durationMs }))
  }
  const judged = new Set(all.map(({ exchange }) => exchange.id)).size
  const ending = { interrupted: false, outOfMemory: false, internalErrors: [] }
  const { report, ...others } = buildReport(evidence, settings, found, ending, asOf)
  for (const service of Object.values(report.target)) service.source = 'recording'
  report.run.recording = {
    entries: entries.length,
    judged,
    withoutResponse: entries.length - responded.length,
  }
  for (const { requirement, verdict } of report.results) {
    if (requirements.some((one) => one.id === requirement && isTestable(one)))
      progress.add({ requirement, verdict })
  }
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
