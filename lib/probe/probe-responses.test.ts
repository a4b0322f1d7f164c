import { afterEach, describe, expect, it } from 'vitest'
import { TransportError } from './exchange.ts'
import { closeAll, startProbe, startSocketServer } from './server.fixture.ts'

afterEach(closeAll)

/** Returns the exchange for a response with these bytes. */
async function exchangeFor(bytes: string) {
  const { url } = await startSocketServer((socket) => socket.end(bytes))
  return startProbe({ retries: 0 }).ask(url)
}

describe('a body that is too large', () => {
  const large = (text: string) =>
    `HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 3000000\r\n\r\n${text.repeat(3_000_000 / text.length)}`
  const list = large('[1,2,3,4],').replace('[', '[[')

  it('reports the minimum number of elements of a list, and no content', async () => {
    const exchange = await exchangeFor(list)
    expect(exchange).toMatchObject({ status: 200, minLength: 20_000 })
    expect(exchange.headers.get('x-a')).toBe('b')
    expect(exchange.record.response).toMatchObject({ status: 200, bodyKept: 64_000 })
    expect(() => exchange.text).toThrow(/larger than PROBE_MAX_BODY_BYTES allows/)
    expect(() => exchange.json).toThrow(TransportError)
  })

  it('is rejected if it may contain a secret, or is not a list', async () => {
    const { url } = await startSocketServer((socket) => socket.end(list))
    const probe = startProbe({ retries: 0 })
    await expect(probe.ask(url, { secretsIn: () => [] })).rejects.toThrow(TransportError)
    await expect(exchangeFor(large('{"a":[1,2]'))).rejects.toThrow(TransportError)
    await expect(exchangeFor(list.replace('200 OK', '404 No'))).rejects.toThrow(TransportError)
    expect(probe.records[0]?.response).toBeNull()
  })
})

it('headers with the same name are joined, and recorded separately as received', async () => {
  const { headers, record } = await exchangeFor(
    'HTTP/1.1 200 OK\r\nLink: <a>; rel=next\r\nX-One: 1\r\nlink: <b>; rel=last\r\n' +
      '__proto__: odd\r\nContent-Length: 0\r\n\r\n',
  )
  expect(headers.get('link')).toBe('<a>; rel=next, <b>; rel=last')
  expect(record.response?.headers).toEqual([
    { name: 'Link', value: '<a>; rel=next' },
    { name: 'X-One', value: '1' },
    { name: 'link', value: '<b>; rel=last' },
    { name: '__proto__', value: 'odd' },
    { name: 'Content-Length', value: '0' },
  ])
})
