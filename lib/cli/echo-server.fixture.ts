import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import { request as send } from 'undici'
import { type CanaryForm, canaryForms, oneTimeSecretForms } from '../probe/canary-forms.fixture.ts'
import { startReference } from '../reference/index.ts'
import { atTheEnd } from './command.fixture.ts'

/** Secrets with everything that has to be escaped somewhere, by the variable that holds them. */
const canaries: Record<string, string> = {
  CODE_HOSTING_PASSWORD: 'pä ss/w+ö"r\\d\'&<€>%41=!~*()😀$HOME{x}',
  CODE_HOSTING_OTHER_PASSWORD: 'пароль-номер-один',
  CODE_HOSTING_OTP_PASSWORD: `it's "so"-''many''\\\\`,
  CODE_HOSTING_ADMIN_PASSWORD: 'correct horse battery staple',
  EVENT_PUBLISHING_API_KEY: 'k-+/=&%3D"<events>:1,2;[x]_~',
  INCIDENT_STATUS_API_KEY: "i-+/=&%3D'<incidents>:1,2;{x}_~",
}

/** What every minted token begins with. */
const MINTED = 'mt+/%"\\&='

/** A secret and the name that is to stand for it. */
export interface Canary {
  name: string
  value: string
}

export interface EchoServer {
  /** For a run against it. */
  environment: Record<string, string>
  /** Every secret that was configured, minted or sent, as far as the run has come. */
  canaries(): Canary[]
}

export interface EchoOptions {
  fault?: string
  latencyMs?: number
  /** Answers what changes something with a stack trace, and a token in the query with a redirect. */
  broken?: boolean
  /** Answers a token creation so much later, and repeats the token meanwhile in all other answers. */
  creationLatencyMs?: number
  /** A password of the main account that it refuses. */
  wrongPassword?: string
}

/** All forms of a secret. */
export function formsOf({ name, value }: Canary): CanaryForm[] {
  return name === 'CODE_HOSTING_OTP_SECRET' ? oneTimeSecretForms(value) : canaryForms(value)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await request.toArray())
}

function echoMember(canary: Canary, index: number): string {
  const members = formsOf(canary).map(
    ({ label, text, json }) =>
      `${JSON.stringify(label)}:${json ? `"${text}"` : JSON.stringify(text)}`,
  )
  return `"echo${index}":{${members.join(',')}}`
}

/** The body with all forms of the secrets in it, where it is an object or a page. */
function echoing(body: string, type: string, seen: readonly Canary[]): string {
  if (seen.length === 0) return body
  const members = seen.map(echoMember).join(',')
  if (body.startsWith('{"')) return `{${members},${body.slice(1)}`
  if (!type.startsWith('text/')) return body
  return `${body}\n${seen.flatMap((canary) => formsOf(canary).map(({ text }) => text)).join('\n')}`
}

function stackTrace(seen: readonly Canary[]): string {
  const forms = seen.flatMap(formsOf)
  return [
    `Error: cannot handle ${seen.map(({ value }) => value).join(' and ')}`,
    '    at handle (/srv/app/server.js:12:34)',
    ...forms.map(({ label, text }) => `    ${label}: ${text}`),
  ].join('\n')
}

/** Fields that repeat a secret as servers do, one of them over two lines. */
function echoingFields(value: string): [string, string][] {
  const encoded = encodeURIComponent(value)
  const bytes = Buffer.from(value).toString('latin1')
  const middle = Math.ceil(encoded.length / 2)
  return [
    ['Set-Cookie', `last=${encoded}; Path=/; HttpOnly`],
    ['Content-Location', `/elsewhere?token=${encoded}&page=2`],
    ['X-Echo', bytes],
    ['X-Echo-Basic', `Basic ${Buffer.from(`x-access-token:${value}`).toString('base64')}`],
    ['X-Part', encoded.slice(0, middle)],
    ['X-Part', encoded.slice(middle)],
    [`X-${Buffer.from(value).toString('hex')}`, 'in the name'],
  ]
}

/**
 * Serves the reference deployment behind a server that repeats every secret it is sent, and every
 * token that it hands out, in all forms and wherever a response has room for it.
 */
