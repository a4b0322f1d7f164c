import { checkSettings, inconclusive } from '../../../lib/conformance/check-errors.ts'
import { isBelow } from '../../../lib/probe/base-url.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'

const SIGN_IN = /\/(?:[^/]*[-_.])?(?:log|sign)[-_]?in(?:[-_.][^/]*)?(?:\/|$)/i

/** The API documentation, with credentials where it is refused: nothing says that it is open to anybody. */
export async function readDocumentation(
  client: CodeHostingClient,
  credentials: () => Promise<Credentials>,
): Promise<Exchange> {
  const open = await client.documentation()
  if (open.status !== 401 && open.status !== 403) return open
  return client.documentation({ credentials: await credentials() })
}

/**
 * @param elsewhere the response for a path that is nowhere
 * @throws Inconclusive for a redirect that leads away from the base URL, a sign-in page, and a page that
 *   the server gives for any path
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
    const leads = `/api/swagger leads to ${location}, which is not below ${baseUrl} and is not followed`
    checkSettings(['CODE_HOSTING_BASE_URL'], leads, documentation)
  }
  if (SIGN_IN.test(request.url.pathname)) {
    inconclusive(`/api/swagger leads to a sign-in page, ${request.url.pathname}`, documentation)
  }
  if (status === 200 && elsewhere.status === 200 && text === elsewhere.text) {
    inconclusive('/api/swagger gives the same page as a path that is nowhere', documentation)
  }
}
