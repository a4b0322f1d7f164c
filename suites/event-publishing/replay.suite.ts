import { bodyShape } from '../../lib/conformance/body-shape.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { expect, observe, verify } from './dsl.ts'

verify('event-publishing/replay/accepted', async ({ events }) => {
  const replay = await events.replay()
  await events.requireConclusiveReplay(replay)
  expect(replay).toBeAccepted()
})

observe('event-publishing/replay/status', async ({ events }) => {
  const replay = await events.replay()
  return isSuccess(replay) ? replay.status : undefined
})

observe('event-publishing/replay/body', async ({ events }) => {
  const replay = await events.replay()
  return isSuccess(replay) ? bodyShape(replay) : undefined
})
