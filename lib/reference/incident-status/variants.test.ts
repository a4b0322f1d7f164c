import { afterEach, describe, expect, it } from 'vitest'
import { startAll } from '../test-client.fixture.ts'
import { IncidentClient } from './test-client.fixture.ts'

const open: IncidentClient[] = []

async function start(variant: string): Promise<IncidentClient> {
  const client = new IncidentClient(await startAll({ variant }))
  open.push(client)
  return client
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.reference.close()))
})

describe('variants of the incident status service', () => {
  it.each([200, 201, 202])('incident-update-answered-with-%i has no body', async (status) => {
    const client = await start(`incident-update-answered-with-${status}`)
    const answer = await client.update({ authorization: client.bearer })
    expect([answer.status, answer.text]).toEqual([status, ''])
  })

  it.each([
    ['204-and-length-zero', 204, '0', null],
    ['empty-chunks', 200, null, 'chunked'],
  ])('incident-update-answered-with-%s', async (words, status, length, coding) => {
    const client = await start(`incident-update-answered-with-${words}`)
    const answer = await client.update({ authorization: client.bearer })
    expect([answer.status, answer.text]).toEqual([status, ''])
    expect(answer.headers.get('Content-Length')).toBe(length)
    expect(answer.headers.get('Transfer-Encoding')).toBe(coding)
  })

  it.each([
    ['403', 403],
    ['503', 503],
    ['a-redirect', 303],
  ])('incident-key-refused-with-%s', async (words, status) => {
    const client = await start(`incident-key-refused-with-${words}`)
    expect((await client.update()).status).toBe(status)
    expect((await client.update({ authorization: 'Bearer wrong' })).status).toBe(status)
    expect((await client.update({ authorization: client.bearer })).status).toBe(204)
  })

  it('incident-errors-in-plain-text', async () => {
    const answer = await (await start('incident-errors-in-plain-text')).update()
    expect([answer.status, answer.text]).toEqual([401, 'a bearer key is required'])
  })

  it('incident-lower-case-bearer-refused', async () => {
    const client = await start('incident-lower-case-bearer-refused')
    const authorization = `bearer ${client.variable('API_KEY')}`
    expect((await client.update({ authorization })).status).toBe(401)
    expect((await client.update({ authorization: client.bearer })).status).toBe(204)
  })

  it.each(['of-another-form', 'nested'])(
    'incident-update-%s takes what it tells',
    async (words) => {
      const client = await start(`incident-update-${words}`)
      const authorization = client.bearer
      expect((await client.update({ authorization })).status).toBe(400)
      const body = client.variable('UPDATE_BODY')
      expect((await client.update({ authorization, body })).status).toBe(204)
    },
  )

  it.each([
    ['incident-id-untold', 'INCIDENT_ID'],
    ['incident-update-body-untold', 'UPDATE_BODY'],
  ])('%s tells all but %s', async (variant, name) => {
    const client = await start(variant)
    expect(() => client.variable(name)).toThrow()
    const told = Object.keys(client.reference.environment)
    expect(told.filter((variable) => variable.startsWith('INCIDENT_STATUS_'))).toHaveLength(3)
  })
})
