import { curlCommand, PASSPHRASE, shellWord } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { RunReport } from '../results/run-report.ts'
import { formatCommand } from './format.ts'

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
