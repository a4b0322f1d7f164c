/** Secrets of traffic that Plumbline did not send, found by the names of fields, parameters and members. */
import type { Secret } from '../../environment/variable.ts'
import type { HeaderField } from '../exchange-record.ts'

interface Message {
  headers: readonly HeaderField[]
  body: string
}

/** Names of fields, parameters and members with secrets; `sha1` is the value of a token. */
const SECRET_NAME =
  /^(?:sha1|otp|sig|signature|pwd|key|jwt)$|password$|passwd|passphrase|secret$|credentials?$|session(?:[-_]?id)?$|cookie$|token$|otp$|authorization$|(?:^|[-_.])auth(?:$|[-_.])|api-?key|[-_]key$/i

/** A scheme of `Authorization`, with or without credentials. */
const SCHEME = /^(?:basic|bearer|token|digest|negotiate)$|^[a-z][\w-]*\s+(?=\S)/i

const MEMBER = /"((?:[^"\\]|\\.){1,60})"\s*:\s*"((?:[^"\\]|\\.)*)"/g
const PARAMETER = /(?:^|[?&;\s])([^=&?;\s]{1,60})=([^&;\s>"#]*)/g

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Returns the secret parts of a header field: the values of cookies, and credentials without their scheme. */
function partsOf({ name, value }: HeaderField): string[] {
  if (/^set-cookie$/i.test(name)) return [value.split(';', 1)[0]?.replace(/^[^=]*=/, '') ?? '']
  if (/^cookie$/i.test(name))
    return value.split(';').map((one) => one.replace(/^[^=]*=/, '').trim())
  const credentials = value.replace(SCHEME, '')
  if (!/^basic\s/i.test(value)) return [credentials]
  const [, password = ''] = /:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? []
  return [credentials, password]
}

/** Returns everything in a recorded request and its response that may be a secret. */
export function recordedSecrets(url: string, messages: readonly Message[]): Secret[] {
  const found: [name: string, value: string][] = []
  const inText = (text: string, pattern: RegExp, decode: (text: string) => string) => {
    for (const [, name = '', value = ''] of text.matchAll(pattern)) {
      if (isSecretName(name)) found.push([name, decode(value)])
    }
  }
  inText(url, PARAMETER, decoded)
  found.push(['password', decoded(URL.canParse(url) ? new URL(url).password : '')])
  for (const { headers, body } of messages) {
    for (const field of headers) {
      if (isSecretName(field.name))
        for (const part of partsOf(field)) found.push([field.name, part])
      // Targets and referrers may repeat a query.
      else inText(field.value, PARAMETER, decoded)
    }
    inText(body, MEMBER, unescaped)
    if (/^[^{[<\s]{1,60}=/.test(body)) inText(body, PARAMETER, decoded)
  }
  return found.map(([name, value]) => {
    return { name: `RECORDED_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`, value }
  })
}
