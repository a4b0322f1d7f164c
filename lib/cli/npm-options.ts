import type { Command } from 'commander'
import { printableSentence } from '../reports/printable.ts'
import { joinNames } from '../target/problems.ts'
import { invocation, isStartedByNpm, shellArgument } from './invocation.ts'
import { UsageError } from './usage-error.ts'

/** Those are npm's own as well, and it sets some of them always. */
const npmsOwn = ['link', 'prefix', 'version', 'yes']

/**
 * Of `npm start --fault NAME`, without two dashes in front, a command gets `NAME` alone, and of
 * `npm start --pin` nothing at all: it would do something else than its user has asked for. npm tells
 * of an option that it took as `npm_config_<name>`.
 *
 * @param words of the command line, behind the name of the command
 * @throws UsageError that tells how to write it
 */
export function refuseOptionsTakenByNpm(
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  if (!isStartedByNpm(environment)) return
  const taken = command.options.flatMap((option) => {
    const { long, negate } = option
    const name = option.name().replace(negate ? /^no-/ : '', '')
    const value = environment[`npm_config_${name.replaceAll('-', '_')}`]
    // Empty is what npm makes of an option with `no-` in front.
    if (long == null || npmsOwn.includes(name) || value === undefined) return []
    if ((value === '') !== negate || words.some((word) => word.split('=')[0] === long)) return []
    return [value === '' || value === 'true' ? long : `${long} ${shellArgument(value)}`]
  })
  if (taken.length === 0) return
  const names = joinNames(taken.map((option) => option.split(' ')[0] ?? option))
  const line = [invocation(command.name(), environment), ...taken, ...words.map(shellArgument)]
  throw new UsageError(
    `npm took ${names} for ${taken.length === 1 ? 'an option' : 'options'} of its own. ` +
      'What is meant for Plumbline stands behind two dashes:\n' +
      `  ${printableSentence(line.join(' '))}`,
  )
}
