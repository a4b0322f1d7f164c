import { Secret } from 'otpauth'

/** A form in which servers or libraries write a secret. */
export interface CanaryForm {
  label: string
  text: string
  /** Part of the text that depends on the secret. */
  core: string
  /** True if the text is the content of a JSON string. */
  json: boolean
}

type Writer = (secret: string) => string

const jsonEscaped: Writer = (text) => JSON.stringify(text).slice(1, -1)

const escapedUnit: Writer = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const asciiJson: Writer = (text) => jsonEscaped(text).replace(/[^ -~]|[<>&']/g, escapedUnit)

const unicodeEscapes: Writer = (text) => text.split('').map(escapedUnit).join('')

const lowerCaseEscapes: Writer = (text) =>
  text.replace(/%[\dA-F]{2}/g, (found) => found.toLowerCase())

const formEncoded: Writer = (text) => new URLSearchParams([['', text]]).toString().slice(1)

const htmlEscaped = (text: string, quote: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", quote)

const base64: Writer = (text) => Buffer.from(text).toString('base64')

const hexadecimal: Writer = (text) => Buffer.from(text).toString('hex')

const bytesOf = (text: string) => hexadecimal(text).match(/../g) ?? []

const pythonBytes: Writer = (text) =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^\0-\x7f]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)

/** Forms as common functions write them, independent of the code of redaction. */
const writers: Record<string, Writer> = {
  'as it is': (secret) => secret,
  'in lower case': (secret) => secret.toLowerCase(),
  'in upper case': (secret) => secret.toUpperCase(),
  'in a sentence': (secret) => `invalid token "${secret}", try another`,
  'in a URL': (secret) => `https://host/?token=${encodeURIComponent(secret)}&page=2`,
  'in a URL, lower case': (secret) => lowerCaseEscapes(encodeURIComponent(secret)),
  'in a URL, few escapes': encodeURI,
  'in a URL, the first letter escaped': (secret) =>
    secret.replace(/^[A-Za-z]/, (letter) => `%${hexadecimal(letter)}`),
  'in a URL within a URL': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a URL within a URL, lower case': (secret) =>
    lowerCaseEscapes(encodeURIComponent(lowerCaseEscapes(encodeURIComponent(secret)))),
  'in a form': formEncoded,
  'in a form within a URL': (secret) => encodeURIComponent(formEncoded(secret)),
  'in JSON within HTML': (secret) => htmlEscaped(jsonEscaped(secret), '&#39;'),
  'in JSON within a URL': (secret) => encodeURIComponent(jsonEscaped(secret)),
  'in HTML': (secret) => htmlEscaped(secret, '&#039;'),
  'in HTML, hexadecimal': (secret) => htmlEscaped(secret, '&#x27;'),
  'in ASCII HTML': (secret) =>
    secret.replace(/[^ -~]|[<>&"']/gu, (one) => `&#${one.codePointAt(0)};`),
  'in HTML twice': (secret) => htmlEscaped(htmlEscaped(secret, '&#39;'), '&#39;'),
  'in a URL within HTML': (secret) => `<a href="/?t=${encodeURIComponent(secret)}&amp;p=2">`,
  'in XML': (secret) => `<token>${htmlEscaped(secret, '&apos;')}</token>`,
  'in SQL': (secret) => `WHERE token = '${secret.replaceAll("'", "''")}'`,
  'in CSV': (secret) => `"${secret.replaceAll('"', '""')}";1`,
  'in PHP': (secret) => `'${secret.replace(/['\\]/g, '\\$&')}'`,
  'in Python': (secret) => `b'${pythonBytes(secret)}'`,
  decomposed: (secret) => secret.normalize('NFD'),
  'in Latin-1': (secret) => Buffer.from(secret).toString('latin1'),
  'in base64': base64,
  'in base64 without padding': (secret) => base64(secret).replace(/=+$/, ''),
  'in base64 for URLs': (secret) => Buffer.from(secret).toString('base64url'),
  'in base64 within a URL': (secret) => encodeURIComponent(base64(secret)),
  'in base64 of credentials': (secret) => base64(`maria:${secret}`),
  'in base64 after one byte': (secret) => base64(`x${secret} and more`),
  'in base64 after two bytes': (secret) => base64(`xy${secret}z`),
  'in base64 after a username': (secret) => base64(`x-access-token:${secret}`),
  'in base64 of JSON': (secret) => base64(`{"token":${JSON.stringify(secret)}}`),
  'in base64 of several lines': (secret) =>
    base64(`{"a":"bcd","token":"${secret}","note":"${'-'.repeat(40)}"}`).replace(/.{60}/g, '$&\n'),
  'in hexadecimal': hexadecimal,
  'in hexadecimal, upper case': (secret) => hexadecimal(secret).toUpperCase(),
  'in hexadecimal with colons': (secret) => bytesOf(secret).join(':').toUpperCase(),
  'in hexadecimal with spaces, of two lines': (secret) =>
    `<Buffer ${bytesOf(secret)
      .join(' ')
      .replace(/^((?:\w+ ){7}\w+) /, '$1\n')}>`,
  'in hexadecimal as an array': (secret) =>
    `[${bytesOf(secret)
      .map((byte) => `0x${byte}`)
      .join(', ')}]`,
  'in UTF-16': (secret) => Array.from(secret).join('\0'),
}

const jsonWriters: Record<string, Writer> = {
  'in a JSON string': asciiJson,
  'in JSON, every unit escaped': unicodeEscapes,
  'in JSON, every unit escaped in upper case': (secret) =>
    unicodeEscapes(secret).replace(/[\da-f]{4}/g, (digits) => digits.toUpperCase()),
  'in JSON, slashes escaped': (secret) => jsonEscaped(secret).replaceAll('/', '\\/'),
  'in JSON within JSON': (secret) => jsonEscaped(jsonEscaped(secret)),
  'in base64 within JSON': (secret) => base64(secret).replaceAll('/', '\\/'),
}

const secretBytes = (secret: string) => Buffer.from(Secret.fromBase32(secret).bytes)

const base32Writers: Record<string, Writer> = {
  'in an otpauth URI': (secret) => `otpauth://totp/Forge:tess?secret=${secret}&digits=6`,
  'in groups': (secret) => secret.replace(/.{4}(?=.)/g, '$& '),
  'in groups, lower case': (secret) => secret.replace(/.{4}(?=.)/g, '$&-').toLowerCase(),
  'as its bytes in hexadecimal': (secret) => secretBytes(secret).toString('hex'),
  'as its bytes in base64': (secret) => secretBytes(secret).toString('base64'),
}

function commonPrefixLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

const reversed: Writer = (text) => text.split('').reverse().join('')

function formsBy(all: Record<string, Writer>, secret: string, json: boolean): CanaryForm[] {
  const other = 'Q'.repeat(Buffer.byteLength(secret))
  return Object.entries(all).map(([label, write]) => {
    const text = write(secret)
    const otherText = write(other)
    const rest = text.slice(commonPrefixLength(text, otherText))
    const end = commonPrefixLength(reversed(rest), reversed(otherText))
    return { label, text, json, core: rest.slice(0, rest.length - end) }
  })
}

/** Returns the forms of a secret in servers and libraries. */
export function canaryForms(secret: string): CanaryForm[] {
  return [...formsBy(writers, secret, false), ...formsBy(jsonWriters, secret, true)]
}

/** Returns the forms of a one-time code secret in base32. */
export function oneTimeSecretForms(secret: string): CanaryForm[] {
  return [...canaryForms(secret), ...formsBy(base32Writers, secret, false)]
}
