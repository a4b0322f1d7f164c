import type { RunningReference } from '../start-reference.ts'
import { type Answer, ServiceClient } from '../test-client.fixture.ts'

export type AccountRole = '' | 'OTHER_' | 'OTP_' | 'ADMIN_'

/** Speaks to the code hosting service of a reference deployment in its tests. */
export class TestClient extends ServiceClient {
  #tokens = 0

  constructor(reference: RunningReference) {
    super(reference, 'code-hosting')
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
