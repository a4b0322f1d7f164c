import { bodyShape, statusAndBody } from '../../lib/conformance/body-shape.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../lib/conformance/each.ts'
import { expect, observe, verify } from './dsl.ts'

for (const endpoint of ['publish', 'status', 'replay'] as const) {
  observe(`event-publishing/${endpoint}/status`, async ({ keyed }) => {
    const response = await keyed.exchange(endpoint, 'the key')
    return isSuccess(response) ? response.status : undefined
  })

  observe(`event-publishing/${endpoint}/body`, async ({ keyed }) => {
    const response = await keyed.exchange(endpoint, 'the key')
    return isSuccess(response) ? bodyShape(response) : undefined
  })
}

verify('event-publishing/publish/accepted', async ({ publishing }) => {
  const publish = await publishing.accepted()
  await publishing.requireConclusive(publish)
  expect(publish).toBeAccepted()
})

verify('event-publishing/publish/free-form-payload', async ({ publishing }) => {
  const published = [publishing.withFreeFormPayload(), publishing.withEmptyPayload()]
  for (const exchange of await allOrWorst(published)) expect(exchange).toBeAccepted()
})

verify('event-publishing/publish/idempotency-key', async ({ publishing, keyed }) => {
  await publishing.needsPublishing()
  expect(await publishing.published()).toBeAccepted()
  await keyed.judge('publish', 'right', 'accepted')
})

observe('event-publishing/publish/event-id', async ({ events }) => {
  const { place, form } = await events.found()
  return { place, form }
})

observe('event-publishing/publish/repeated-idempotency-key/same-body', async ({ publishing }) => {
  const { first, again } = await publishing.repeated()
  return { ...statusAndBody(again), sameAnswer: first.text === again.text }
})

observe('event-publishing/publish/repeated-idempotency-key/other-body', async ({ publishing }) =>
  statusAndBody((await publishing.repeated()).other),
)

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
  async ({ publishing }) => (await publishing.withEmptyPayload()).status,
)

verify('event-publishing/status/readable', async ({ events, keyed }) => {
  await events.requireConclusiveStatus(await events.status())
  await keyed.judge('status', 'right', 'accepted with a body')
})

observe('event-publishing/status/unknown-event', async ({ publishing }) =>
  statusAndBody(await publishing.unknownEvent()),
)

verify('event-publishing/replay/accepted', async ({ events, keyed }) => {
  await events.requireConclusiveReplay(await events.replay())
  await keyed.judge('replay', 'right', 'accepted')
})
