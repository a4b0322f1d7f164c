import { noContentParts } from '../../http/response-parts.ts'
import { replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

/** Publish and replay answered with another status, and a delivery status of another form. */
export const answerVariants: readonly Variant[] = [
  ...[200, 201].map((status) => ({
    name: `event-publish-answered-with-${status}`,
    change: replaceRule('publishedParts', (documented) => (event, context) => ({
      ...documented(event, context),
      status,
    })),
  })),
  {
    name: 'event-publish-answered-with-204-and-location',
    change: replaceRule('publishedParts', () => ({ id }, { deployment }) => ({
      status: 204,
      headers: new Headers({ Location: `${deployment.basePath}/v1/events/${id}` }),
    })),
  },
  {
    name: 'event-replay-answered-with-200',
    change: replaceRule('replayedParts', (documented) => (event, context) => ({
      ...documented(event, context),
      status: 200,
    })),
  },
  {
    name: 'event-replay-answered-with-204',
    change: replaceRule('replayedParts', () => () => noContentParts()),
  },
  {
    name: 'event-status-in-plain-text',
    change: replaceRule('statusParts', () => ({ attempts }) => ({
      status: 200,
      headers: new Headers({ 'Content-Type': 'text/plain' }),
      body: `delivered, ${attempts} attempts`,
    })),
  },
]
