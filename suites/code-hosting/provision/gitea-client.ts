import type { ProvisionWork } from '../../../lib/conformance/provisioner.ts'
import { basic } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { Probe } from '../../../lib/probe/probe.ts'
import { excerpt, printableSentence } from '../../../lib/text/printable.ts'
import { type Account, codeHostingVariables } from '../variables.ts'

/** A rejection by the server, or a state in which provision must not act. The message is for the operator. */
export class ProvisionError extends Error {
  override readonly name = 'ProvisionError'
}

/** A record of an account, a repository, or an organization. */
export type Fields = Readonly<Record<string, unknown>>

const advice: Record<number, string> = {
  401: 'Check CODE_HOSTING_ADMIN_USERNAME and CODE_HOSTING_ADMIN_PASSWORD. An account that uses two-factor authentication cannot be the administrator here, and the server has to allow basic authentication.',
  403: 'Is CODE_HOSTING_ADMIN_USERNAME a site administrator?',
  404: 'Is CODE_HOSTING_BASE_URL a server of the Gitea family?',
  429: 'Try again later, or set PROBE_REQUESTS_PER_SECOND.',
  500: 'See the log of the server.',
}

/** Statuses of what does not exist; a redirection means that the account was renamed. */
const absent = [301, 302, 307, 308, 404]

/** Provision creates at most 401 repositories, and servers of the family return up to 50 per page. */
const MAX_PAGES = 100

/** Returns true if a record has these values. */
export const shows = (record: Fields, values: Fields) =>
  Object.entries(values).every(([field, value]) => record[field] === value)

/** Returns the list of a response. @throws ProvisionError if it is none */
function listIn({ json, status, record: { request } }: Exchange): readonly Fields[] {
  const list: unknown = json
  if (Array.isArray(list)) return list.map(Object)
  throw new ProvisionError(
    `${request.method} ${request.url} returned no list (status ${status}). ` +
      'Is CODE_HOSTING_BASE_URL a server of the Gitea family?',
  )
}

/** Sends requests of an administrator to a server of the Gitea family, one after the other. */
export class GiteaClient {
  readonly #root: string
  readonly #admin: Account
  readonly #redactor: ProvisionWork['redactor']
  readonly #probe: Probe

  constructor(baseUrl: string, admin: Account, work: ProvisionWork) {
    const { interruption, redactor, target, userAgent } = work
    this.#root = `${baseUrl}/api/v1`
    this.#admin = admin
    this.#redactor = redactor
    this.#probe = new Probe({
      ...target.probe,
      concurrency: 1,
      userAgent,
      redactor,
      beforeSend: () => interruption.throwIfAborted(),
      onExchange() {},
    })
  }

  close(): Promise<void> {
    return this.#probe.close()
  }

  /**
   * @param path below `/api/v1`
   * @throws ProvisionError for a status that is not accepted, TransportError without a response
   */
  async send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    accepted: readonly number[],
    body?: object,
  ): Promise<Exchange> {
    const exchange = await this.#probe.send({
      service: 'code-hosting',
      purpose: 'provision',
      method,
      url: new URL(`${this.#root}${path}`),
      credentials: basic(this.#admin.username, this.#admin.password),
      headers: {
        Accept: 'application/json',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const { status, json, text, record } = exchange
    if (accepted.includes(status)) return exchange
    const { message } = Object(json) as Fields
    const response = this.#redactor.redact(typeof message === 'string' && message ? message : text)
    const shortText = excerpt(printableSentence(response), { characters: 300, lines: 1 })
    const quoted = response === '' ? 'without a message' : `"${shortText}"`
    const hint = advice[Math.min(status, 500)] ?? ''
    const sentence = `${method} ${record.request.url} returned ${status}, ${quoted}. ${hint}`
    throw new ProvisionError(sentence.trimEnd())
  }

  /** @throws ProvisionError if the server is of another family, or the account is not a site administrator */
  async requireAdministrator(): Promise<void> {
    listIn(await this.send('GET', '/admin/users?limit=1', [200]))
  }

  /** Returns the record at a path; undefined if there is none, or the status says so. */
  async find(path: string, missing: readonly number[] = []): Promise<Fields | undefined> {
    const { status, json } = await this.send('GET', path, [200, ...absent, ...missing])
    return status === 200 ? Object(json) : undefined
  }

  /** Returns the valid settings that the server reports, by variable. */
  async settings(): Promise<Record<string, number>> {
    const reported = (await this.find('/settings/api', [401, 403])) ?? {}
    const { prefix, table } = codeHostingVariables
    const settings = Object.values(table.settings).flatMap(({ name, format }) => {
      const value = reported[name.slice(prefix.length).toLowerCase()]
      const isValid = Number.isInteger(value) && format.problem(`${value}`) === undefined
      return isValid ? [[name, value]] : []
    })
    return Object.fromEntries(settings)
  }

  /** Returns the repositories of an account, by their names in lower case. */
  async repositories(owner: string): Promise<Map<string, Fields>> {
    const found = new Map<string, Fields>()
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const before = found.size
      const exchange = await this.send('GET', `/users/${owner}/repos?page=${page}&limit=50`, [200])
      for (const record of listIn(exchange)) found.set(String(record.name).toLowerCase(), record)
      // The server chooses the page size, so a short page may not be the last one.
      if (found.size === before) return found
    }
    throw new ProvisionError(
      `The list of the repositories of ${owner} does not end within ${MAX_PAGES} pages. ` +
        'Nothing was changed. Delete repositories that provision did not create, or choose another --prefix.',
    )
  }
}
