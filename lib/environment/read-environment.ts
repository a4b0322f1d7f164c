import { resolve } from 'node:path'
import { unescape as percentDecoded } from 'node:querystring'
import { parse } from 'dotenv'
import { codeOf, type Problem, type Source } from './errors.ts'
import { isMissing, readBounded, readingProblem } from './read-file.ts'
import type { Rule } from './variable.ts'

export interface EnvironmentOptions {
  environment: NodeJS.ProcessEnv
  /** Path of an environment file, from `directory`; it takes the place of `.env` there. */
  envFile?: string
  directory: string
}

/** In the order in which they are asked: the lower case name wins, as it does for curl. */
export const proxyVariables = {
  http: ['http_proxy', 'HTTP_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY'],
  no: ['no_proxy', 'NO_PROXY'],
} as const

/**
 * Merges the process environment with the environment file, which only adds to it. A file that cannot
 * be read is a problem, unless it is a `.env` that does not exist.
 */
export function readEnvironment({ environment, envFile, directory }: EnvironmentOptions): {
  settings: Map<string, { text: string; source: Source }>
  problem?: Problem
} {
  const settings = new Map<string, { text: string; source: Source }>()
  const spellings: (readonly string[])[] = Object.values(proxyVariables)
  const add = (texts: Readonly<Record<string, string | undefined>>, source: Source) => {
    const taken = new Set(settings.keys())
    for (const [name, text = ''] of Object.entries(texts)) {
      // Otherwise https_proxy in a file would win over HTTPS_PROXY of the process.
      const names = spellings.find((all) => all.includes(name)) ?? [name]
      const isTaken = names.some((spelling) => taken.has(spelling))
      if (text.trim() !== '' && !isTaken) settings.set(name, { text, source })
    }
  }

  add(environment, 'process')
  const source = envFile === undefined ? '.env' : '--env-file'
  try {
    // A file in another encoding would otherwise be parsed to nothing without a word, and the run
    // would probe something else than its operator means.
    const bytes = readBounded(resolve(directory, envFile ?? '.env'))
    add(parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), source)
  } catch (error) {
    if (envFile === undefined && isMissing(error)) return { settings }
    const message =
      codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'is not UTF-8 text: save the file in that encoding'
        : `${readingProblem(error)}: give a readable file with lines of the form NAME=value; its path ` +
          'starts at the working directory'
    const named = envFile === undefined ? '' : `${envFile} `
    return { settings, problem: { variable: source, message: named + message } }
  }
  return { settings }
}

/**
 * One line of an environment file. Quotes keep dotenv from reading `#`, quotes and spaces in a value
 * as its own syntax; it knows no escapes, so the value is set in quotes that it does not hold.
 */
export function environmentLine(name: string, value: string): string {
  if (/^[\w./:{}-]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${name}=${quote}${value}${quote}`
}

/** The URL of a proxy; one without a scheme is taken for `http`, as curl does. */
export function normalizeProxyUrl(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
}

export const proxyRule: Rule = [
  (text) => {
    const url = normalizeProxyUrl(text)
    if (!/^(https?|socks5?):\/\/[^\s/?#\\]+\/?$/i.test(url) || !URL.canParse(url)) return false
    return /^(.{4,1024})?$/.test(new URL(url).password)
  },
  'must be the URL of a proxy with the scheme http, https or socks5 and without a path, any password in it of 4 characters or more, or be unset',
]

/** The password in the URL of a proxy, percent-encoded and decoded, and as it is written there. */
export function passwordsIn(proxy: string | undefined): string[] {
  if (proxy === undefined || !URL.canParse(proxy)) return []
  // Taken from the text as well, since a URL re-encodes what it was given.
  const written = /^[^/]*\/\/[^/@:]*:([^/]*)@/.exec(proxy)?.[1] ?? ''
  const { password } = new URL(proxy)
  return [...new Set([percentDecoded(password), password, written])].filter((text) => text !== '')
}
