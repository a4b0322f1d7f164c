import { basename, delimiter, dirname, isAbsolute, relative } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { shellWord } from '../probe/curl.ts'
import { NPM_SCRIPT } from '../reports/format.ts'

function pathFrom(directory: string, path: string): string {
  const short = relative(directory, path)
  return shellWord(short.startsWith('..') || isAbsolute(short) ? path : short)
}

/**
 * Returns the command that starts Plumbline again in the same way, from the same directory.
 *
 * @param script path of the started file, the second element of `process.argv`
 */
export function programOf(
  { npm_lifecycle_event: event = '', npm_package_name: owner, PATH = '' }: NodeJS.ProcessEnv,
  script: string,
  directory: string,
): string {
  const name = basename(script)
  // Vitest, whose configuration only a checkout has.
  if (!name.startsWith(packageJson.name)) return NPM_SCRIPT
  // A script of another package may add options.
  if (owner === packageJson.name && ['start', 'plumbline'].includes(event)) return NPM_SCRIPT
  // The dashes keep options from Node.js, which reads --env-file too.
  if (event === 'npx') return `npx -- ${packageJson.name}`
  if (name.endsWith('.js')) return `node -- ${pathFrom(directory, script)}`
  const isOnPath = PATH.split(delimiter).includes(dirname(script))
  return isOnPath ? packageJson.name : pathFrom(directory, script)
}
