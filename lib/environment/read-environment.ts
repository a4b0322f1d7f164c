import { resolve } from 'node:path'
import { unescape as decodePercent } from 'node:querystring'
import { parse } from 'dotenv'
import { isMissing, readBounded, readingProblem } from '../text/read-file.ts'
import { codeOf } from '../text/system-reason.ts'
import type { Problem, Source } from './errors.ts'
import type { Rule } from './variable.ts'

export interface EnvironmentOptions {
  environment: NodeJS.ProcessEnv
  /** Path of an environment file, relative to `directory`; default: `.env`. */
  envFile?: string
  directory: string
  /** Purposes of variables that must be set. */
  required?: Readonly<Record<string, string>> | undefined
}

/** Names by scheme. The name in lower case takes precedence, as in curl. */
export const proxyVariables = {
  http: ['http_proxy', 'HTTP_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY'],
  no: ['no_proxy', 'NO_PROXY'],
} as const

export const PROXY_IN_FILE =
  'must not be set in .env: set it in the process environment, or name the file with --env-file'

export const isJob = ({ CI = '' }: NodeJS.ProcessEnv) => !/^(?:|0|false)$/i.test(CI.trim())

export type SetTexts = Map<string, { text: string; source: Source }>

/** Maximum number of reported lines; a file of another kind has no valid line. */
const MAX_REPORTED_LINES = 10

/** An assignment in an environment file, or a line that is none. */
interface EnvironmentLine {
  /** Undefined if dotenv ignores the line. */
  name: string | undefined
  /** Text after the name, up to the end of the line. */
  written: string
  /** Text in quotes, which may have several lines; undefined without quotes, or if one has no end. */
  quoted: string | undefined
  /** Value according to dotenv, which removes quotes. */
  value: string
}

/** Text in quotes, as dotenv reads it. */
const QUOTED = /[^\S\n]*('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`)(?=[^\S\n]*(?:#.*)?$)/my

/** Lines that dotenv ignores, or reads in another way than they look. */
const lineRules: readonly [isWrong: (one: EnvironmentLine) => boolean, message: string][] = [
  [
    ({ name }) => name === undefined,
    'is not of the form NAME=value: correct it, or put a # before it',
  ],
  [
    ({ written }) => /^[^\s#'"`][^#]*(?<!\s)#/.test(written),
    'has a # in the value of NAME: put the value in quotes',
  ],
  [
    ({ written: [first = ''], quoted, value }) =>
      quoted === undefined
        ? /['"`]/.test(first) && value[0] === first
        : /\n\s*(?:export\s+)?[A-Z][A-Z0-9_]+=/.test(quoted),
    'has a quote without an end, in the value of NAME: close it, or put other quotes around the value',
  ],
]

/** Returns the variables of an environment file, and a message for each line that breaks a rule. */
function readLines(text: string) {
  const content = text.replaceAll(/\r\n?/g, '\n')
  const variables = parse(content)
  let end = 0
  let start = 0
  const wrong = content.split('\n').flatMap((line, index) => {
    const at = start
    start += line.length + 1
    // Further lines of a value are not variables.
    if (at < end || /^\s*(?:#|$)/.test(line)) return []
    const [name] = Object.keys(parse(line))
    const separator = line.search(/[=:]/) + 1
    QUOTED.lastIndex = at + separator
    const [all = '', quoted] = QUOTED.exec(content) ?? []
    end = at + separator + all.length
    const written = line.slice(separator).trim()
    const one = { name, written, quoted, value: variables[name ?? ''] ?? '' }
    const [, message] = lineRules.find(([isWrong]) => isWrong(one)) ?? []
    if (message === undefined) return []
    if (name !== undefined) delete variables[name]
    return [`line ${index + 1} ${message.replace(' NAME:', ` ${name}:`)}`]
  })
  const more = wrong.length - MAX_REPORTED_LINES
  const messages = wrong.slice(0, MAX_REPORTED_LINES)
  return {
    variables,
    messages: more > 0 ? [...messages, `has ${more} more such lines`] : messages,
  }
}

/** Reads the process environment, then the file for other variables. A missing `.env` is not a problem. */
export function readEnvironment({ environment, envFile, directory }: EnvironmentOptions): {
  settings: SetTexts
  /** Problems of the file, which may have hidden variables. */
  problems: Problem[]
} {
  const settings: SetTexts = new Map()
  const spellings: (readonly string[])[] = Object.values(proxyVariables)
  const add = (texts: Readonly<Record<string, string | undefined>>, source: Source) => {
    const earlierNames = new Set(settings.keys())
    for (const [name, text = ''] of Object.entries(texts)) {
      // HTTPS_PROXY of the process takes precedence over https_proxy in a file.
      const names = spellings.find((all) => all.includes(name)) ?? [name]
      const isSet = names.some((spelling) => earlierNames.has(spelling))
      if (text.trim() !== '' && !isSet) settings.set(name, { text, source })
    }
  }

  add(environment, 'process')
  const source = envFile === undefined ? '.env' : '--env-file'
  const pathPrefix = envFile === undefined ? '' : `${envFile} `
  const toProblem = (message: string) => ({ variable: source, message: pathPrefix + message })
  try {
    // A file in another encoding would silently yield no variables.
    const bytes = readBounded(resolve(directory, envFile ?? '.env'))
    const { variables, messages } = readLines(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    )
    add(variables, source)
    return { settings, problems: messages.map(toProblem) }
  } catch (error) {
    if (envFile === undefined && isMissing(error)) return { settings, problems: [] }
    const message =
      codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'is not UTF-8 text: save the file in that encoding'
        : `${readingProblem(error)}: name a readable file with lines of the form NAME=value; its path ` +
          'is relative to the working directory'
    return { settings, problems: [toProblem(message)] }
  }
}

/** Returns a line of an environment file. dotenv has no escapes: the value is in quotes that it does not contain. */
export function environmentLine(name: string, value: string): string {
  if (/^[\w./:{}-]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${name}=${quote}${value}${quote}`
}

/** Returns the URL of a proxy with a scheme; default: `http`, as in curl. */
export function normalizeProxyUrl(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
}

export const proxyRule: Rule = [
  (text) => {
    const url = normalizeProxyUrl(text)
    if (!/^(https?|socks5?):\/\/[^\s/?#\\]+\/?$/i.test(url) || !URL.canParse(url)) return false
    return /^(.{4,1024})?$/.test(new URL(url).password)
  },
  'must be the URL of a proxy with the scheme http, https or socks5, without a path, and with at least 4 characters in a password: correct or unset it',
]

/** Returns the password in a proxy URL: decoded, percent-encoded and as written. */
export function proxyPasswords(proxy: string | undefined): string[] {
  if (proxy === undefined || !URL.canParse(proxy)) return []
  // Read from the text too: URL changes the encoding.
  const written = /^[^/]*\/\/[^/@:]*:([^/]*)@/.exec(proxy)?.[1] ?? ''
  const { password } = new URL(proxy)
  return [...new Set([decodePercent(password), password, written])].filter((text) => text !== '')
}
