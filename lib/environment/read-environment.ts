import { resolve } from 'node:path'
import { parse } from 'dotenv'
import { isMissing, readBounded, readingProblem } from '../text/read-file.ts'
import { codeOf } from '../text/system-reason.ts'
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

/** An assignment of a text in quotes, as dotenv reads it. */
const QUOTED =
  /^(\s*(?:export\s+)?[\w.-]+\s*[=:][^\S\n]*)('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`)(?=[^\S\n]*(?:#.*)?$)/gm

/** A further assignment within quotes. */
const SWALLOWED = /\n\s*(?:export\s+)?[A-Z][A-Z0-9_]+=/

/** Lines that dotenv ignores, or reads in another way than they look. */
const lineRules: readonly (readonly [wrong: RegExp, message: string])[] = [
  [
    /^(?!\s*(?:export\s+)?[\w.-]+(?:\s*=|:\s))/,
    'is not of the form NAME=value: correct it, or put a # before it',
  ],
  [/^[^=:]*[=:]\s*[^\s#'"`][^#]*(?<!\s)#/, 'has a # in the value of NAME: put the value in quotes'],
  [
    /^[^=:]*[=:]\s*(['"`])(?!.*\1\s*(?:#.*)?$)/,
    'has a quote without an end, in the value of NAME: close it, or put other quotes around the value',
  ],
]

/** Returns the variables of an environment file, and a message for each line that breaks a rule. */
function readLines(text: string) {
  const content = text.replaceAll(/\r\n?/g, '\n')
  const variables = parse(content)
  // Further lines of a value are not variables.
  const lines = content.replace(QUOTED, (_, start: string, quoted: string) => {
    const quotes = SWALLOWED.test(quoted) ? '"' : '""'
    return start + quotes + quoted.replace(/[^\n]/g, '')
  })
  const messages = lines.split('\n').flatMap((line, index) => {
    if (/^\s*(?:#|$)/.test(line)) return []
    const [, message] = lineRules.find(([wrong]) => wrong.test(line)) ?? []
    if (message === undefined) return []
    const [name = ''] = /[\w.-]+(?=\s*[=:])/.exec(line) ?? []
    delete variables[name]
    return `line ${index + 1} ${message.replace(' NAME:', ` ${name}:`)}`
  })
  const more = messages.splice(MAX_REPORTED_LINES).length
  return { variables, messages: more > 0 ? [...messages, `has ${more} more such lines`] : messages }
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
  const messages: string[] = []
  try {
    // A file in another encoding would silently yield no variables.
    const bytes = readBounded(resolve(directory, envFile ?? '.env'))
    const read = readLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    add(read.variables, variable)
    messages.push(...read.messages)
  } catch (error) {
    if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      messages.push('is not UTF-8 text: save the file in that encoding')
    else if (envFile !== undefined || !isMissing(error)) {
      const advice = 'name a readable file with lines of the form NAME=value'
      messages.push(
        `${readingProblem(error)}: ${advice}; its path is relative to the working directory`,
      )
    }
  }
  const name = envFile === undefined ? '' : `${envFile} `
  const problems = messages.map((text): Problem => ({ variable, message: `${name}${text}` }))
  return { settings, problems }
}

/** Returns a line of an environment file. dotenv has no escapes: the value is in quotes that it does not contain. */
export function environmentLine(name: string, value: string): string {
  if (/^[\w./:{}-]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${name}=${quote}${value}${quote}`
}
