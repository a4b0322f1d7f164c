import { isSuccess } from '../../lib/conformance/contrast.ts'
import { expect, observe, verify } from './dsl.ts'
import { ruleIds } from './keyed-table.ts'
import type { createEventPublishingContext } from './support/events.ts'

/** Steps before the cases of a rule are judged. */
const firstSteps: Readonly<
  Record<string, (context: ReturnType<typeof createEventPublishingContext>) => Promise<void>>
> = {
  'event-publishing/publish/accepted': async ({ publishing }) =>
    publishing.requireConclusive(await publishing.accepted()),
  async 'event-publishing/publish/idempotency-key'({ publishing }) {
    await publishing.needsPublishing()
    expect(await publishing.published()).toBeAccepted()
  },
  'event-publishing/status/readable': async ({ events }) =>
    events.requireConclusiveStatus(await events.status()),
  'event-publishing/replay/accepted': async ({ events }) =>
    events.requireConclusiveReplay(await events.replay()),
}

for (const id of ruleIds) {
  verify(id, async (context) => {
    await firstSteps[id]?.(context)
    await context.keyed.judge(id)
  })
}

for (const endpoint of ['publish', 'status', 'replay'] as const) {
  for (const [name, key] of [
    ['missing-key', 'no key'],
    ['wrong-key', 'a wrong key'],
  ] as const) {
    observe(`event-publishing/${endpoint}/${name}`, async ({ keyed }) => {
      return (await keyed.exchange(endpoint, key)).status
    })
  }

  observe(`event-publishing/${endpoint}/status`, async ({ keyed }) => {
    const response = await keyed.exchange(endpoint, 'the key')
    return isSuccess(response) ? response.status : undefined
  })
}

observe('event-publishing/publish/event-id', async ({ events }) => {
  const { place, form } = await events.found()
  return [place, form]
})

observe('event-publishing/publish/repeated-idempotency-key/same-body', async ({ publishing }) => {
  return (await publishing.repeated()).again.status
})

observe('event-publishing/publish/repeated-idempotency-key/other-body', async ({ publishing }) => {
  return (await publishing.repeated()).other.status
})

observe('event-publishing/publish/without-idempotency-key', async ({ publishing }) => {
  await publishing.needsPublishing()
  return (await publishing.publishWithoutIdempotencyKey()).status
})

observe('event-publishing/publish/undotted-type', async ({ publishing }) => {
  const event = { ...publishing.event, type: 'Not A Dotted Form' }
  return (await publishing.publish(event)).status
})

observe('event-publishing/publish/missing-payload', async ({ publishing }) => {
  const { type } = publishing.event
  return (await publishing.publish({ type })).status
})

observe(
  'event-publishing/publish/empty-payload',
  async ({ publishing }) => (await publishing.eventWith('an empty payload')).status,
)

observe('event-publishing/status/unknown-event', async ({ publishing }) => {
  return (await publishing.unknownEvent()).status
})
