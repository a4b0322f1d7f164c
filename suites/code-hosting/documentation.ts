import { checkSettings, inconclusive } from '../../lib/conformance/check-errors.ts'
import { isBelow } from '../../lib/probe/base-url.ts'
import type { Credentials } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { CodeHostingClient } from './client.ts'

const SIGN_IN = /\/(?:[^/]*[-_.])?(?:log|sign)[-_]?in(?:[-_.][^/]*)?(?:\/|$)/i

/** Reads the API documentation, with credentials if the server rejects a request without. */
export async function readDocumentation(
  client: CodeHostingClient,
  credentials: () => Promise<Credentials>,
): Promise<Exchange> {
  const open = await client.documentation()
  if (open.status !== 401 && open.status !== 403) return open
  return client.documentation({ credentials: await credentials() })
}

/**
 * @param elsewhere the response for a path that does not exist
 * @throws Inconclusive for a redirect outside the base URL, a sign-in page, and a page for any path
 */
export function requireDocumentation(
  documentation: Exchange,
  elsewhere: Exchange,
  baseUrl: string,
): void {
  const { status, headers, request, text } = documentation
  const location = headers.get('location') ?? ''
  const isLink = URL.canParse(location, request.url.href)
  const next = isLink ? new URL(location, request.url) : request.url
  if (status >= 300 && status < 400 && !isBelow(next, baseUrl)) {
    const problem = `/api/swagger redirects to ${location}, which is not below ${baseUrl} and was not requested`
    checkSettings(['CODE_HOSTING_BASE_URL'], problem, documentation)
  }
  if (SIGN_IN.test(request.url.pathname)) {
    inconclusive(`/api/swagger redirects to a sign-in page, ${request.url.pathname}`, documentation)
  }
  if (status === 200 && elsewhere.status === 200 && text === elsewhere.text) {
    inconclusive('/api/swagger returns the same page as a path that does not exist', documentation)
  }
}
