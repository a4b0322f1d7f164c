import { LONGEST_NAME, SHORTEST_SECRET } from './formats.ts'
import type { Rule } from './variable.ts'

/**
 * The variables that name a proxy on most systems, in the order in which they are asked; the lower
 * case name wins, as it does for curl.
 */
export const proxyVariables = {
  http: ['http_proxy', 'HTTP_PROXY'],
  https: ['https_proxy', 'HTTPS_PROXY'],
  no: ['no_proxy', 'NO_PROXY'],
} as const

/** The URL of a proxy; one without a scheme is taken for `http`, as curl does. */
export function normalizeProxyUrl(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
}

function isProxyUrl(text: string): boolean {
  const url = normalizeProxyUrl(text)
  if (!/^(https?|socks5?):\/\/[^\s/?#\\]+\/?$/i.test(url) || !URL.canParse(url)) return false
  const { password } = new URL(url)
  return password === '' || (password.length >= SHORTEST_SECRET && password.length <= LONGEST_NAME)
}

export const proxyRule: Rule = [
  isProxyUrl,
  'must be the URL of a proxy with the scheme http, https or socks5 and without a path, any password in it of 4 characters or more, or be unset',
]

/** The password in the URL of a proxy, percent-encoded and decoded, and as it is written there. */
export function passwordsIn(proxy: string | undefined): string[] {
  if (proxy === undefined || !URL.canParse(proxy)) return []
  // Taken from the text as well, since a URL re-encodes what it was given.
  const written = /^[^/]*\/\/[^/@:]*:([^/]*)@/.exec(proxy)?.[1] ?? ''
  const { password } = new URL(proxy)
  return [...new Set([decoded(password), password, written])].filter((text) => text !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that stands for itself.
    return text
  }
}
