import { bodyShape, statusAndBody } from '../../lib/conformance/body-shape.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { allOrWorst } from '../../lib/conformance/each.ts'
import { expect, observe, verify } from './dsl.ts'

verify('event-publishing/publish/accepted', async ({ publishing }) => {
  const publish = await publishing.accepted()
  await publishing.requireConclusive(publish)
  expect(publish).toBeAccepted()
})

verify('event-publishing/publish/free-form-payload', async ({ publishing }) => {
  const published = [publishing.withFreeFormPayload(), publishing.withEmptyPayload()]
  for (const exchange of await allOrWorst(published)) expect(exchange).toBeAccepted()
})

verify('event-publishing/publish/idempotency-key', async ({ publishing }) => {
  await publishing.needsPublishing()
  expect(await publishing.published()).toBeAccepted()
})

observe('event-publishing/publish/status', async ({ publishing }) => {
  const publish = await publishing.accepted()
  return isSuccess(publish) ? publish.status : undefined
})

observe('event-publishing/publish/body', async ({ publishing }) => {
  const publish = await publishing.accepted()
  return isSuccess(publish) ? bodyShape(publish) : undefined
})

observe('event-publishing/publish/event-id', async ({ events }) => {
  const { place, form } = await events.found()
  return { place, form }
})

observe('event-publishing/publish/repeated-idempotency-key/same-body', async ({ publishing }) => {
  const { first, again } = await publishing.repeated()
  return { ...statusAndBody(again), sameAnswer: first.text === again.text }
})

observe('event-publishing/publish/repeated-idempotency-key/other-body', async ({ publishing }) => {
  const { other } = await publishing.repeated()
  return statusAndBody(other)
})

observe('event-publishing/publish/without-idempotency-key', async ({ publishing }) => {
  await publishing.needsPublishing()
  const { status } = await publishing.publishWithoutIdempotencyKey()
  return status
})

observe('event-publishing/publish/undotted-type', async ({ publishing }) => {
  await publishing.needsPublishing()
  const { status } = await publishing.publish({ ...publishing.event, type: 'Not A Dotted Form' })
  return status
})

observe('event-publishing/publish/missing-payload', async ({ publishing }) => {
  await publishing.needsPublishing()
  const { status } = await publishing.publish({ type: publishing.event.type })
  return status
})

observe('event-publishing/publish/empty-payload', async ({ publishing }) => {
  const { status } = await publishing.withEmptyPayload()
  return status
})
