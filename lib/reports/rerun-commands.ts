import { curlCommand, shellArgument } from '../probe/curl.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { RunReport } from '../results/run-report.ts'

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

/** Names of values that no service knows. */
const INVENTED = /^(?:UNKNOWN|WRONG)_/

/**
 * Returns the variables that the commands of these exchanges expand: those that `told` names are in the
 * response to a request of the run, which can be made again. That may need others, which are among the
 * `given`.
 */
export function variablesOf(
  repeated: readonly ExchangeRecord[],
  { settings = {}, exchanges }: Pick<RunReport, 'settings' | 'exchanges'>,
) {
  const namesIn = (some: readonly ExchangeRecord[]) => [
    ...new Set(some.flatMap(({ request }) => request.secrets ?? [])),
  ]
  const told = namesIn(repeated).flatMap((name) => {
    const exchange = exchanges.find(
      ({ response, secrets }) => (response?.status ?? 500) < 300 && secrets?.includes(name),
    )
    return exchange === undefined ? [] : [{ name, exchange, command: curlCommand(exchange) }]
  })
  const rest = namesIn([...repeated, ...told.map(({ exchange }) => exchange)])
  const sourceOf = (name: string) => {
    if (Object.hasOwn(settings, name)) return 'as it was for the run'
    return INVENTED.test(name)
      ? 'which the run invented: take any value that the service has not issued'
      : 'which the run made for itself: take one of your own of the same kind'
  }
  const others = rest.filter((name) => !told.some((one) => one.name === name))
  const given = [...new Set(others.map(sourceOf))].map((text) => {
    return { text, names: others.filter((name) => sourceOf(name) === text) }
  })
  return { told, given }
}