export async function startEchoServer(options: EchoOptions = {}): Promise<EchoServer> {
  const reference = await startReference(options)
  const { environment } = reference
  const oneTimeSecret = environment.CODE_HOSTING_OTP_SECRET ?? ''
  const sent: Canary[] = [
    ...Object.entries(canaries).map(([name, value]) => ({ name, value })),
    { name: 'CODE_HOSTING_OTP_SECRET', value: oneTimeSecret },
    ...['EVENT_PUBLISHING_API_KEY', 'INCIDENT_STATUS_API_KEY'].flatMap((name) => [
      { name: `${name}_SHORTENED`, value: canaries[name]?.slice(0, -1) ?? '' },
      { name: `${name}_LENGTHENED`, value: `${canaries[name]}0` },
    ]),
  ]
  if (options.wrongPassword !== undefined) {
    sent.push({ name: 'CODE_HOSTING_PASSWORD', value: options.wrongPassword })
  }
  const minted: Canary[] = []
  /** Those whose creation has no answer yet. */
  const unanswered = new Set<Canary>()

  /** What the reference deployment knows a secret by. */
  function inner(value: string): string {
    const name = Object.keys(canaries).find((variable) => canaries[variable] === value)
    if (name !== undefined) return environment[name] ?? ''
    return value.startsWith(MINTED) ? value.slice(MINTED.length) : value
  }

  function isOneTimeCode(code: string): boolean {
    const totp = new TOTP({ secret: Secret.fromBase32(oneTimeSecret) })
    return totp.validate({ token: code, window: 1 }) !== null
  }

  /** The request's credentials, and the request as the reference deployment understands it. */
  function translated(request: IncomingMessage): {
    path: string
    headers: Record<string, string>
    seen: Canary[]
  } {
    const seen = new Set<Canary>()
    const take = (value: string): string => {
      const canary = [...sent, ...minted].find((one) => one.value === value)
      if (canary !== undefined) seen.add(canary)
      return inner(value)
    }
    const url = new URL(request.url ?? '', reference.origin)
    for (const [name, value] of url.searchParams) {
      const other = take(value)
      if (other !== value) url.searchParams.set(name, other)
    }
    const headers: Record<string, string> = {}
    for (const [name, field] of Object.entries(request.headers)) {
      const value = Buffer.from(String(field), 'latin1').toString('utf8')
      if (name === 'authorization') headers[name] = authorization(value, take)
      else if (name === 'x-service-otp') {
        if (isOneTimeCode(value)) sent.push({ name: 'ONE_TIME_CODE', value })
        headers[name] = take(value)
        // A server that gives away what it must keep to itself.
        take(oneTimeSecret)
      } else if (!['host', 'connection', 'content-length'].includes(name)) {
        headers[name] = /key/i.test(name) ? take(value) : value
      }
    }
    return { path: url.pathname + url.search, headers, seen: [...seen] }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, headers, seen } = translated(request)
    const inside = await send(reference.origin + path, {
      method: request.method as 'GET',
      headers,
      body: await bodyOf(request),
    })
    let text = await inside.body.text()
    const { statusCode: status, headers: received } = inside
    const type = String(received['content-type'] ?? '')
    const token = /"sha1":"([\da-f]{40})"/.exec(text)?.[1]
    if (token !== undefined && status === 201) {
      const canary = { name: '[A-Z_]+_TOKEN', value: MINTED + token }
      minted.push(canary)
      seen.push(canary)
      text = text.replace(`"sha1":"${token}"`, `"sha1":${JSON.stringify(canary.value)}`)
      if (options.creationLatencyMs !== undefined) {
        unanswered.add(canary)
        await delay(options.creationLatencyMs)
        unanswered.delete(canary)
      }
    } else seen.push(...unanswered)
    const fields = Object.entries(received)
      .filter(([name]) => !['content-length', 'connection', 'transfer-encoding'].includes(name))
      .flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      )
    fields.push(...seen.flatMap(({ value }) => echoingFields(value)))
    const value = seen[0]?.value
    const reason = value === undefined ? undefined : `Said ${encodeURIComponent(value)}`
    if (options.broken && value !== undefined && request.method !== 'GET' && token === undefined) {
      response.writeHead(500, 'Broken', ['Content-Type', 'text/plain; charset=utf-8'])
      response.end(stackTrace(seen))
      return
    }
    if (options.broken && value !== undefined && request.url?.includes('token=')) {
      const location = `/login?next=${encodeURIComponent(`/?token=${encodeURIComponent(value)}`)}`
      response.writeHead(302, 'Found', ['Location', location]).end()
      return
    }
    const body = status === 204 ? '' : echoing(text, type, seen)
    if (body !== '') fields.push(['Trailer', 'X-Trailer'])
    response.writeHead(status, reason, fields.flat())
    if (body !== '' && value !== undefined) {
      response.addTrailers({ 'X-Trailer': encodeURIComponent(value) })
    }
    response.end(body)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => {
    server.closeAllConnections()
    server.close()
    return reference.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urls = ['CODE_HOSTING', 'EVENT_PUBLISHING', 'INCIDENT_STATUS'].map((prefix) => [
    `${prefix}_BASE_URL`,
    baseUrl,
  ])
  return {
    environment: {
      ...environment,
      ...canaries,
      ...Object.fromEntries(urls),
      ...(options.wrongPassword === undefined
        ? {}
        : { CODE_HOSTING_PASSWORD: options.wrongPassword }),
    },
    canaries: () => [...sent, ...minted],
  }
}

function authorization(field: string, take: (value: string) => string): string {
  const [, scheme = '', credentials = ''] = /^(\S+) +(.*)$/.exec(field) ?? []
  if (scheme === '') return take(field)
  if (scheme.toLowerCase() !== 'basic') return `${scheme} ${take(credentials)}`
  const [, name = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? []
  const inner = `${name}:${take(password)}`
  return `${scheme} ${Buffer.from(inner).toString('base64')}`
}
