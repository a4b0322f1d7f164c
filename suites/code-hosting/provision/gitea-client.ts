import { setTimeout as delay } from 'node:timers/promises'
import type { ProvisionWork } from '../../../lib/conformance/provisioner.ts'
import { isBelow } from '../../../lib/probe/base-url.ts'
import { basic, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { createProbe, type Probe } from '../../../lib/probe/probe.ts'
import type { Redactor } from '../../../lib/probe/redaction/redaction.ts'
import { delayBeforeRetry } from '../../../lib/probe/retry.ts'
import { excerpt, printableSentence } from '../../../lib/text/printable.ts'
import type { Account } from '../variables.ts'

/** A rejection by the server, or a state in which provision must not act. The message is for the operator. */
export class ProvisionError extends Error {
  override readonly name = 'ProvisionError'
  /** Status of the response, if there is a single one. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}

/** An interruption by the operator; earlier changes stay. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  override readonly message = 'stopped before everything was done'
}

interface ProvisionRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Starts with a slash; names in it are percent-encoded. */
  path: string
  json?: object
  accepted: readonly number[]
}

const advice: Record<number, string> = {
  401: 'Check CODE_HOSTING_ADMIN_USERNAME and CODE_HOSTING_ADMIN_PASSWORD. An account that uses two-factor authentication cannot be the administrator here, and the server has to allow basic authentication.',
  403: 'Is CODE_HOSTING_ADMIN_USERNAME a site administrator?',
  404: 'Is CODE_HOSTING_BASE_URL a server of the Gitea family?',
  429: 'Try again later: created resources stay, and a repeated command continues.',
}

function toError({ method, path }: ProvisionRequest, exchange: Exchange, redactor: Redactor) {
  const { status, json, text } = exchange
  const { message } = Object(json) as { message?: unknown }
  const quotedText = redactor.redact(typeof message === 'string' && message !== '' ? message : text)
  const shortText = excerpt(printableSentence(quotedText), { characters: 300, lines: 1 })
  const hint =
    status >= 500
      ? 'See the log of the server. Created resources stay: a repeated command continues, and --remove deletes them.'
      : (advice[status] ?? '')
  const quoted = quotedText === '' ? 'without a message' : `"${shortText}"`
  const sentence = `${method} ${redactor.redact(path)} returned ${status}, ${quoted}.`
  return new ProvisionError(`${sentence} ${hint}`.trimEnd(), status)
}

/** Examples of records with the fields in use; servers add further fields. */
const examples = {
  'an account': { login: '', full_name: '', email: '', is_admin: false },
  'a repository': { name: '', full_name: '', description: '', private: false, archived: false },
  'an organization': { name: '', description: '' },
}
type Kind = keyof typeof examples

export type AccountRecord = (typeof examples)['an account'] & {
  login_name?: string
  source_id?: number
}
export type RepositoryRecord = (typeof examples)['a repository']
export type OrganizationRecord = (typeof examples)['an organization']

const settingFields = [
  'max_response_items',
  'default_paging_num',
  'default_git_trees_per_page',
  'default_max_blob_size',
  'default_max_response_size',
] as const

export type SettingsRecord = Partial<Record<(typeof settingFields)[number], number>>

function isLike<Shape extends object>(example: Shape, value: unknown): value is Shape {
  const record = Object(value) as Readonly<Record<string, unknown>>
  return Object.entries(example).every(([field, sample]) => typeof record[field] === typeof sample)
}

function notLike(type: string, { record: { request }, status }: Exchange): ProvisionError {
  return new ProvisionError(
    `${request.method} ${request.url} returned status ${status}, but not ${type} as servers of the Gitea ` +
      'family represent it. Is CODE_HOSTING_BASE_URL such a server?',
  )
}

/** @throws ProvisionError if the body is not such a record */
export function readRecord<K extends Kind>(kind: K, exchange: Exchange): (typeof examples)[K] {
  const body: unknown = exchange.json
  if (isLike(examples[kind], body)) return body
  throw notLike(kind, exchange)
}

/** @throws ProvisionError if the body is not the record of the account with this name, which later paths contain */
export function readAccount(name: string, exchange: Exchange): AccountRecord {
  const record = readRecord('an account', exchange)
  if (record.login === name) return record
  const { method, url } = exchange.record.request
  const login = JSON.stringify(
    excerpt(printableSentence(record.login), { characters: 60, lines: 1 }),
  )
  throw new ProvisionError(
    `${method} ${url} returned the account ${login} instead of ${name}. Choose another --prefix.`,
  )
}

/** Returns a path with encoded names. */
export function path(texts: TemplateStringsArray, ...names: string[]): string {
  return String.raw({ raw: texts }, ...names.map(encodeURIComponent))
}

/** A redirection means that the account was renamed. */
const absent = [301, 302, 307, 308, 404]

/** Provision creates at most 401 repositories, and servers of the family return up to 50 per page. */
const MAX_PAGES = 100

/** Maximum duration of all pauses that the server requests. */
const MAX_PAUSES_MS = 60_000

/** Sends requests to a server of the Gitea family, one after the other, until the interruption aborts. */
export class GiteaClient {
  readonly baseUrl: string
  readonly redactor: Redactor
  readonly #work: Pick<ProvisionWork, 'target' | 'interruption'>
  readonly #credentials: Credentials
  readonly #probe: Probe

  constructor(baseUrl: string, admin: Account, work: ProvisionWork) {
    const { interruption, redactor, target, userAgent } = work
    this.baseUrl = baseUrl
    this.redactor = redactor
    this.#work = work
    this.#credentials = basic(admin.username, admin.password)
    this.#probe = createProbe({
      ...target.probe,
      concurrency: 1,
      maxPausesMs: MAX_PAUSES_MS,
      userAgent,
      redactor,
      beforeSend() {
        if (interruption.aborted) throw new Stopped()
      },
      onExchange() {},
    })
  }

  close(): Promise<void> {
    return this.#probe.close()
  }

  /**
   * Repeats a request that was rejected with 429 when the server says so, as it had no effect.
   *
   * @throws ProvisionError for a status that is not accepted, Stopped, TransportError without a response
   */
  async #send(request: ProvisionRequest): Promise<Exchange> {
    const { method, path, json, accepted } = request
    const { interruption, target } = this.#work
    const url = new URL(`${this.baseUrl}${path}`)
    if (!isBelow(url, this.baseUrl)) {
      throw new ProvisionError(`${method} ${url} was not sent: it is not below ${this.baseUrl}.`)
    }
    for (let attempt = 1; ; attempt += 1) {
      const exchange = await this.#probe.send({
        service: 'code-hosting',
        purpose: 'provision',
        method,
        url,
        credentials: this.#credentials,
        headers: {
          Accept: 'application/json',
          ...(json && { 'Content-Type': 'application/json' }),
        },
        ...(json && { body: JSON.stringify(json) }),
      })
      const { status, exceededPausesMs } = exchange
      if (accepted.includes(status)) return exchange
      // The probe repeats a GET by itself.
      const mayRepeat =
        status === 429 &&
        exceededPausesMs === undefined &&
        method !== 'GET' &&
        attempt <= target.probe.retries
      const retryAfter = exchange.headers.get('retry-after')
      const wait = mayRepeat ? delayBeforeRetry(attempt, retryAfter) : undefined
      if (wait === undefined) throw toError(request, exchange, this.redactor)
      await delay(wait, undefined, { signal: interruption }).catch(() => {
        throw new Stopped()
      })
    }
  }

  /** Sends a request of the administrator. @param path below `/api/v1` */
  api(
    method: ProvisionRequest['method'],
    path: string,
    accepted: readonly number[],
    json?: object,
  ): Promise<Exchange> {
    return this.#send({ method, path: `/api/v1${path}`, accepted, ...(json && { json }) })
  }

  /** Returns the record at a path; undefined if there is none. */
  async find<K extends Kind>(kind: K, path: string) {
    const exchange = await this.api('GET', path, [200, ...absent])
    return exchange.status === 200 ? readRecord(kind, exchange) : undefined
  }

  /** Returns the account with a name; undefined if there is none. */
  async account(name: string): Promise<AccountRecord | undefined> {
    const exchange = await this.api('GET', path`/users/${name}`, [200, ...absent])
    return exchange.status === 200 ? readAccount(name, exchange) : undefined
  }

  async delete(path: string): Promise<void> {
    await this.api('DELETE', path, [204, 404])
  }

  async settings(): Promise<SettingsRecord> {
    const { status, json } = await this.api('GET', '/settings/api', [200, 401, 403, 404])
    const reported = Object(status === 200 ? json : {}) as SettingsRecord
    const sizes = settingFields.map((field) => [field, reported[field]] as const)
    return Object.fromEntries(sizes.filter(([, size = 0]) => Number.isInteger(size) && size > 0))
  }

  async repositories(owner: string): Promise<RepositoryRecord[]> {
    const found = new Map<string, RepositoryRecord>()
    const isRepository = (body: unknown) => isLike(examples['a repository'], body)
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const before = found.size
      const url = `${path`/users/${owner}/repos`}?page=${page}&limit=50`
      const exchange = await this.api('GET', url, [200])
      const body: unknown = exchange.json
      if (!Array.isArray(body) || !body.every(isRepository)) {
        throw notLike('a list of repositories', exchange)
      }
      for (const record of body) found.set(record.name, record)
      // The server chooses the page size, so a short page may not be the last one.
      if (found.size === before) return [...found.values()]
    }
    throw new ProvisionError(
      `The list of the repositories of ${owner} does not end within ${MAX_PAGES} pages. ` +
        'Nothing was changed. Delete repositories that provision did not create, or choose another --prefix.',
    )
  }

  async changeAccount({ login, login_name, source_id }: AccountRecord, change: object) {
    // The server requires these two for each change.
    const required = { source_id: source_id ?? 0, login_name: login_name || login }
    await this.api('PATCH', path`/admin/users/${login}`, [200], { ...required, ...change })
  }
}
