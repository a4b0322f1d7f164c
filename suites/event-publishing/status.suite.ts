import { bodyShape, statusAndBody } from '../../lib/conformance/body-shape.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { expect, observe, verify } from './words.ts'

verify('event-publishing/status/readable', async ({ events }) => {
  const status = await events.keyed.status.control()
  await events.requireStatusTelling(status)
  expect(status).toBeAccepted()
  expect(status).toHaveBody()
})

observe('event-publishing/status/status', async ({ events }) => {
  const status = await events.keyed.status.control()
  return isSuccess(status) ? status.status : undefined
})

observe('event-publishing/status/body', async ({ events }) => {
  const status = await events.keyed.status.control()
  return isSuccess(status) ? bodyShape(status) : undefined
})

observe('event-publishing/status/unknown-event', async ({ events }) =>
  statusAndBody(await events.unknownEvent()),
)
