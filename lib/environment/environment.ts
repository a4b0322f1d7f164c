import { resolve } from 'node:path'
import { parse } from 'dotenv'
import { joinNames } from '../text/names.ts'
import { isMissing, readBounded, readingProblem } from '../text/read-file.ts'
import { proxyPasswords, proxyVariables, readProxies, readTls } from './connections.ts'
import { probeVariables, type Target } from './probe-variables.ts'
import { baseUrlOf, type Configuration, findProblems } from './rules.ts'
import {
  isVariable,
  type Problem,
  type Secret,
  type SetText,
  type SetTexts,
  type VariableGroup,
  type VariableTable,
  variablesOf,
} from './variable.ts'

export interface EnvironmentOptions {
  environment: NodeJS.ProcessEnv
  /** Path of an environment file, relative to `directory`; default: `.env`. */
  envFile?: string
  directory: string
  /** Purposes of variables that must be set. */
  required?: Readonly<Record<string, string>> | undefined
}

export const isJob = ({ CI = '' }: NodeJS.ProcessEnv) => !/^(?:|0|false)$/i.test(CI.trim())

/** Maximum number of reported lines; a file of another kind has no valid line. */
const MAX_REPORTED_LINES = 10

/** A comment, or an assignment whose value dotenv reads as it looks. */
const VALID_LINE =
  /^\s*(?:(?:export\s+)?[\w.-]+(?:\s*=|:\s)\s*(?:(?:(['"`]).*\1\s*)?(?:#.*)?|[^\s#'"`][^#]*(?:(?<=\s)#.*)?)|(?:#.*)?)$/

/** Returns the variables of an environment file, and the problem of its other lines. */
function readLines(text: string) {
  const lines = text.split(/\r\n?|\n/)
  const isValid = (line: string) => VALID_LINE.test(line)
  const numbers = lines.flatMap((line, index) => (isValid(line) ? [] : String(index + 1)))
  const named = joinNames(numbers.slice(0, MAX_REPORTED_LINES))
  const problem =
    `${numbers.length === 1 ? `line ${named} is` : `lines ${named} are`} not of the form NAME=value, with quotes around a value that has quotes or #: ` +
    'correct that, or put a # before it'
  const variables = parse(lines.filter(isValid).join('\n'))
  return { variables, problem: numbers.length > 0 ? problem : undefined }
}

/** Reads the process environment, then the file, whose problems may hide variables. A missing `.env` is not a problem. */
function readEnvironment({ environment, envFile, directory }: EnvironmentOptions) {
  const settings: SetTexts = new Map()
  const add = (texts: Readonly<Record<string, string | undefined>>, source: SetText['source']) => {
    const earlierNames = new Set(settings.keys())
    for (const [name, text = ''] of Object.entries(texts)) {
      // HTTPS_PROXY of the process takes precedence over https_proxy in a file.
      const spellings = Object.values(proxyVariables).find((all) => all.includes(name)) ?? [name]
      const isSet = spellings.some((spelling) => earlierNames.has(spelling))
      if (text.trim() !== '' && !isSet) settings.set(name, { text, source })
    }
  }

  add(environment, 'process')
  const variable: SetText['source'] = envFile === undefined ? '.env' : '--env-file'
  let problem: string | undefined
  try {
    // A file in another encoding would silently yield no variables.
    const bytes = readBounded(resolve(directory, envFile ?? '.env'))
    const read = readLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    add(read.variables, variable)
    problem = read.problem
  } catch (error) {
    const advice = 'name a file of UTF-8 text, relative to the working directory'
    if (envFile !== undefined || !isMissing(error)) problem = `${readingProblem(error)}: ${advice}`
  }
  const message = `${envFile === undefined ? '' : `${envFile} `}${problem}`
  const problems: Problem[] = problem === undefined ? [] : [{ variable, message }]
  return { settings, problems }
}

/** Effective configuration of a run by variable name, including defaults. `$NAME` replaces a secret; base URLs are only in the target. */
export type Settings = Record<string, string | number | boolean>

export interface ConfiguredTarget {
  target: Target
  /** All configured secrets, including passwords in proxy URLs. */
  secrets: Secret[]
  /** Configuration of the probe and of each configured service, by group key. */
  settings: Record<string, Settings>
}

export type LoadedTarget = ConfiguredTarget | { problems: Problem[] }

/** Returns the values of a table by key; those of one object only if all are set. */
function assemble(table: VariableTable, values: ReadonlyMap<string, unknown>): object {
  const entries = Object.entries(table).flatMap(([key, part]) => {
    if (isVariable(part)) return values.has(part.name) ? [[key, values.get(part.name)]] : []
    const members = assemble(part, values)
    return Object.keys(members).length === Object.keys(part).length ? [[key, members]] : []
  })
  return Object.fromEntries(entries)
}

/** Returns the target of a valid configuration, its secrets, and its settings without them. */
function toTarget(
  { settings, probed, proxies }: Configuration,
  tls?: ReturnType<typeof readTls>['tls'],
) {
  const hidesBodies = settings.get('PROBE_EVIDENCE')?.text === 'headers'
  const target: Record<string, object> = {}
  const shown: Record<string, Settings> = {}
  const secrets: Secret[] = []
  for (const group of [...probed, probeVariables]) {
    const values = new Map<string, unknown>()
    const own: Record<string, unknown> = {}
    for (const { name, format, secret, default: fallback } of variablesOf(group.table)) {
      const text = settings.get(name)?.text
      const value = text === undefined ? fallback : format.read(text)
      if (value === undefined) continue
      values.set(name, value)
      if (secret) secrets.push(...(format.secretsIn?.(value) ?? [{ name, value: String(value) }]))
      const isHidden = secret || (format.inBodies && hidesBodies)
      if (isHidden) own[name] = format.redact?.(value) ?? `$${name}`
      else if (name !== baseUrlOf(group)) own[name] = typeof value === 'object' ? text : value
    }
    target[group.key] = assemble(group.table, values)
    shown[group.key] = own as Settings
  }
  for (const scheme of ['https', 'http'] as const) {
    const name = `${scheme.toUpperCase()}_PROXY`
    secrets.push(...proxyPasswords(proxies[scheme]).map((value) => ({ name, value })))
  }
  const probe = { ...target.probe, proxy: proxies, ...(tls && { tls }) }
  return { target: { ...target, probe } as Target, secrets, settings: shown }
}

export function createEnvironment(services: readonly VariableGroup[]) {
  const groups = [...services, probeVariables]
  const variables = groups.flatMap(({ table }) => variablesOf(table))
  const byName = new Map(variables.map((variable) => [variable.name, variable]))

  /** Returns a problem if a .env, which a pull request could contain, completes what the process of a job sets. */
  function findUnnamedFile(settings: SetTexts): Problem[] {
    const own = [...settings].filter(([name]) => byName.has(name))
    const isSent = (name: string) =>
      !name.startsWith(probeVariables.prefix) || byName.get(name)?.secret === true
    const names = own.flatMap(([name, { source }]) => (source === 'process' ? name : []))
    const sent = names.filter(isSent)
    if (sent.length === 0 || !own.some(([, { source }]) => source === '.env')) return []
    const message =
      `has variables, CI is set, and the process sets ${joinNames(sent)}: ` +
      'name the file with --env-file .env if it is meant, or delete it'
    return [{ variable: '.env', message }]
  }

  return {
    variables,

    /** Returns the target, or all problems: the file first, then in the order of the tables. */
    loadTarget(options: EnvironmentOptions): LoadedTarget {
      const { settings, problems: fileProblems } = readEnvironment(options)
      for (const [name, set] of settings) {
        // Surrounding whitespace may belong to a password; elsewhere it is an error of pasting.
        if (!byName.get(name)?.secret) set.text = set.text.trim()
      }
      const { proxies, problems: proxyProblems } = readProxies(settings)
      const configuration = {
        settings,
        probed: services.filter((group) => settings.has(baseUrlOf(group))),
        isComplete: fileProblems.length === 0,
        required: options.required ?? {},
        proxies,
      }
      const problems = [
        ...fileProblems,
        ...groups.flatMap((group) => findProblems(group, configuration)),
        ...proxyProblems,
        ...(isJob(options.environment) ? findUnnamedFile(settings) : []),
      ]
      // Files are read only for valid values.
      if (problems.some(({ variable }) => variable.startsWith('PROBE_TLS_'))) return { problems }
      const { tls, problems: tlsProblems } = readTls(settings, options.directory)
      problems.push(...tlsProblems)
      return problems.length > 0 ? { problems } : toTarget(configuration, tls)
    },
  }
}
