import type { ServiceName } from './services.ts'
import { type ReferenceOptions, type RunningReference, startReference } from './start-reference.ts'

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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Speaks to one service of a reference deployment in its tests. Paths are relative to the base URL. */
export class ServiceClient {
  readonly reference: RunningReference
  readonly #prefix: string

  /** @param service the one whose variables are asked for */
  constructor(reference: RunningReference, service: ServiceName) {
    this.reference = reference
    this.#prefix = `${service.replace('-', '_').toUpperCase()}_`
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

  /** @param name without the prefix of the service */
  variable(name: string): string {
    const value = this.reference.environment[this.#prefix + name]
    if (value === undefined) throw new Error(`${this.#prefix}${name} is not set`)
    return value
  }
}

/** Starts a deployment whose environment tells of all services. */
export function startAll(options: ReferenceOptions = {}): Promise<RunningReference> {
  const services: ServiceName[] = ['code-hosting', 'event-publishing', 'incident-status']
  return startReference({ services, ...options })
}
