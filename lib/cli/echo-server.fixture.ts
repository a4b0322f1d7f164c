import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { Secret, TOTP } from 'otpauth'
import { nearMisses } from '../conformance/near-misses.ts'
import {
  authority,
  passphrase,
  serverIdentity,
  writeClientFiles,
} from '../environment/certificates.fixture.ts'
import {
  type CanaryForm,
  canaryForms,
  oneTimeSecretForms,
} from '../probe/redaction/canary-forms.fixture.ts'
import type { IncomingRequest, Intermediary, ResponseParts } from '../test-bed/reference/http.ts'
import { startReference } from '../test-bed/reference/index.ts'
import { atTheEnd, temporaryDirectory } from './command.fixture.ts'
import { secretSettings } from './services.ts'

/** Passwords with everything that has to be escaped somewhere. */
const passwords = [
  'pä ss/w+ö"r\\d\'&<€>%41=!~*()😀$HOME{x}',
  'пароль-номер-один',
  `it's "so"-''many''\\\\`,
  'correct horse battery staple',
]

const keys = ['k-+/=&%3D"<quoted>:1,2;[x]_~', "i-+/=&%3D'<in-quotes>:1,2;{x}_~"]

/** Base32, from which one-time codes are computed: it stays as it is. */
const ONE_TIME_SECRET = 'CODE_HOSTING_OTP_SECRET'

/** Returns a secret for each variable that is marked as one and set, by its name. */
function canariesFor(environment: Readonly<Record<string, string>>): Record<string, string> {
  const counts = new Map<readonly string[], number>()
  const names = secretSettings(environment).map(({ name }) => name)
  const canaryOf = (name: string) => {
    const values = name.endsWith('PASSWORD') ? passwords : keys
    const index = counts.get(values) ?? 0
    counts.set(values, index + 1)
    const value = values[index % values.length] ?? ''
    // Values with a common part would be redacted by the name of either.
    return [name, index < values.length ? value : [...value].join(String(index))]
  }
  return Object.fromEntries(names.filter((name) => name !== ONE_TIME_SECRET).map(canaryOf))
}

/** Secrets that are sent to a gateway, and a secret that is not sent. */
const furtherSecrets = {
  HEADER_X_CANARY: 'h-+/=&%3D"<of-the-gateway>:1,2;[x]_~',
  PROBE_TLS_KEY_PASSPHRASE: passphrase,
}

const SENT_NEAR_MISSES = ['other start', 'other end', 'shorter'] as const

const TOKEN_PREFIX = 'mt+/%"\\&='

export interface Canary {
  name: string
  value: string
}

/** Delay of the response to a token creation; all other responses repeat the token meanwhile. */
const CREATION_MS = 50

const forms = new Map<string, CanaryForm[]>()

/** Forms in which a server may show the prefix of a secret. */
const CUT = /^(?:as it is|in a URL|in HTML|in base64|in hexadecimal)$/

function cutForms({ name, value }: Canary): CanaryForm[] {
  // The keys that are nearly right begin as the right one, and a code is too short.
  if (/_(?:SHORTER|OTHER_END|CODE)$/.test(name)) return []
  const prefix = value.slice(0, Math.max(8, Math.ceil(value.length * 0.6)))
  const forms = canaryForms(prefix).filter(({ label }) => CUT.test(label))
  return forms.map((form) => ({ ...form, label: `${form.label}, cut`, text: `${form.text}…` }))
}

/** Returns all forms of a secret, cached. */
export function formsOf(canary: Canary): CanaryForm[] {
  const { name, value } = canary
  const write = name === ONE_TIME_SECRET ? oneTimeSecretForms : canaryForms
  const all = forms.get(value) ?? [...write(value), ...cutForms(canary)]
  forms.set(value, all)
  return all
}

/** A canary in the forms that a response repeats. */
interface Echo extends Canary {
  forms: readonly CanaryForm[]
}

/** Returns a function that gives all forms of a canary at first, and then one after the other. */
function formsInTurn(): (canary: Canary) => Echo {
  const counts = new Map<string, number>()
  return (canary) => {
    const all = formsOf(canary)
    const count = counts.get(canary.value) ?? 0
    counts.set(canary.value, count + 1)
    return { ...canary, forms: count === 0 ? all : all.slice(count % all.length).slice(0, 1) }
  }
}

