import type { Environment } from '../service-variation.ts'
import type { Deployment } from './deployment.ts'

/**
 * The `EVENT_PUBLISHING_*` variables with which everything that the deployment offers can be judged.
 * Type and replay body are told although any would do: only then is a refusal held against it.
 */
export function eventPublishingEnvironment(deployment: Deployment): Environment {
  return {
    EVENT_PUBLISHING_BASE_URL: deployment.baseUrl,
    EVENT_PUBLISHING_API_KEY: deployment.key,
    EVENT_PUBLISHING_EVENT_TYPE: 'reference.probed',
    EVENT_PUBLISHING_EVENT_PAYLOAD: JSON.stringify({ origin: 'conformance run' }),
    EVENT_PUBLISHING_REPLAY_BODY: '{}',
  }
}
