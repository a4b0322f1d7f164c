// Sources of variables: a file in the working directory may belong to another person than the environment of the process.

import { joinNames } from '../text/names.ts'
import type { Problem, Source } from './errors.ts'
import type { SetTexts } from './read-environment.ts'
import type { VariableGroup } from './variable.ts'

/** Variables of a service that the process sets, while others of it are in a file. */
export interface MixedSources {
  fromProcess: string[]
  file: Source
}

/** @param names variables that concern one service */
export function findMixedSources(
  names: readonly string[],
  settings: SetTexts,
): MixedSources | undefined {
  const fromProcess = names.filter((name) => settings.get(name)?.source === 'process')
  const sources = names.flatMap((name) => settings.get(name)?.source ?? [])
  const file = sources.find((source) => source !== 'process')
  return file === undefined || fromProcess.length === 0 ? undefined : { fromProcess, file }
}

/**
 * Returns a problem if a .env, which a pull request could contain, completes what the process of a job sets.
 *
 * @param isSent returns true for a variable that concerns a service
 */
export function findUnnamedFile(
  groups: readonly VariableGroup[],
  isSent: (name: string) => boolean,
  settings: SetTexts,
): Problem[] {
  const names = [...settings.keys()].filter((name) =>
    groups.some(({ prefix }) => name.startsWith(prefix)),
  )
  const from = (source: Source) => names.filter((name) => settings.get(name)?.source === source)
  const sent = from('process').filter(isSent)
  if (sent.length === 0 || from('.env').length === 0) return []
  const message =
    `has variables, CI is set, and the process sets ${joinNames(sent)}: ` +
    'name the file with --env-file .env if it is meant, or delete it'
  return [{ variable: '.env', message }]
}
