import { afterAll, describe, expect, it } from 'vitest'
import { TransportError } from './exchange.ts'
import {
  closeAll,
  closedPort,
  startAnswering,
  startProbe,
  startSocketServer,
} from './server.fixture.ts'

// Not after each: the tests wait side by side.
afterAll(closeAll)

describe.concurrent('a GET', () => {
  it.each([408, 425, 429, 500, 502, 503, 504, 520, 530])('is repeated after %d', async (status) => {
    const { url } = await startAnswering([status, 200], { 'Retry-After': '0' })
    const probe = startProbe()
    const exchange = await probe.ask(url)
    expect(exchange.status).toBe(200)
    expect(exchange.id).toBe('e2')
    expect(probe.records).toMatchObject([
      { id: 'e1', attempt: 1, response: { status } },
      { id: 'e2', attempt: 2, response: { status: 200 } },
    ])
  })

  it.each([200, 301, 400, 404, 501, 505, 528, 999])('is not repeated after %d', async (status) => {
    const { url, times } = await startAnswering([status], { 'Retry-After': '0' })
    expect((await startProbe().ask(url)).status).toBe(status)
    expect(times).toHaveLength(1)
  })

  it.each([0, 1, 4])('is repeated %d times at most', async (retries) => {
    const { url } = await startAnswering([503], { 'Retry-After': '0' })
    const probe = startProbe({ retries })
    expect((await probe.ask(url)).status).toBe(503)
    expect(probe.records.map(({ attempt }) => attempt)).toEqual(
      Array.from({ length: retries + 1 }, (_, index) => index + 1),
    )
  })

  it.each([
    [0, 1],
    [1, 3],
  ])('is repeated once more where the service has answered: %d', async (retries, attempts) => {
    const { url, times } = await startAnswering([503], { 'Retry-After': '0' })
    const probe = startProbe({ retries, hasAnswered: (service) => service === 'test' })
    expect((await probe.ask(url)).status).toBe(503)
    expect(times).toHaveLength(attempts)
  })

  it.each(['resetAndDestroy', 'end'] as const)('is repeated after %s', async (ending) => {
    let connections = 0
    const { url } = await startSocketServer((socket) => {
      connections += 1
      if (connections === 1) socket[ending]()
      else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    })
    const probe = startProbe()
    expect((await probe.ask(url)).status).toBe(200)
    expect(probe.records).toMatchObject([
      { attempt: 1, response: null, error: expect.stringMatching(/^the connection was/) },
      { attempt: 2, response: { status: 200 }, error: null },
    ])
  })

  it('fails with the last of its attempts', async () => {
    const probe = startProbe({ retries: 1 })
    const outcome = await probe.ask(`http://127.0.0.1:${await closedPort()}/`).catch((e) => e)
    expect(outcome).toBeInstanceOf(TransportError)
    expect(outcome.message).toMatch(/the connection was refused \(ECONNREFUSED\)$/)
    expect(probe.records).toHaveLength(2)
    expect(outcome.record).toBe(probe.records[1])
  })
})

describe.concurrent('anything but a GET', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('is sent once: %s', async (method) => {
    const { url, times } = await startAnswering([503], { 'Retry-After': '0' })
    expect((await startProbe().ask(url, { method })).status).toBe(503)
    expect(times).toHaveLength(1)
    const resetting = await startSocketServer((socket) => socket.resetAndDestroy())
    await expect(startProbe().ask(resetting.url, { method })).rejects.toThrow(TransportError)
    expect(resetting.connections()).toBe(1)
  })
})
