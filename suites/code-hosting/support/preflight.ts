import { inconclusive } from '../../../lib/conformance/outcome.ts'
import { unansweredQuestion, unansweredWords } from '../../../lib/conformance/require-service.ts'
import { anonymous, basic, bearer } from '../../../lib/probe/credentials.ts'
import { type Exchange, TransportError } from '../../../lib/probe/exchange.ts'
import type { CodeHostingClient } from '../client.ts'
import type { CodeHostingTarget } from '../variables.ts'

function reasonOf(outcome: PromiseSettledResult<Exchange>): string {
  return outcome.status === 'rejected' ? (outcome.reason as Error).message : ''
}

function describe({ record, status, headers }: Exchange): string {
  const type = headers.get('content-type') ?? 'no media type'
  const location = headers.get('location')
  const redirect = location === null ? '' : ` and a redirect to ${location}`
  return `${record.request.method} ${record.request.url} gave status ${status} (${type})${redirect}`
}

/**
 * Looks, before anything else is sent, whether a code hosting service answers at the base URL at
 * all. The requests are ones that checks need anyway; most of them carry no credentials.
 *
 * @throws Inconclusive with the one thing to look at, when it does not
 */
export async function preflight(
  { baseUrl, username, password, token, publicRepository }: CodeHostingTarget,
  client: CodeHostingClient,
): Promise<void> {
  const outcomes = await Promise.allSettled([
    client.settings({ credentials: anonymous }),
    client.user({ credentials: anonymous }),
    client.repositories({}, { credentials: anonymous }),
    ...(publicRepository === undefined
      ? []
      : [client.repository(publicRepository, { credentials: anonymous })]),
    ...(username === undefined || password === undefined
      ? []
      : [client.user({ credentials: basic(username, password) })]),
    ...(token === undefined ? [] : [client.user({ credentials: bearer(token) })]),
  ])
  const answers = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  )
  const [first] = answers
  if (first === undefined) {
    const causes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason?.cause : undefined,
    )
    const failures = causes.filter((cause) => cause instanceof TransportError)
    const words =
      failures.length === causes.length ? unansweredWords(failures) : 'gives no answer of its own'
    inconclusive(
      `${baseUrl} ${words}: ${reasonOf(outcomes[0])}.` +
        unansweredQuestion(failures, 'CODE_HOSTING_BASE_URL'),
    )
  }
  const strange = answers.every(({ json }) => json === undefined)
  if (strange || answers.every(({ status }) => status === 404)) {
    inconclusive(
      `${baseUrl} does not answer like a code hosting service: ${describe(first)}. ` +
        'CODE_HOSTING_BASE_URL is the address below which /api/v1 lies.',
    )
  }
}
