import { bodyShape, statusAndBody } from '../../lib/conformance/body-shape.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../lib/conformance/each.ts'
import { expect, observe, verify } from './dsl.ts'

verify('event-publishing/publish/accepted', async ({ events }) => {
  const publish = await events.accepted()
  await events.requireConclusive(publish)
  expect(publish).toBeAccepted()
})

verify('event-publishing/publish/free-form-payload', async ({ events }) => {
  const published = [events.withFreeFormPayload(), events.withEmptyPayload()]
  for (const exchange of await allOrWorst(published)) expect(exchange).toBeAccepted()
})

verify('event-publishing/publish/idempotency-key', async ({ events }) => {
  await events.needsPublishing()
  expect(await events.published()).toBeAccepted()
})

observe('event-publishing/publish/status', async ({ events }) => {
  const publish = await events.accepted()
  return isSuccess(publish) ? publish.status : undefined
})

observe('event-publishing/publish/body', async ({ events }) => {
  const publish = await events.accepted()
  return isSuccess(publish) ? bodyShape(publish) : undefined
})

observe('event-publishing/publish/event-id', async ({ events }) => {
  const { place, form } = await events.found()
  return { place, form }
})

observe('event-publishing/publish/repeated-idempotency-key/same-body', async ({ events }) => {
  const { first, again } = await events.repeated()
  return { ...statusAndBody(again), sameAnswer: first.text === again.text }
})

observe('event-publishing/publish/repeated-idempotency-key/other-body', async ({ events }) => {
  const { other } = await events.repeated()
  return statusAndBody(other)
})

observe('event-publishing/publish/without-idempotency-key', async ({ events }) => {
  await events.needsPublishing()
  const { status } = await events.publishWithoutIdempotencyKey()
  return status
})

observe('event-publishing/publish/undotted-type', async ({ events }) => {
  await events.needsPublishing()
  const { status } = await events.publish({ ...events.event, type: 'Not A Dotted Form' })
  return status
})

observe('event-publishing/publish/missing-payload', async ({ events }) => {
  await events.needsPublishing()
  const { status } = await events.publish({ type: events.event.type })
  return status
})

observe('event-publishing/publish/empty-payload', async ({ events }) => {
  const { status } = await events.withEmptyPayload()
  return status
})
