import { type EntryParts, harEntry } from '../../../lib/conformance/recording/har-entry.fixture.ts'
import { judgeRecording } from '../../../lib/conformance/recording/judge-recording.ts'
import { toExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import type { Target } from '../../../lib/environment/target.ts'
import { codeHosting } from '../requirements.ts'
import { targetWith } from '../service.fixture.ts'
import { recorded } from './recorded.ts'

export const BASE_URL = 'https://git.example.com'
const { settings, ...others } = targetWith()
const sizes = { maxResponseItems: 25, defaultPagingNum: 20 }
export const target = {
  probe: {},
  codeHosting: { ...others, settings: { ...settings, ...sizes } },
} as Target

/** Returns the results of a recording by the id of the requirement without the service. */
export async function judged(parts: readonly EntryParts[], showsCredentials = true) {
  const service = {
    service: 'code-hosting',
    baseUrl: BASE_URL,
    endpoints: recorded.endpoints,
    documentsStatuses: true,
    redact: (text: string) => text,
  }
  const exchanges = parts.flatMap(
    ({ url = '/user', ...one }, index) =>
      toExchange(
        {
          entry: harEntry({ at: index, ...one, url: `${BASE_URL}/api/v1${url}` }),
          showsCredentials,
        },
        `e${index + 1}`,
        service,
      ) ?? [],
  )
  const results = await judgeRecording({
    catalogue: codeHosting,
    rules: await recorded.rules(exchanges, target),
    exchanges,
    target,
    selected: codeHosting.requirements.map(({ id }) => id),
    normalize: (text) => text,
  })
  const verdictsOf = (id: string) =>
    results
      .filter(({ requirement }) => requirement === `code-hosting/${id}`)
      .map(({ verdict }) => verdict)
  const failing = results.filter(({ verdict }) => verdict === 'fail')
  return { results, verdictsOf, failing: failing.map(({ requirement }) => requirement.slice(13)) }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Request that creates a token, and its response. */
export const creation = (scopes: readonly string[], token = 'abc', name = 'one'): EntryParts => ({
  method: 'POST',
  url: '/users/maria/tokens',
  status: 201,
  sent: { Authorization: 'Basic bWFyaWE6eA==' },
  postData: JSON.stringify({ name, scopes }),
  body: { name, sha1: token, token_last_eight: token },
})

export const user: EntryParts = { body: { login: 'maria' } }
export const error = (status: number, message = ''): EntryParts => ({
  status,
  body: { message, url: `${BASE_URL}/api/swagger` },
})

export const all = Array.from({ length: 30 }, (_, index) => ({ full_name: `maria/r${index}` }))

/** A conforming page of a list with 30 items. */
export function listPage(
  page: number,
  limit: number,
  headers: Record<string, string> = {},
): EntryParts {
  const last = Math.ceil(30 / limit)
  const link = (number: number, relation: string) =>
    `<${BASE_URL}/api/v1/user/repos?limit=${limit}&page=${number}>; rel="${relation}"`
  const links = [
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first'), link(page - 1, 'prev')] : []),
  ]
  return {
    url: `/user/repos?limit=${limit}&page=${page}`,
    sent: bearer('unknown'),
    headers: {
      'X-Total-Count': '30',
      'X-Page': String(page),
      'X-PerPage': String(limit),
      'X-HasMore': String(page < last),
      Link: links.join(', '),
      ...headers,
    },
    body: all.slice((page - 1) * limit, page * limit),
  }
}
