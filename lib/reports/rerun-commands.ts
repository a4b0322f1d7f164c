import { dirname } from 'node:path'
import { curlCommand, PASSPHRASE } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange.ts'
import type { LeakedResource, OpenLedger, RunReport } from '../results/run-report.ts'
import { joinNames } from '../text/names.ts'
import { counted } from '../text/quantities.ts'
import { commandOf, hasEnded } from './report-text.ts'

/** How a run was started: its program, and options such as `--env-file`. */
type Start = Pick<RunReport['run'], 'options' | 'program'>

/** Returns a command that checks requirements again with the options of the run. @param requirements ids, or sections with their service */
export const runCommand = (
  requirements: readonly string[],
  { run }: Pick<RunReport, 'run'>,
): string => commandOf(['run', '--requirement', ...requirements, ...run.options], run)

/** Returns the option that names the environment file of a run, if any. */
export function environmentOption({ options }: Pick<Start, 'options'>): readonly string[] {
  const at = options.indexOf('--env-file')
  return at < 0 ? [] : options.slice(at, at + 2)
}

/** Returns the command that deletes the resources in the ledgers of a folder, with the variables of the run. */
export const sweepCommand = (folder: string, start: Start) =>
  commandOf(['sweep', '--reports', folder, ...environmentOption(start)], start)

export function sweepAdvice(resources: readonly LeakedResource[], run: RunReport['run']): string {
  const variables = [...new Set(resources.flatMap(({ deletedBy }) => deletedBy ?? []))]
  const setting = variables.length === 0 ? '' : ` (if ${variables.join(', ')} is set)`
  const command = sweepCommand(run.reports ?? 'reports', run)
  return `Run "${command}" to delete them with the ledger in the reports directory${setting}, or delete them by hand.`
}

/** Returns a sentence on the ledgers of earlier runs, with the command that deletes their resources. */
export function openLedgerTexts(ledgers: readonly OpenLedger[], run: Start): string[] {
  const [first] = ledgers
  if (first === undefined) return []
  const resources = ledgers.reduce((sum, one) => sum + one.resources, 0)
  const files = ledgers.map(({ file }) => file).join(', ')
  const command = sweepCommand(dirname(first.file), run)
  return [
    `${counted(resources, 'resource')} of earlier runs may still exist (${files}): run "${command}" to delete them.`,
  ]
}

type Repeatable = Pick<RunReport, 'settings' | 'exchanges'>

const sourceOf = (secret: string, { exchanges }: Repeatable) =>
  exchanges.find(
    ({ response, secrets }) => (response?.status ?? 500) < 300 && secrets?.includes(secret),
  )

/** Returns the requests that create the secrets (`names`) that an exchange and they use, in the order to send them. */
export function creationsFor(exchange: ExchangeRecord, report: Repeatable) {
  const found = new Map<ExchangeRecord, string[]>()
  const add = ({ request }: ExchangeRecord): void => {
    for (const name of request.secrets ?? []) {
      const source = sourceOf(name, report)
      const names = (source && found.get(source)) ?? []
      if (source === undefined || names.includes(name)) continue
      found.set(source, [...names, name])
      if (names.length === 0) add(source)
    }
  }
  add(exchange)
  return report.exchanges.flatMap((one) => {
    const names = found.get(one)
    return names === undefined ? [] : { names, exchange: one }
  })
}

/** Returns the commands that send a request again, after commands that create what it uses, each with what it does. */
export function commandsFor(exchange: ExchangeRecord, report: RunReport) {
  if (hasEnded(report)) return []
  return [...creationsFor(exchange, report), { names: [], exchange }].map(({ names, exchange }) => {
    const created = joinNames(names.map((name) => `$${name}`))
    const label =
      created === '' ? `Repeat ${exchange.id} with:` : `Set ${created} to what this returns:`
    return { label, command: curlCommand(exchange, report.settings) }
  })
}

/** Returns `Set before: $A, $B.`: the variables that the commands for exchanges do not set themselves. */
export function variablesText(repeated: readonly ExchangeRecord[], report: Repeatable) {
  const creations = repeated.flatMap((one) => creationsFor(one, report))
  const sent = [...repeated, ...creations.map(({ exchange }) => exchange)]
  const used = new Set(sent.flatMap(({ request }) => request.secrets ?? []))
  const isTls = sent.some(({ request }) => request.url.startsWith('https:'))
  if (isTls && Object.hasOwn(report.settings, PASSPHRASE)) used.add(PASSPHRASE)
  const unset = [...used].filter((name) => sourceOf(name, report) === undefined)
  return unset.length === 0
    ? undefined
    : `Set before: ${unset.map((name) => `$${name}`).join(', ')}.`
}
