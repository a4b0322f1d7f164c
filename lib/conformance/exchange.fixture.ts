import { type Exchange, type ProbeRequest, withParts } from '../probe/exchange.ts'
import { linksOf } from '../probe/header-fields.ts'
import { originOf } from '../probe/origin.ts'
import { Redactor } from '../probe/redaction.ts'
import { Inconclusive } from './check-errors.ts'

/** What a fake server answers: `json` becomes the text of the body, unless that is given. */
export interface Answer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  text?: string
  /** Reports keep no bodies. */
  leftOut?: boolean
  /** The body is a list of more elements, too large to be read. */
  leastElements?: number
  /** The document of the service states the status of each rejection; by default it does. */
  documentsStatuses?: boolean
}

export const BASE_URL = 'https://git.example.com'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An exchange with everything that the judging side reads; its record is redacted. */
export function exchangeOf(
  id: string,
  request: ProbeRequest,
  {
    status = 200,
    headers = {},
    leftOut = false,
    leastElements,
    documentsStatuses = true,
    ...body
  }: Answer,
  redactor = new Redactor(),
): Exchange {
  const text = body.text ?? (body.json === undefined ? '' : JSON.stringify(body.json))
  const fields = new Headers(headers)
  if (text !== '' && !fields.has('content-type')) fields.set('content-type', 'application/json')
  const json = parsed(text)
  for (const { name, value } of request.secretsIn?.(json, text) ?? []) redactor.add(name, value)
  const refuse = () => {
    throw new Inconclusive({ kind: 'unreadable', exchange: id, detail: 'the body is too large' })
  }
  const content =
    leastElements === undefined
      ? { text, json }
      : {
          leastElements,
          get text() {
            return refuse()
          },
          get json() {
            return refuse()
          },
        }
  return withParts(content, {
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
      startedAt: new Date().toISOString(),
      durationMs: 1,
      attempt: 1,
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
      error: null,
    },
  })
}

let made = 0

/** An exchange with an answer, to a GET of that path. */
export function exchangeWith(
  answer: Answer = {},
  path = '/api/v1/user',
  parts: Partial<ProbeRequest> = {},
): Exchange {
  made += 1
  const request: ProbeRequest = {
    service: 'code-hosting',
    purpose: 'test',
    method: 'GET',
    url: new URL(`${BASE_URL}${path}`),
    ...parts,
  }
  return exchangeOf(`x${made}`, request, answer)
}

/** The error that some work throws; a promise that is kept counts as none. */
export async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  return undefined
}
