import { createKeyedServer, respondWithKey } from '../keyed-service.ts'
import type { ReferenceService } from '../rule-tables.ts'
import { endpoints } from './endpoints.ts'
import { faults } from './faults.ts'
import { documentedRules, type RequestContext, type Rules } from './rules.ts'
import { variants } from './variants.ts'

export const eventPublishing: ReferenceService<'event-publishing', Rules, RequestContext> = {
  name: 'event-publishing',
  rules: documentedRules,
  endpoints,
  respond: respondWithKey,
  deploy: (address) => ({ ...createKeyedServer(address), events: new Map() }),
  // Rejections count only if the type and the replay body are configured.
  environment: ({ baseUrl, key }) => ({
    EVENT_PUBLISHING_BASE_URL: baseUrl,
    EVENT_PUBLISHING_API_KEY: key,
    EVENT_PUBLISHING_EVENT_TYPE: 'reference.probed',
    EVENT_PUBLISHING_EVENT_PAYLOAD: JSON.stringify({ origin: 'conformance run' }),
    EVENT_PUBLISHING_REPLAY_BODY: '{}',
  }),
  faults,
  variants,
}
