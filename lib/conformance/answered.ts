import type { Exchange } from '../probe/exchange.ts'
import { skip } from './outcome.ts'
import { remark } from './scope.ts'

/**
 * Those of the responses that have the status which a statement is about. Whether they should have
 * it is another requirement's business: the others become a remark.
 *
 * @throws Skip when none has it
 */
export async function answeredWith(
  status: number,
  requests: readonly (Exchange | Promise<Exchange>)[],
): Promise<Exchange[]> {
  const responses = await Promise.all(requests)
  const others = responses.filter((response) => response.status !== status)
  const described = others
    .map((other) => `${other.record.request.method} ${other.record.request.url}: ${other.status}`)
    .join(', ')
  if (others.length === responses.length) skip(`needs a response with ${status} (${described})`)
  if (others.length > 0) remark(`Left out for want of ${status}: ${described}.`)
  return responses.filter((response) => response.status === status)
}
