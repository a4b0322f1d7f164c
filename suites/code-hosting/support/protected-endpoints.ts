import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { skip } from '../../../lib/conformance/outcome.ts'
import { remark } from '../../../lib/conformance/scope.ts'
import { bearer } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget } from '../../../lib/target/target.ts'
import type { CallOptions, CodeHostingClient } from '../client.ts'
import type { Scope, ScopeCategory } from './scopes.ts'

/** A documented endpoint that asks for a token. */
export interface ProtectedEndpoint {
  name: string
  /** The scope category that opens it alone; absent where two may share it. */
  category?: ScopeCategory
  /** The read scopes that the document's categories give it; where there are two, one may do. */
  scopes: readonly Scope[]
  request(options?: CallOptions): Promise<Exchange>
}

/**
 * Those of the endpoints that the main account can read with a token, so that a refusal of another
 * token is about that token. What is left out becomes a remark.
 *
 * @throws Skip when there is none
 */
export async function readableEndpoints(
  endpoints: readonly ProtectedEndpoint[],
  token: string,
): Promise<ProtectedEndpoint[]> {
  const controls = await Promise.all(
    endpoints.map(async (endpoint) => ({
      endpoint,
      control: await endpoint.request({ credentials: bearer(token) }),
    })),
  )
  const readable = controls.filter(({ control }) => isSuccess(control))
  if (readable.length === 0) skip('no endpoint can be read with a token of the main account')
  for (const { endpoint, control } of controls) {
    if (isSuccess(control)) continue
    remark(`${endpoint.name} is left out: the main account got ${control.status}.`)
  }
  return readable.map(({ endpoint }) => endpoint)
}

/**
 * The endpoints that ask for a token. The one of a repository needs a configured one: without it,
 * it is left out and the passing check says so.
 */
export function protectedEndpoints(
  { publicRepository }: CodeHostingTarget,
  client: CodeHostingClient,
): ProtectedEndpoint[] {
  const endpoints: ProtectedEndpoint[] = [
    { name: 'GET /user', category: 'user', scopes: ['read:user'], request: client.user },
    {
      name: 'GET /user/repos',
      scopes: ['read:user', 'read:repository'],
      request: (options) => client.repositories({}, options),
    },
  ]
  if (publicRepository === undefined) {
    remark('GET /repos/{owner}/{repo} is left out: CODE_HOSTING_PUBLIC_REPOSITORY is not set.')
    return endpoints
  }
  return [
    ...endpoints,
    {
      name: 'GET /repos/{owner}/{repo}',
      category: 'repository',
      scopes: ['read:repository'],
      request: (options) => client.repository(publicRepository, options),
    },
  ]
}
