/** A rule for the text of a variable, and what to tell who broke it. */
export interface TextFormat {
  /** Absent where ajv-formats knows the format by its name. */
  accepts?: (text: string) => boolean
  /** Continues a sentence that begins with the name of the variable; never repeats the text. */
  instruction: string
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#\\][^\s\\]*$/i.test(text) && URL.canParse(text)
}

// Rules about a part of a URL keep quiet about a text that is no URL, so that one mistake is told
// once.
function whereHttpUrl(accepts: (text: string) => boolean): (text: string) => boolean {
  return (text) => !isHttpUrl(text) || accepts(text)
}

/**
 * The parts of `METHOD /path {json}`, the body exactly as given and `null` when there is none;
 * `undefined` when the text is not of that form or its body is not JSON.
 */
export function parseSuppliedRequest(
  text: string,
): { method: string; path: string; body: string | null } | undefined {
  // A second slash or a backslash at the start would make a URL resolver leave the origin.
  const parts = /^([A-Z0-9!#$%&'*+.^_`|~-]+)\s+(\/(?![/\\])[^\s#]*)(?:\s+(\S[\s\S]*))?$/.exec(text)
  const [, method, path, body = null] = parts ?? []
  if (method === undefined || path === undefined) return undefined
  return body === null || isJson(body) ? { method, path, body } : undefined
}

/** Whether a text is JSON (RFC 8259), of any kind. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isJsonObject(text: string): boolean {
  // No other JSON value begins with a brace.
  return text.trimStart().startsWith('{') && isJson(text)
}

/** The URL in its normal form, without slashes at the end; `text` must be a valid base URL. */
export function normalizeBaseUrl(text: string): string {
  const url = new URL(text)
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** Base32 in upper case, without the spaces that make it readable and without padding. */
export function normalizeBase32(text: string): string {
  return text.replace(/\s+/g, '').replace(/=+$/, '').toUpperCase()
}

/** The URL of a proxy; one without a scheme is taken for `http`, as curl does. */
export function normalizeProxyUrl(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
}

/** A shorter secret is in every text, so that reports could not be kept free of it. */
const SHORTEST_SECRET = 4
const LONGEST_NAME = 1024
const LONGEST_KEY = 4096

function isSecret(text: string, form: RegExp, longest: number): boolean {
  return text.length >= SHORTEST_SECRET && text.length <= longest && form.test(text)
}

function isProxyUrl(text: string): boolean {
  const url = normalizeProxyUrl(text)
  if (!/^(https?|socks5?):\/\/[^\s/?#\\]+\/?$/i.test(url) || !URL.canParse(url)) return false
  const { password } = new URL(url)
  return password === '' || (password.length >= SHORTEST_SECRET && password.length <= LONGEST_NAME)
}

function isRepository(text: string): boolean {
  const parts = text.split('/')
  return parts.length === 2 && parts.every((part) => /^(?!\.{1,2}$)[^\s?#\\]+$/.test(part))
}

function isDeletePath(text: string): boolean {
  // A placeholder that nothing fills in would be sent as it stands, and every token would stay.
  const path = /^\/(?![/\\])(?:[^\s#{}]|\{name\}|\{username\})*$/
  return path.test(text) && text.includes('{name}')
}

/** The formats that schemas of variables refer to, by name. */
export const formats = {
  'http-url': {
    accepts: isHttpUrl,
    instruction: 'must be an absolute URL that starts with http:// or https://',
  },
  'url-without-credentials': {
    accepts: whereHttpUrl((text) => !/^https?:\/\/[^/?#]*@/i.test(text)),
    instruction:
      'must not hold a user name or password: take them out and set the variables made for them',
  },
  'url-without-query': {
    accepts: whereHttpUrl((text) => !/[?#]/.test(text)),
    instruction: 'must not have a query or a fragment: leave out everything from the first ? or #',
  },
  'url-without-api-prefix': {
    accepts: whereHttpUrl((text) => !/\/api\/v1$/i.test(normalizeBaseUrl(text))),
    instruction: 'must not end in the prefix of the API: leave out /api/v1, requests add it',
  },
  'url-without-version': {
    accepts: whereHttpUrl((text) => !/\/v1$/i.test(normalizeBaseUrl(text))),
    instruction: 'must not end in the version of the API: leave out /v1, requests add it',
  },
  username: {
    accepts: (text) => text.length <= LONGEST_NAME && /^[^:\p{Cc}]+$/u.test(text),
    instruction:
      'must be a login name of at most 1024 characters, without a colon, line breaks or other control characters',
  },
  password: {
    accepts: (text) => isSecret(text, /^\P{Cc}+$/u, LONGEST_NAME),
    instruction:
      'must be a single line of 4 to 1024 characters without control characters: look for a line break at its end',
  },
  token: {
    accepts: (text) => isSecret(text, /^[\x21-\x7e]+$/, LONGEST_KEY),
    instruction:
      'must be an access token alone, 4 to 4096 characters of printable ASCII without whitespace: leave out any prefix and line break',
  },
  'api-key': {
    accepts: (text) => isSecret(text, /^[\x21-\x7e]+$/, LONGEST_KEY),
    instruction:
      'must be an API key alone, 4 to 4096 characters of printable ASCII without whitespace: leave out any header name, prefix and line break',
  },
  base32: {
    accepts: (text) => isSecret(normalizeBase32(text), /^[A-Z2-7]+$/, LONGEST_NAME),
    instruction:
      'must be a secret in base32, 4 to 1024 of the letters A to Z and digits 2 to 7, as shown when two-factor authentication was set up',
  },
  repository: {
    accepts: isRepository,
    instruction: 'must be owner/name, with exactly one slash and something on either side of it',
  },
  'supplied-request': {
    accepts: (text) => parseSuppliedRequest(text) !== undefined,
    instruction:
      'must be METHOD /path {json}: a method in upper case, a path that starts with one slash and, unless there is no body, valid JSON; in an environment file put it in single quotes',
  },
  'event-type': {
    accepts: (text) => /^\P{Cc}+$/u.test(text),
    instruction: 'must be the type of an event, a single line without control characters',
  },
  'path-segment': {
    // A URL resolver would take one or two dots, however they are encoded, for a step in the path.
    accepts: (text) => /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u.test(text),
    instruction:
      'must be an id exactly as the service gave it: a single line without control characters, and neither . nor ..',
  },
  json: {
    accepts: isJson,
    instruction: 'must be valid JSON; in an environment file put it in single quotes',
  },
  'json-object': {
    accepts: isJsonObject,
    instruction: 'must be a JSON object; in an environment file put it in single quotes',
  },
  'json-pointer': {
    instruction:
      'must be a JSON Pointer, which starts with a slash; within a name ~1 is a slash and ~0 a tilde',
  },
  'token-delete-path': {
    accepts: isDeletePath,
    instruction:
      'must be a path that starts with one slash and has {name} for the name of the token, and at most {username} besides',
  },
  'proxy-url': {
    accepts: isProxyUrl,
    instruction:
      'must be the URL of a proxy with the scheme http, https or socks5 and without a path, any password in it of 4 characters or more, or be unset',
  },
} as const satisfies Record<string, TextFormat>

export type FormatName = keyof typeof formats
