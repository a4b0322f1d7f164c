import type { RunningReference } from '../start-reference.ts'

/** A response that was read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** `undefined` when the content is not JSON. */
  readonly json: unknown
}

export interface RequestParts {
  readonly method?: string
  readonly authorization?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown
}

export type AccountRole = '' | 'OTHER_' | 'OTP_' | 'ADMIN_'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Speaks to a reference deployment in its tests. Paths are relative to the base URL. */
export class TestClient {
  readonly reference: RunningReference
  #tokens = 0

  constructor(reference: RunningReference) {
    this.reference = reference
  }

  async send(path: string, parts: RequestParts = {}): Promise<Answer> {
    const headers = new Headers(parts.headers)
    if (parts.authorization !== undefined) headers.set('Authorization', parts.authorization)
    const { body } = parts
    if (body !== undefined && !headers.has('Content-Type')) {
      headers.set('Content-Type', 'application/json')
    }
    const response = await fetch(new URL(this.reference.baseUrl + path), {
      method: parts.method ?? 'GET',
      headers,
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  variable(name: string): string {
    const value = this.reference.environment[`CODE_HOSTING_${name}`]
    if (value === undefined) throw new Error(`CODE_HOSTING_${name} is not set`)
    return value
  }

  /** The value of an `Authorization` header with the account's password, or another one. */
  basic(role: AccountRole, password = this.variable(`${role}PASSWORD`)): string {
    const pair = `${this.variable(`${role}USERNAME`)}:${password}`
    return `Basic ${Buffer.from(pair).toString('base64')}`
  }

  createToken(role: AccountRole, body: unknown, headers = {}): Promise<Answer> {
    return this.send(`/api/v1/users/${this.variable(`${role}USERNAME`)}/tokens`, {
      method: 'POST',
      authorization: this.basic(role),
      headers,
      body,
    })
  }

  /** The value of a new token of the account. */
  async token(role: AccountRole, ...scopes: readonly string[]): Promise<string> {
    this.#tokens += 1
    const { json } = await this.createToken(role, { name: `token ${this.#tokens}`, scopes })
    return String(Object(json).sha1)
  }

  /** Sends a request of the form `METHOD /path {json}` with a token. */
  supplied(request: string, token: string): Promise<Answer> {
    const [, method = '', path = '', body] = /^(\S+) (\S+)(?: (.*))?$/.exec(request) ?? []
    return this.send(path, { method, authorization: `Bearer ${token}`, body })
  }
}
