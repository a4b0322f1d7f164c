/** Characters that no shell reads as its own. */
const plain = /^[\w./:=@%+,-]+$/

/** One argument as a POSIX shell takes it. */
export function shellArgument(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Whether npm has started the process: it keeps to itself what it takes for options of its own. */
export function isStartedByNpm({
  npm_lifecycle_event: script,
  npm_config_user_agent: agent = 'npm/',
}: NodeJS.ProcessEnv): boolean {
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
  const called = script === 'start' ? 'npm start --' : `npm run ${shellArgument(script)} --`
  // The script may name the command itself, as that of `npm start` does.
  const named = npm_lifecycle_script?.trim().split(/\s+/).includes(command) ?? false
  return named ? called : `${called} ${command}`
}
