import { onTestFinished } from 'vitest'
import { type ReferenceOptions, type RunningReference, startReference } from './index.ts'

/** A response that was read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** `undefined` when the content is not JSON. */
  readonly json: unknown
}

export interface RequestParts {
  /** The value of the `Authorization` header. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it stands. */
  readonly body?: unknown
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Speaks to a reference deployment in its tests. */
export class TestClient {
  readonly reference: RunningReference
  #tokens = 0

  constructor(reference: RunningReference) {
    this.reference = reference
  }

  /** @param request method and path below the base URL, as in `GET /api/v1/user` */
  async send(request: string, { as, headers, body }: RequestParts = {}): Promise<Answer> {
    const [method, path = ''] = request.split(/ (.*)/)
    const response = await fetch(this.reference.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(as !== undefined && { Authorization: as }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parsed(text) }
  }

  async status(request: string, parts?: RequestParts): Promise<number> {
    return (await this.send(request, parts)).status
  }

  variable(name: string): string {
    const value = this.reference.environment[name]
    if (value === undefined) throw new Error(`${name} is not set`)
    return value
  }

  /** The `Authorization` header with the password of an account: `''`, `OTHER_` and so on. */
  basic(account = ''): string {
    const [user, password] = ['USERNAME', 'PASSWORD'].map((name) =>
      this.variable(`CODE_HOSTING_${account}${name}`),
    )
    return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  }

  createToken(account: string, body: unknown, headers = {}): Promise<Answer> {
    const user = this.variable(`CODE_HOSTING_${account}USERNAME`)
    const request = `POST /api/v1/users/${user}/tokens`
    return this.send(request, { as: this.basic(account), body, headers })
  }

  /** The `Authorization` header with a new token of the account. */
  async bearer(account: string, ...scopes: readonly string[]): Promise<string> {
    this.#tokens += 1
    const { json } = await this.createToken(account, { name: `token ${this.#tokens}`, scopes })
    return `Bearer ${Object(json).sha1}`
  }
}

/** Starts a deployment that is closed with the test. */
export async function start(options: ReferenceOptions = {}): Promise<TestClient> {
  const reference = await startReference(options)
  onTestFinished(() => reference.close())
  return new TestClient(reference)
}
