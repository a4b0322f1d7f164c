import { jsonParts, noContentParts } from '../../http/response-parts.ts'
import { tolerance } from '../../tolerance-ids.ts'
import { replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const publish = 'event-publishing/publish'
const published = [
  `${publish}/accepted`,
  `${publish}/free-form-payload`,
  `${publish}/idempotency-key`,
]
const replay = 'event-publishing/replay/accepted'
const status = 'event-publishing/status/readable'
const ofAnyEventId = tolerance('any-event-id-place', [status, replay])

const publishedWithAnyStatus = tolerance('any-success-status', published)
const publishedWithAnyBody = tolerance('any-body-or-none', published)

function text(code: number, type: string, body: string) {
  return { status: code, headers: new Headers({ 'Content-Type': type }), body }
}

const publishVariants: readonly Variant[] = [
  ...[200, 201, 203].map((code) => ({
    name: `event-publish-answered-with-${code}`,
    tolerances: publishedWithAnyStatus,
    change: replaceRule('publishedParts', (documented) => (event, context) => ({
      ...documented(event, context),
      status: code,
    })),
  })),
  {
    name: 'event-publish-answered-with-204-and-location',
    tolerances: [...publishedWithAnyStatus, ...publishedWithAnyBody, ...ofAnyEventId],
    change: replaceRule('publishedParts', () => ({ id }, { deployment }) => ({
      status: 204,
      headers: new Headers({ Location: `${deployment.basePath}/v1/events/${id}` }),
    })),
  },
  {
    name: 'event-publish-answered-without-a-word',
    tolerances: [...publishedWithAnyBody, ...ofAnyEventId],
    unjudged: [status, replay],
    change: replaceRule('publishedParts', () => () => ({ status: 202, headers: new Headers() })),
  },
  {
    name: 'event-publish-answered-with-a-web-page',
    tolerances: publishedWithAnyBody,
    change: replaceRule('publishedParts', () => ({ id }, { deployment }) => {
      const parts = text(201, 'text/html', '<p>Published</p>')
      parts.headers.set('Location', `${deployment.baseUrl}/v1/events/${id}`)
      return parts
    }),
  },
]

const replayVariants: readonly Variant[] = [
  ...[200, 201].map((code) => ({
    name: `event-replay-answered-with-${code}`,
    tolerances: [`${replay}/any-success-status`],
    change: replaceRule('replayedParts', (documented) => (event, context) => ({
      ...documented(event, context),
      status: code,
    })),
  })),
  {
    name: 'event-replay-answered-with-204',
    tolerances: [`${replay}/any-success-status`, `${replay}/any-body-or-none`],
    change: replaceRule('replayedParts', () => () => noContentParts()),
  },
  {
    name: 'event-replay-answered-with-a-list',
    tolerances: [`${replay}/any-body-or-none`],
    change: replaceRule('replayedParts', () => ({ attempts }) => {
      return jsonParts(202, [attempts, null, 'again'], 'application/json')
    }),
  },
]

const statusVariants: readonly Variant[] = [
  {
    name: 'event-status-answered-with-202',
    tolerances: [`${status}/any-success-status`],
    change: replaceRule('statusParts', (documented) => (event, context) => ({
      ...documented(event, context),
      status: 202,
    })),
  },
  {
    name: 'event-status-in-plain-text',
    tolerances: [`${status}/any-body`],
    change: replaceRule('statusParts', () => ({ attempts }) => {
      return text(200, 'text/plain', `delivered, ${attempts} attempts`)
    }),
  },
  {
    name: 'event-status-in-xml',
    tolerances: [`${status}/any-body`],
    change: replaceRule('statusParts', () => ({ attempts }) => {
      return text(200, 'application/xml', `<delivery attempts="${attempts}"/>`)
    }),
  },
  {
    name: 'event-status-as-a-list',
    tolerances: [`${status}/any-body`],
    change: replaceRule('statusParts', () => ({ attempts }) => {
      const deliveries = Array.from({ length: attempts }, () => ({ delivered: true }))
      return jsonParts(200, deliveries, 'application/json')
    }),
  },
]

/** Publish and replay answered with other statuses and bodies, and other delivery statuses. */
export const answerVariants: readonly Variant[] = [
  ...publishVariants,
  ...replayVariants,
  ...statusVariants,
]
