import type { RunReport } from '../conformance/result.ts'
import { curlCommand, secretVariable, shellArgument } from '../probe/curl.ts'

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
 * The variables that whoever runs a command has to set before: those that `told` names are in the response
 * to a request of the run, which can be made again. That may need others, which are among the `given`.
 */
export function variablesOf(
  command: string,
  { settings = {}, exchanges }: Pick<RunReport, 'settings' | 'exchanges'>,
) {
  const namesIn = (...commands: string[]) => {
    const found = commands.flatMap((text) => [...text.matchAll(secretVariable)])
    return [...new Set(found.map(([, name = '']) => name))]
  }
  const told = namesIn(command).flatMap((name) => {
    const exchange = exchanges.find(
      ({ response, secrets }) => (response?.status ?? 500) < 300 && secrets?.includes(name),
    )
    return exchange === undefined ? [] : [{ name, exchange, command: curlCommand(exchange) }]
  })
  const rest = namesIn(command, ...told.map((one) => one.command))
  const made = 'which the run made for itself: take one of your own of the same kind'
  const given = [true, false].flatMap((isSet) => {
    const names = rest.filter(
      (name) => Object.hasOwn(settings, name) === isSet && !told.some((one) => one.name === name),
    )
    return names.length === 0 ? [] : [{ names, text: isSet ? 'as it was for the run' : made }]
  })
  return { told, given }
}
