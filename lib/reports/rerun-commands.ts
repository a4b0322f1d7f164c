import { dirname } from 'node:path'
import { curlCommand, PASSPHRASE, shellWord } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { LeakedResource, OpenLedger, RunReport } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { counted } from '../text/quantities.ts'
import { formatCommand } from './report-text.ts'

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

/** Returns a sentence for each folder with ledgers of earlier runs, with the command that deletes their resources. */
export function openLedgerTexts(ledgers: readonly OpenLedger[], run: Start): string[] {
  return [...groupBy(ledgers, ({ file }) => dirname(file))].map(([folder, members]) => {
    const count = members.reduce((sum, { resources }) => sum + resources, 0)
    const [{ file }] = members
    const others = members.length === 1 ? ' lists' : ` and ${members.length - 1} more list`
    const listed = `${counted(count, 'resource')} of ${members.length === 1 ? 'an earlier run' : 'earlier runs'}`
    return `${file}${others} ${listed} that may still exist: run "${sweepCommand(folder, run)}" to delete them.`
  })
}

/** Prefixes of variables that hold invented values. */
const INVENTED = /^(?:UNKNOWN|WRONG)_/

/**
 * Returns the variables that the commands of these exchanges expand: `obtainableSecrets` with the command
 * whose response contains each, and `requiredVariables` with a text on their values.
 */
export function shellVariablesIn(
  repeated: readonly ExchangeRecord[],
  { settings, exchanges }: Pick<RunReport, 'settings' | 'exchanges'>,
) {
  const namesIn = (records: readonly ExchangeRecord[]) => [
    ...new Set(records.flatMap(({ request }) => request.secrets ?? [])),
  ]
  const obtainableSecrets = namesIn(repeated).flatMap((name) => {
    const exchange = exchanges.find(
      ({ response, secrets }) => (response?.status ?? 500) < 300 && secrets?.includes(name),
    )
    return exchange === undefined
      ? []
      : [{ name, exchange, command: curlCommand(exchange, settings) }]
  })
  const all = [...repeated, ...obtainableSecrets.map(({ exchange }) => exchange)]
  const isTls = all.some(({ request }) => request.url.startsWith('https:'))
  const names = [
    ...namesIn(all),
    ...(isTls && Object.hasOwn(settings, PASSPHRASE) ? [PASSPHRASE] : []),
  ]
  const sourceOf = (name: string) => {
    const isHeader = String(settings.PROBE_HEADERS).includes(`"$${name}"`)
    if (isHeader || Object.hasOwn(settings, name)) return 'with the value of the run'
    return INVENTED.test(name)
      ? 'invented by the run: use any value that the service has not issued'
      : 'created by the run: use a value of the same kind'
  }
  const others = names.filter((name) => !obtainableSecrets.some((one) => one.name === name))
  const requiredVariables = [...new Set(others.map(sourceOf))].map((text) => {
    return { text, names: others.filter((name) => sourceOf(name) === text) }
  })
  return { obtainableSecrets, requiredVariables }
}
