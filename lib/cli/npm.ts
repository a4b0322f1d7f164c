import type { Command } from 'commander'
import { joinNames } from '../environment/problems.ts'
import { printableSentence } from '../reports/printable.ts'
import { UsageError } from './context.ts'

/** These are options of npm as well, and it sets some of them always. */
const npmsOwn = ['link', 'prefix', 'version', 'yes']

/** One argument as a POSIX shell takes it. */
export function shellArgument(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Other package managers hand on every option. */
function isStartedByNpm(environment: NodeJS.ProcessEnv): boolean {
  const { npm_lifecycle_event: script, npm_config_user_agent: agent = 'npm/' } = environment
  return script !== undefined && agent.startsWith('npm/')
}

/**
 * How a person writes a command so that its arguments reach it: `npm start --` for `run`,
 * `plumbline run` where npm has no part in it. Arguments follow after a space.
 */
export function invocation(command: string, environment: NodeJS.ProcessEnv): string {
  if (!isStartedByNpm(environment)) return `plumbline ${command}`
  const { npm_command, npm_lifecycle_event: script = '', npm_lifecycle_script } = environment
  if (npm_command === 'exec') return `npm exec -- plumbline ${command}`
  const called = script === 'start' ? 'npm start --' : `npm run ${script} --`
  // The script may name the command itself, as that of `npm start` does.
  const named = npm_lifecycle_script?.trim().split(/\s+/).includes(command) ?? false
  return named ? called : `${called} ${command}`
}

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
    `npm took ${names} for its own. What is meant for Plumbline stands behind two dashes:\n` +
      `  ${printableSentence(line.join(' '))}`,
  )
}
