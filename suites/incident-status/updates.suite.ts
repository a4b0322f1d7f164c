import { isSuccess } from '../../lib/conformance/contrast.ts'
import { authorization } from '../../lib/probe/credentials.ts'
import { observe, verify } from './dsl.ts'
import { ruleIds } from './keyed-table.ts'

for (const id of ruleIds) {
  verify(id, async ({ incident }) => {
    if (id.endsWith('/accepted')) await incident.requireConclusive(await incident.update())
    if (id.endsWith('/no-response-body')) await incident.needsUpdates()
    await incident.keyed.judge(id)
  })
}

observe('incident-status/updates/status', async ({ incident }) => {
  const update = await incident.update()
  return isSuccess(update) ? update.status : undefined
})

for (const [name, key] of [
  ['missing-credentials', 'no key'],
  ['wrong-key', 'a wrong key'],
] as const) {
  observe(`incident-status/updates/${name}`, async ({ incident }) => {
    return (await incident.keyed.exchange('update', key)).status
  })
}

observe('incident-status/updates/unknown-incident', async ({ incident }) => {
  return (await incident.updateOfUnknown()).status
})

observe('incident-status/updates/lower-case-bearer', async ({ incident }) => {
  await incident.needsUpdates()
  const credentials = authorization('bearer', incident.apiKey())
  return (await incident.updateWith(credentials)).status
})
