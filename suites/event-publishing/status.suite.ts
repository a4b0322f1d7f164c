import { bodyShape, statusAndBody } from '../../lib/conformance/body-shape.ts'
import { runOptionalPart } from '../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { each } from '../../lib/conformance/each.ts'
import { expect, observe, verify } from './dsl.ts'

verify('event-publishing/status/readable', async ({ events }) => {
  const status = await events.status()
  await events.requireConclusiveStatus(status)
  const parts = {
    'The status of the event': events.status,
    'The status of another event': events.statusOfAnother,
    'The status after a replay': events.statusAfterReplay,
  }
  await each(Object.entries(parts), ([part, read]) =>
    runOptionalPart(part, async () => {
      const exchange = await read()
      expect(exchange).toBeAccepted()
      expect(exchange).toHaveBody()
    }),
  )
})

observe('event-publishing/status/status', async ({ events }) => {
  const status = await events.status()
  return isSuccess(status) ? status.status : undefined
})

observe('event-publishing/status/body', async ({ events }) => {
  const status = await events.status()
  return isSuccess(status) ? bodyShape(status) : undefined
})

observe('event-publishing/status/unknown-event', async ({ publishing }) =>
  statusAndBody(await publishing.unknownEvent()),
)
