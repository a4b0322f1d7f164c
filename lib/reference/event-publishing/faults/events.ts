import { noContentParts } from '../../http/response-parts.ts'
import type { Fault } from '../fault.ts'
import type { Endpoint } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const readable = 'event-publishing/status/readable'
const replayAccepted = 'event-publishing/replay/accepted'

function eventUnknown(endpoint: Endpoint): RuleChange {
  return replaceRule(
    'eventWithId',
    (documented) => (id, context) =>
      context.endpoint === endpoint ? undefined : documented(id, context),
  )
}

/** Faults in what can be done with a published event. */
export const eventFaults: readonly Fault[] = [
  {
    name: 'event-status-without-body',
    requirements: [readable],
    change: replaceRule('statusParts', () => () => ({ status: 200, headers: new Headers() })),
  },
  {
    name: 'event-status-answered-with-204',
    requirements: [readable],
    change: replaceRule('statusParts', () => () => noContentParts()),
  },
  {
    name: 'event-status-answered-with-500',
    requirements: [readable],
    change: replaceRule('statusParts', () => () => ({ status: 500, headers: new Headers() })),
  },
  {
    name: 'event-status-answered-with-a-redirect',
    requirements: [readable],
    change: replaceRule('statusParts', () => ({ id }, { deployment }) => ({
      status: 302,
      headers: new Headers({ Location: `${deployment.baseUrl}/status/${id}` }),
    })),
  },
  {
    name: 'event-status-unknown-for-published-event',
    requirements: [readable],
    change: eventUnknown('status'),
  },
  {
    name: 'event-replay-unknown-for-published-event',
    requirements: [replayAccepted],
    change: eventUnknown('replay'),
  },
  {
    name: 'event-replay-refused',
    requirements: [replayAccepted],
    change: replaceRule('replayRefused', () => () => ({
      status: 409,
      message: 'the event was delivered already',
    })),
  },
  {
    name: 'event-replay-answered-with-500',
    requirements: [replayAccepted],
    change: replaceRule('replayRefused', () => () => ({ status: 500, message: 'internal error' })),
  },
]
