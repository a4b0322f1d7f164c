import { statusAndBody } from '../../lib/conformance/body-shape.ts'
import { contrast, isSuccess } from '../../lib/conformance/contrast.ts'
import { each, forEachTestable } from '../../lib/conformance/each.ts'
import { authorization } from '../../lib/probe/credentials.ts'
import { expect, observe, verify } from './dsl.ts'

verify('incident-status/updates/accepted', async ({ incident }) => {
  const update = await incident.update.control()
  await incident.requireConclusive(update)
  expect(update).toBeAccepted()
})

verify('incident-status/updates/no-response-body', async ({ incident }) => {
  await incident.needsUpdates()
  expect(await incident.update.control()).toHaveNoBody()
})

verify('incident-status/updates/credentials-required', ({ incident }) =>
  contrast({
    control: incident.update.control,
    negative: incident.update.withoutKey,
    serverErrorRejects: true,
  }),
)

verify('incident-status/updates/key-checked', ({ incident }) => {
  const { control, withWrongKeys } = incident.update
  return forEachTestable(withWrongKeys, ({ rejected: negative }) =>
    contrast({ control, negative, serverErrorRejects: true }),
  )
})

verify('incident-status/updates/bearer-only', ({ incident }) =>
  each(incident.update.withKeyElsewhere, (negative) =>
    contrast({ control: incident.update.control, negative, serverErrorRejects: true }),
  ),
)

observe('incident-status/updates/status', async ({ incident }) => {
  const update = await incident.update.control()
  return isSuccess(update) ? update.status : undefined
})

observe('incident-status/updates/missing-credentials', async ({ incident }) =>
  statusAndBody(await incident.update.withoutKey()),
)

observe('incident-status/updates/wrong-key', async ({ incident }) =>
  statusAndBody(await incident.update.withWrongKey()),
)

observe('incident-status/updates/unknown-incident', async ({ incident }) =>
  statusAndBody(await incident.updateOfUnknown()),
)

observe('incident-status/updates/lower-case-bearer', async ({ incident }) => {
  await incident.needsUpdates()
  const credentials = authorization('bearer', incident.apiKey())
  const { status } = await incident.updateWith(credentials)
  return status
})
