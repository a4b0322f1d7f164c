import type { RunReport } from '../conformance/result.ts'
import { commandVariables, curlCommand, shellArgument } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'

/**
 * A command that judges requirements again, with the options of the run that matter to them. It leaves
 * the reports of the run in place.
 *
 * @param requirements ids, or sections with their service
 */
export function runCommand(
  requirements: readonly string[],
  { run }: Pick<RunReport, 'run'>,
): string {
  const { options = ['--reports', 'reports/again'] } = run
  const words = ['plumbline', 'run', '--requirement', ...requirements, ...options]
  return words.map((text) => (/^[\w./:@=-]+$/.test(text) ? text : shellArgument(text))).join(' ')
}

/**
 * Returns the variables that the commands of these exchanges expand: those that `told` names are in the
 * response to a request of the run, which can be made again. That may need others, which are among the
 * `given`.
 */
export function variablesOf(
  repeated: readonly ExchangeRecord[],
  { settings = {}, exchanges }: Pick<RunReport, 'settings' | 'exchanges'>,
) {
  const namesIn = (some: readonly ExchangeRecord[]) => [...new Set(some.flatMap(commandVariables))]
  const told = namesIn(repeated).flatMap((name) => {
    const exchange = exchanges.find(
      ({ response, secrets }) => (response?.status ?? 500) < 300 && secrets?.includes(name),
    )
    return exchange === undefined ? [] : [{ name, exchange, command: curlCommand(exchange) }]
  })
  const rest = namesIn([...repeated, ...told.map(({ exchange }) => exchange)])
  const made = 'which the run made for itself: take one of your own of the same kind'
  const given = [true, false].flatMap((isSet) => {
    const names = rest.filter(
      (name) => Object.hasOwn(settings, name) === isSet && !told.some((one) => one.name === name),
    )
    return names.length === 0 ? [] : [{ names, text: isSet ? 'as it was for the run' : made }]
  })
  return { told, given }
}
