import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, startProbe, startServer, startSocketServer } from './server.fixture.ts'

afterEach(closeAll)

/** What the probe makes of these bytes. */
async function answered(bytes: string | Buffer, method = 'GET') {
  const { url } = await startSocketServer((socket) => socket.end(bytes))
  return startProbe({ retries: 0 }).ask(url, { method })
}

describe('a redirect', () => {
  it.each([301, 307])('%d is not followed', async (status) => {
    const seen: (string | undefined)[] = []
    const { url } = await startServer((request, response) => {
      seen.push(request.url)
      response.writeHead(status, { Location: '/elsewhere' }).end()
    })
    const exchange = await startProbe().ask(url)
    expect(exchange.status).toBe(status)
    expect(exchange.headers.get('location')).toBe('/elsewhere')
    expect(seen).toEqual(['/'])
  })
})

describe('a body', () => {
  it.each([
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['204 that announces a length', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
  ])('is absent from %s', async (_, bytes) => {
    const { text, json, record } = await answered(bytes)
    expect({ text, json }).toEqual({ text: '', json: undefined })
    expect(record.response).toMatchObject({ body: null, bodyBytes: 0 })
  })
})

describe('headers', () => {
  it('that come several times are joined, and recorded one by one as they came', async () => {
    const { headers, record } = await answered(
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
})
