import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { skip } from '../../../lib/conformance/outcome.ts'
import { anonymous, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { ProtectedEndpoint } from './protected-endpoints.ts'

/**
 * Sends credentials that are to be refused by being overlooked. An endpoint that answers everybody
 * cannot tell that from accepting them; that it does is judged elsewhere.
 *
 * @throws Skip where it answers a request without credentials too
 */
export async function unlessOpen(
  request: ProtectedEndpoint['request'],
  credentials: Credentials,
): Promise<Exchange> {
  const response = await request({ credentials })
  if (isSuccess(response) && isSuccess(await request({ credentials: anonymous }))) {
    skip('it answers without credentials too, so nothing tells whether the token was accepted')
  }
  return response
}
