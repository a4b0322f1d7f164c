import { resolve } from 'node:path'
import { parse } from 'dotenv'
import { joinNames } from '../text/names.ts'
import { isMissing, readBounded, readingProblem } from '../text/read-file.ts'
import type { Problem, SetTexts, Source } from './errors.ts'
import { proxyVariables } from './proxies.ts'

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
    `line ${named} is not of the form NAME=value, with quotes around a value that has quotes or #: ` +
    'correct it, or put a # before it'
  const variables = parse(lines.filter(isValid).join('\n'))
  return { variables, problem: numbers.length > 0 ? problem : undefined }
}

/** Reads the process environment, then the file, whose problems may hide variables. A missing `.env` is not a problem. */
export function readEnvironment({ environment, envFile, directory }: EnvironmentOptions) {
  const settings: SetTexts = new Map()
  const add = (texts: Readonly<Record<string, string | undefined>>, source: Source) => {
    const earlierNames = new Set(settings.keys())
    for (const [name, text = ''] of Object.entries(texts)) {
      // HTTPS_PROXY of the process takes precedence over https_proxy in a file.
      const spellings = Object.values(proxyVariables).find((all) => all.includes(name)) ?? [name]
      const isSet = spellings.some((spelling) => earlierNames.has(spelling))
      if (text.trim() !== '' && !isSet) settings.set(name, { text, source })
    }
  }

  add(environment, 'process')
  const variable: Source = envFile === undefined ? '.env' : '--env-file'
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

/** Returns a line of an environment file. dotenv has no escapes: the value is in quotes that it does not contain. */
export function environmentLine(name: string, value: string): string {
  if (/^[\w./:{}-]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${name}=${quote}${value}${quote}`
}