function echoMember({ forms }: Echo, index: number): string {
  const members = forms.map(
    ({ label, text, json }) =>
      `${JSON.stringify(label)}:${json ? `"${text}"` : JSON.stringify(text)}`,
  )
  return `"echo${index}":{${members.join(',')}}`
}

/** Adds all forms of the secrets to a body that is an object or a text. */
function echoing(body: string, type: string, seen: readonly Echo[]): string {
  if (seen.length === 0) return body
  const members = seen.map(echoMember).join(',')
  if (body.startsWith('{"')) return `{${members},${body.slice(1)}`
  if (!type.startsWith('text/')) return body
  return `${body}\n${seen.flatMap(({ forms }) => forms.map(({ text }) => text)).join('\n')}`
}

function stackTrace(seen: readonly Echo[]): string {
  return [
    `Error: cannot handle ${seen.map(({ value }) => value).join(' and ')}`,
    '    at handle (/srv/app/server.js:12:34)',
    ...seen.flatMap(({ forms }) => forms).map(({ label, text }) => `    ${label}: ${text}`),
  ].join('\n')
}

/** Fields that repeat a secret as servers do. */
function echoingFields(value: string): [string, string][] {
  const encoded = encodeURIComponent(value)
  return [
    ['Set-Cookie', `last=${encoded}; Path=/; HttpOnly`],
    ['Content-Location', `/elsewhere?token=${encoded}&page=2`],
    ['X-Echo', value],
    ['X-Echo-Basic', `Basic ${Buffer.from(`x-access-token:${value}`).toString('base64')}`],
    [`X-${Buffer.from(value).toString('hex')}`, 'in the name'],
  ]
}

/** The response as bytes, chunked so that it has room for a trailer. */
function written(status: number, reason: string, fields: [string, string][], body = ''): string {
  const framing: [string, string][] =
    body === ''
      ? [['Content-Length', '0']]
      : [
          ['Transfer-Encoding', 'chunked'],
          ['Trailer', 'X-Trailer'],
        ]
  const all = [...fields, ...(status === 204 ? [] : framing), ['Connection', 'close']]
  const head = [`HTTP/1.1 ${status} ${reason}`, ...all.map((field) => field.join(': ')), '', '']
  const size = Buffer.byteLength(body).toString(16)
  const trailer = `X-Trailer: ${reason.replace('Said ', '')}`
  const content = body === '' ? [] : [size, body, '0', trailer, '', '']
  return head.join('\r\n') + content.join('\r\n')
}

