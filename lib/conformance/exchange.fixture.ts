import type { Exchange, ProbeRequest } from '../probe/exchange.ts'
import { linksOf } from '../probe/header-fields.ts'
import { originOf } from '../probe/origin.ts'
import { Redactor } from '../probe/redaction/redaction.ts'
import { Inconclusive } from './check-errors.ts'

/** Response of a fake server; `text` defaults to the text of `json`. */
export interface StubResponse {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** True if reports keep no bodies. */
  leftOut?: boolean
  /** Minimum number of elements of a list that is too large to read. */
  minLength?: number
  /** True (default) if the document states the statuses of rejections. */
  documentsStatuses?: boolean
}

export const BASE_URL = 'https://git.example.com'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Content of a list that is too large to read. */
const unreadList = (exchange: string, minLength: number) => {
  const fail = (): never => {
    throw new Inconclusive({ kind: 'unreadable', exchange, detail: 'the body is too large' })
  }
  return {
    minLength,
    get text() {
      return fail()
    },
    get json() {
      return fail()
    },
  }
}

/** Creates an exchange with a redacted record. */
export function exchangeOf(
  id: string,
  request: ProbeRequest,
  {
    status = 200,
    headers = {},
    leftOut = false,
    minLength,
    documentsStatuses = true,
    ...body
  }: StubResponse,
  redactor = new Redactor(),
): Exchange {
  const text = body.text ?? (body.json === undefined ? '' : JSON.stringify(body.json))
  const fields = new Headers(headers)
  if (text !== '' && !fields.has('content-type')) fields.set('content-type', 'application/json')
  const json = parse(text)
  for (const { name, value } of request.secretsIn?.(json, text) ?? []) redactor.add(name, value)
  const content = minLength === undefined ? { text, json } : unreadList(id, minLength)
  return Object.assign(content, {
    id,
    request,
    status,
    origin: originOf(status, documentsStatuses),
    headers: fields,
    links: linksOf(fields.get('link')),
    isUtf8: true,
    redact: (part: string) => redactor.redact(part),
    record: {
      id,
      service: request.service,
      purpose: request.purpose,
      ...{ startedAt: new Date().toISOString(), durationMs: 1, attempt: 1, error: null },
      request: {
        method: request.method,
        url: redactor.redact(request.url.href),
        headers: [],
        body: request.body ?? null,
      },
      response: {
        status,
        headers: [...fields].map(([name, value]) => ({ name, value: redactor.redact(value) })),
        body: text === '' || leftOut ? null : redactor.redact(text),
        bodyBytes: Buffer.byteLength(text),
      },
    },
  })
}

let count = 0

/** Creates an exchange of a GET request to a path. */
export function exchangeWith(
  response: StubResponse = {},
  path = '/api/v1/user',
  parts: Partial<ProbeRequest> = {},
): Exchange {
  count += 1
  const request: ProbeRequest = {
    service: 'code-hosting',
    purpose: 'test',
    method: 'GET',
    url: new URL(`${BASE_URL}${path}`),
    ...parts,
  }
  return exchangeOf(`x${count}`, request, response)
}

/** Returns the error that `work` throws or rejects with, if any. */
export async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  return undefined
}
