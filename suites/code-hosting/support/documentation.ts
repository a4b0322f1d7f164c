import { inconclusive } from '../../../lib/conformance/outcome.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'

const SIGN_IN = /\/(?:[^/]*[-_.])?(?:log|sign)[-_]?in(?:[-_.][^/]*)?(?:\/|$)/i

function leavesOrigin(location: string | null, from: URL): boolean {
  if (location === null || !URL.canParse(location, from.href)) return false
  return new URL(location, from).origin !== from.origin
}

/**
 * The API documentation. Nothing says that it is open to anybody, so that where it is refused it is
 * asked for once more with credentials.
 *
 * @param credentials throws `Skip` when there are none
 */
export async function readDocumentation(
  client: CodeHostingClient,
  credentials: () => Promise<Credentials>,
): Promise<Exchange> {
  const open = await client.documentation()
  if (open.status !== 401 && open.status !== 403) return open
  return client.documentation({ credentials: await credentials() })
}

/**
 * Looks whether what came as the API documentation can be it.
 *
 * @param elsewhere the response for a path that is nowhere
 * @throws Inconclusive for a redirect to another origin, a sign-in page, and a page that the server
 *   gives for any path
 */
export function requireDocumentation(documentation: Exchange, elsewhere: Exchange): void {
  const { status, headers, request, text } = documentation
  const location = headers.get('location')
  if (status >= 300 && status < 400 && leavesOrigin(location, request.url)) {
    inconclusive(
      `/api/swagger leads to ${location}, which is another origin and is not followed: ` +
        'CODE_HOSTING_BASE_URL may be set to it',
    )
  }
  if (SIGN_IN.test(request.url.pathname)) {
    inconclusive(`/api/swagger leads to a sign-in page, ${request.url.pathname}`)
  }
  if (status === 200 && elsewhere.status === 200 && text === elsewhere.text) {
    inconclusive('/api/swagger gives the same page as a path that is nowhere')
  }
}