function authorization(field: string, take: (value: string) => string): string {
  const [, scheme = '', credentials = ''] = /^(\S+) +(.*)$/.exec(field) ?? []
  if (scheme === '') return take(field)
  if (scheme.toLowerCase() !== 'basic') return `${scheme} ${take(credentials)}`
  const [, name = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? []
  return `${scheme} ${Buffer.from(`${name}:${take(password)}`).toString('base64')}`
}

/** Returns the base URL with https of a gateway that requires a client certificate. */
async function behindTls(baseUrl = ''): Promise<string> {
  const { port: target, pathname } = new URL(baseUrl)
  const options = { ...serverIdentity, ca: authority, requestCert: true }
  const server = createServer(options, (socket) => {
    pipeline(socket, connect(Number(target), '127.0.0.1'), socket, () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atTheEnd(() => void server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`
}

/**
 * Starts the reference server with an intermediary that repeats every received secret and every issued token
 * in all forms and in all parts of a response; a broken one responds to changes with a stack trace, and to a token in
 * the query with a redirect.
 */
export async function startEchoServer({ broken = false } = {}) {
  const reference = await startReference({ intermediary: () => echo })
  atTheEnd(() => reference.close())
  const { environment } = reference
  const configured = canariesFor(environment)
  const oneTimeSecret = environment[ONE_TIME_SECRET] ?? ''
  const canaries = Object.entries({
    ...configured,
    [ONE_TIME_SECRET]: oneTimeSecret,
    ...furtherSecrets,
  }).flatMap(([name, value]): Canary[] => [
    { name, value },
    ...(name.endsWith('_API_KEY') ? SENT_NEAR_MISSES : []).map((miss) => ({
      name: `${name}_${miss.toUpperCase().replace(' ', '_')}`,
      value: nearMisses[miss](value),
    })),
  ])
  const inTurn = formsInTurn()
  /** Tokens whose creation has no response yet. */
  const pending = new Set<Canary>()

  /** Returns the secret of the reference server for a canary. */
  function inner(value: string): string {
    const name = Object.keys(configured).find((variable) => configured[variable] === value)
    if (name !== undefined) return environment[name] ?? ''
    return value.startsWith(TOKEN_PREFIX) ? value.slice(TOKEN_PREFIX.length) : value
  }

  /** Returns the request for the reference server, and the secrets in it. */
  function translated({ url: requested, headers: fields }: IncomingRequest) {
    const found = new Set<Canary>()
    const take = (value: string): string => {
      const canary = canaries.find((one) => one.value === value)
      if (canary !== undefined) found.add(canary)
      return inner(value)
    }
    const url = new URL(requested)
    for (const [name, value] of requested.searchParams) {
      const other = take(value)
      if (other !== value) url.searchParams.set(name, other)
    }
    const headers = new Headers()
    for (const [name, field] of fields) {
      const value = Buffer.from(field, 'latin1').toString()
      if (name === 'x-service-otp') {
        const totp = new TOTP({ secret: Secret.fromBase32(oneTimeSecret) })
        if (totp.validate({ token: value, window: 1 }) !== null) {
          canaries.push({ name: 'ONE_TIME_CODE', value })
        }
        // The server reveals the secret.
        take(oneTimeSecret)
        take(passphrase)
      }
      const isSecret = canaries.some((one) => one.value === value)
      if (name === 'authorization') headers.set(name, authorization(value, take))
      else headers.set(name, isSecret ? take(value) : field)
    }
    // Last, because a gateway's field is in every request.
    const isOfGateway = ({ name }: Canary) => Number(name === 'HEADER_X_CANARY')
    return { url, headers, seen: [...found].sort((a, b) => isOfGateway(a) - isOfGateway(b)) }
  }

  async function echo(
    request: IncomingRequest,
    respond: Parameters<Intermediary>[1],
  ): Promise<ResponseParts> {
    // Unread data would reset the connection, which is closed after the response.
    const sentText = await request.text()
    const { url, headers, seen } = translated(request)
    const parts = await respond({ ...request, url, headers, text: async () => sentText })
    let text = Buffer.from(parts.body ?? '').toString()
    const token = parts.status === 201 ? /"sha1":"([\da-f]{40})"/.exec(text)?.[1] : undefined
    if (token !== undefined) {
      const canary = { name: '[A-Z_]+_TOKEN', value: TOKEN_PREFIX + token }
      canaries.push(canary)
      seen.push(canary)
      text = text.replace(`"sha1":"${token}"`, `"sha1":${JSON.stringify(canary.value)}`)
      // A redirect would hide the token from the run, which then could not redact it elsewhere.
      if (!broken) pending.add(canary)
      await delay(CREATION_MS)
      pending.delete(canary)
    } else seen.push(...pending)
    const [value] = seen.map((canary) => encodeURIComponent(canary.value))
    const reason = value === undefined ? 'OK' : `Said ${value}`
    const raw = (...all: Parameters<typeof written>) => ({ ...parts, raw: written(...all) })
    const echoes = seen.map(inTurn)
    if (broken && value !== undefined && request.method !== 'GET' && token === undefined) {
      return raw(500, reason, [['Content-Type', 'text/plain; charset=utf-8']], stackTrace(echoes))
    }
    if (broken && value !== undefined && request.url.search.includes('token=')) {
      const location = `/login?next=${encodeURIComponent(`/?token=${value}`)}`
      return raw(302, reason, [['Location', location]])
    }
    const fields = [...parts.headers, ...seen.flatMap((canary) => echoingFields(canary.value))]
    const type = parts.headers.get('Content-Type') ?? ''
    const body = parts.status === 204 ? '' : echoing(text, type, echoes)
    return raw(parts.status, reason, fields, body)
  }

  return {
    environment: {
      ...environment,
      ...configured,
      PROBE_HEADERS: JSON.stringify({ 'X-Canary': furtherSecrets.HEADER_X_CANARY }),
      // The passphrase is a secret too, and needs a base URL with https.
      EVENT_PUBLISHING_BASE_URL: await behindTls(environment.EVENT_PUBLISHING_BASE_URL),
      ...writeClientFiles(temporaryDirectory()),
    },
    /** Secrets that it repeats: those of the environment, and tokens after their creation. A test may add one. */
    canaries,
  }
}
