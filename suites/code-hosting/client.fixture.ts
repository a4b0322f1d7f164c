import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange, Send } from '../../lib/probe/exchange.ts'
import { createCodeHostingClient } from './client.ts'

export const BASE_URL = 'https://code.test/forge'

export type SentRequest = Parameters<Send>[0]

export interface Answer {
  status?: number
  headers?: Record<string, string>
  json?: unknown
}

function exchangeOf(request: SentRequest, { status = 200, headers, json }: Answer): Exchange {
  return {
    id: 'e1',
    request: { ...request, service: 'code-hosting', purpose: 'test' },
    status,
    headers: new Headers(headers),
    text: json === undefined ? '' : JSON.stringify(json),
    json,
    isUtf8: true,
    redact: (part) => part,
    record: {
      id: 'e1',
      service: 'code-hosting',
      purpose: 'test',
      startedAt: '2026-01-01T00:00:00.000Z',
      durationMs: 1,
      attempt: 1,
      request: { method: request.method, url: request.url.href, headers: [], body: null },
      response: null,
      error: null,
    },
  }
}

/** A client whose requests are kept and answered by `answer`. */
export function startClient(
  answer: (request: SentRequest) => Answer = () => ({}),
  baseUrl = BASE_URL,
) {
  const sent: SentRequest[] = []
  const send: Send = async (request) => {
    sent.push(request)
    return exchangeOf(request, answer(request))
  }
  const client = createCodeHostingClient(baseUrl, send, async () => bearer('default'))
  return { client, sent, urls: () => sent.map(({ url }) => url.href) }
}
