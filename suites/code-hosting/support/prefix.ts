import { anonymous } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'

/** An endpoint that is there whoever asks and whatever a server holds, and what it said. */
export interface FixedEndpoint {
  /** Below the prefix of the API. */
  path: string
  response: Exchange
}

/** Where the endpoint has moved to; `undefined` when it has not. */
function movedTo({ path, response }: FixedEndpoint): string | undefined {
  const { status, headers, request } = response
  const location = headers.get('location')
  if (status < 300 || status >= 400 || location === null) return undefined
  if (!URL.canParse(location, request.url.href)) return undefined
  const { pathname } = new URL(location, request.url)
  // One to the same path elsewhere, or to a page about signing in, says nothing about the prefix.
  return pathname.endsWith(path) && !pathname.endsWith(`/api/v1${path}`) ? pathname : undefined
}

/** Why the endpoint is not found below the prefix; `undefined` where nothing speaks against it. */
export function absence(endpoint: FixedEndpoint): string | undefined {
  const { status } = endpoint.response
  const moved = movedTo(endpoint)
  if (moved !== undefined) return `a redirect to ${moved}`
  return status === 404 || status === 410 ? `status ${status}` : undefined
}

/**
 * The documented endpoints without a variable in their path that are read. An anonymous request
 * shows that they are there as well as any; one that shows nothing is made with credentials.
 *
 * @throws Skip when those are needed and there are none
 */
export function fixedEndpoints(client: CodeHostingClient): Promise<FixedEndpoint>[] {
  async function ask(
    path: string,
    request: (options?: { credentials: typeof anonymous }) => Promise<Exchange>,
  ): Promise<FixedEndpoint> {
    const open = { path, response: await request({ credentials: anonymous }) }
    return absence(open) === undefined ? open : { path, response: await request() }
  }
  return [
    client
      .settings({ credentials: anonymous })
      .then((response) => ({ path: '/settings/api', response })),
    ask('/user', client.user),
    ask('/user/repos', (options) => client.repositories({}, options)),
  ]
}
