import type { Entry } from 'har-format'

export interface EntryParts {
  method?: string
  url?: string
  status?: number
  /** Header fields of the request. */
  sent?: Record<string, string>
  /** Header fields of the response. */
  headers?: Record<string, string>
  /** JSON of the response, or its text; undefined for a recording without it. */
  body?: unknown
  content?: Partial<Entry['response']['content']>
  postData?: string
  /** Seconds after the first entry. */
  at?: number
}

const fieldsOf = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }))

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

/** Returns an entry as browsers and proxies write it. */
export function harEntry(parts: EntryParts = {}, extensions: object = {}): Entry {
  const { method = 'GET', url = 'https://git.example.com/api/v1/user', status = 200 } = parts
  const { sent = {}, headers = {}, body, content, postData, at = 0 } = parts
  const text = body === undefined ? undefined : textOf(body)
  const message = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 }
  return {
    startedDateTime: new Date(Date.UTC(2026, 1, 3) + at * 1000).toISOString(),
    time: 12.5,
    request: {
      ...message,
      ...{ method, url, headers: fieldsOf(sent), queryString: [] },
      ...(postData !== undefined && {
        postData: { mimeType: 'application/json', text: postData },
      }),
    },
    response: {
      ...message,
      ...{ status, statusText: '', headers: fieldsOf(headers), redirectURL: '' },
      content: {
        size: text?.length ?? -1,
        mimeType: 'application/json',
        ...(text !== undefined && { text }),
        ...content,
      },
    },
    cache: {},
    timings: { wait: 12.5, receive: 0 },
    ...extensions,
  }
}

/** Returns the text of an archive. */
export const harText = (entries: readonly Entry[], indent?: number): string =>
  JSON.stringify(
    {
      log: {
        version: '1.2',
        creator: { name: 'a tool', version: '1' },
        pages: [{ id: 'page_1', title: 'a "title" with {braces}', pageTimings: { onLoad: 3 } }],
        entries,
      },
    },
    null,
    indent,
  )
