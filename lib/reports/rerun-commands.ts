import { dirname } from 'node:path'
import { curlCommand, PASSPHRASE, shellWord } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { LeakedResource, OpenLedger, RunReport } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { joinNames } from '../text/names.ts'
import { counted } from '../text/quantities.ts'
import type { RepeatCommand } from './document.ts'
import { formatCommand, hasEnded } from './report-text.ts'

/**
 * Returns a command that checks requirements again with the relevant options of the run. It writes to
 * another reports folder.
 *
 * @param requirements ids, or sections with their service
 */
export function runCommand(
  requirements: readonly string[],
  { run }: Pick<RunReport, 'run'>,
): string {
  const args = ['run', '--requirement', ...requirements, ...run.options].map(shellWord)
  return formatCommand(args.join(' '), run.program)
}

/** How a run was started: its program, and options such as `--env-file`. */
type Start = Pick<RunReport['run'], 'options' | 'program'>

/** Returns the command that deletes the resources in the ledgers of a folder, with the variables of the run. */
export function sweepCommand(folder: string, { options, program }: Start): string {
  const at = options.indexOf('--env-file')
  const envFile = at < 0 ? [] : options.slice(at, at + 2)
  const args = ['sweep', '--reports', folder, ...envFile].map(shellWord)
  return formatCommand(args.join(' '), program)
}

export function sweepAdvice(resources: readonly LeakedResource[], run: RunReport['run']): string {
  const variables = [...new Set(resources.flatMap(({ deletedBy }) => deletedBy ?? []))]
  const setting = variables.length === 0 ? '' : ` (if ${variables.join(', ')} is set)`
  const meaning = resources.some(({ unconfirmed }) => unconfirmed)
    ? 'Resources that may exist were requested, but no response confirmed their creation. '
    : ''
  const command = sweepCommand(run.reports ?? 'reports', run)
  return `${meaning}Run "${command}" to delete them with the ledger in the reports directory${setting}, or delete them by hand.`
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

/** Prefixes of variables that hold invented values. */
const INVENTED = /^(?:UNKNOWN|WRONG)_/

type Repeatable = Pick<RunReport, 'settings' | 'exchanges'>

/** A request whose response contains secrets, by the names of those that another request uses. */
interface Creation {
  names: string[]
  exchange: ExchangeRecord
}

/** Returns the requests that create what an exchange uses, and what they use themselves, in the order to send them. */
export function creationsFor(exchange: ExchangeRecord, report: Repeatable): Creation[] {
  const found = new Map<ExchangeRecord, string[]>()
  const add = (record: ExchangeRecord): void => {
    for (const name of record.request.secrets ?? []) {
      const source = report.exchanges.find(
        ({ response, secrets }) => (response?.status ?? 500) < 300 && secrets?.includes(name),
      )
      if (source === undefined) continue
      const names = found.get(source) ?? []
      if (!names.includes(name)) names.push(name)
      if (names.length > 1) continue
      found.set(source, names)
      add(source)
    }
  }
  add(exchange)
  const number = ({ exchange: { id } }: Creation) => Number(id.slice(1))
  const creations = Array.from(found, ([exchange, names]) => ({ names, exchange }))
  return creations.sort((one, other) => number(one) - number(other))
}

/** Returns the commands that send a request again, after those that create what it uses. */
export function commandsFor(exchange: ExchangeRecord, report: RunReport): RepeatCommand[] {
  if (hasEnded(report)) return []
  const all = [...creationsFor(exchange, report), { names: [], exchange }]
  return all.map(({ names, exchange }) => {
    return { creates: names, command: curlCommand(exchange, report.settings) }
  })
}

/** Returns `Create $ALL_TOKEN with:`. */
export const creationText = (names: readonly string[]) =>
  `Create ${joinNames(names.map((name) => `$${name}`))} with:`

interface RequiredVariables {
  names: string[]
  /** Origin of their values. */
  text: string
}

/** Returns the variables that commands expand and that no other command creates, by the origin of their values. */
export function requiredVariables(
  repeated: readonly ExchangeRecord[],
  report: Repeatable,
): RequiredVariables[] {
  const { settings } = report
  const creations = repeated.flatMap((exchange) => creationsFor(exchange, report))
  const created = creations.flatMap(({ names }) => names)
  const all = [...repeated, ...creations.map(({ exchange }) => exchange)]
  const isTls = all.some(({ request }) => request.url.startsWith('https:'))
  const used = new Set(all.flatMap(({ request }) => request.secrets ?? []))
  if (isTls && Object.hasOwn(settings, PASSPHRASE)) used.add(PASSPHRASE)
  const originOf = (name: string) => {
    const isHeader = String(settings.PROBE_HEADERS).includes(`"$${name}"`)
    if (isHeader || Object.hasOwn(settings, name)) return 'with the value of the run'
    return INVENTED.test(name)
      ? 'invented by the run: use any value that the service has not issued'
      : 'created by the run: use a value of the same kind'
  }
  const others = [...used].filter((name) => !created.includes(name))
  return Array.from(groupBy(others, originOf), ([text, names]) => ({ text, names }))
}

/** Returns `Set before: $A, $B, with the value of the run.`; undefined without variables. */
export function variablesText(variables: readonly RequiredVariables[]): string | undefined {
  const parts = variables.map(({ names, text }) => {
    return `${names.map((name) => `$${name}`).join(', ')}, ${text}`
  })
  return parts.length === 0 ? undefined : `Set before: ${parts.join('; ')}.`
}
