import { statusAndBody } from '../../lib/conformance/body-shape.ts'
import { isSuccess } from '../../lib/conformance/contrast.ts'
import { authorization } from '../../lib/probe/credentials.ts'
import { observe, verify } from './dsl.ts'

verify('incident-status/updates/accepted', async ({ incident }) => {
  await incident.requireConclusive(await incident.update())
  await incident.keyed.judge('update', 'right', 'accepted')
})

verify('incident-status/updates/no-response-body', async ({ incident }) => {
  await incident.needsUpdates()
  const expected = 'without a body'
  await incident.keyed.judge('update', 'right', expected)
})

const rejections = [
  ['credentials-required', 'none'],
  ['key-checked', 'wrong'],
  ['bearer-only', 'elsewhere'],
] as const

for (const [name, kind] of rejections) {
  verify(`incident-status/updates/${name}`, ({ incident }) =>
    incident.keyed.judge('update', kind, 'rejected'),
  )
}

observe('incident-status/updates/status', async ({ incident }) => {
  const update = await incident.update()
  return isSuccess(update) ? update.status : undefined
})

observe('incident-status/updates/missing-credentials', async ({ incident }) =>
  statusAndBody(await incident.keyed.exchange('update', 'no key')),
)

observe('incident-status/updates/wrong-key', async ({ incident }) =>
  statusAndBody(await incident.keyed.exchange('update', 'a wrong key')),
)

observe('incident-status/updates/unknown-incident', async ({ incident }) =>
  statusAndBody(await incident.updateOfUnknown()),
)

observe('incident-status/updates/lower-case-bearer', async ({ incident }) => {
  await incident.needsUpdates()
  const credentials = authorization('bearer', incident.apiKey())
  return (await incident.updateWith(credentials)).status
})
