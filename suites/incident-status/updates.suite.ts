import {
  expectKeyChecked,
  expectKeyInPlace,
  expectKeyRequired,
} from '../../lib/conformance/api-key.ts'
import { statusAndBody } from '../../lib/conformance/body-shape.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
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
  expectKeyRequired(incident.update),
)

verify('incident-status/updates/key-checked', ({ incident }) => expectKeyChecked(incident.update))

verify('incident-status/updates/bearer-only', ({ incident }) => expectKeyInPlace(incident.update))

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
  return (await incident.updateWith(credentials)).status
})
