import { type Behaviour, framed, head, sending } from './behaviour.fixture.ts'

const json = ['Content-Type', 'application/json'] as const

/** Servers that leave in the middle of a response. */
export const endings: readonly Behaviour[] = [
  {
    name: 'closes-before-the-header',
    does: 'closes the connection without a word',
    answer: ({ socket }) => void socket.end(),
  },
  {
    name: 'resets-the-connection',
    does: 'resets the connection',
    answer: ({ socket }) => void socket.resetAndDestroy(),
  },
  sending(
    'closes-in-the-header',
    'closes the connection in the middle of a field',
    'HTTP/1.1 200 OK\r\nContent-Type: applic',
  ),
  sending(
    'closes-behind-the-header',
    'closes the connection where the body should begin',
    head(200, [json, ['Content-Length', '20']]),
  ),
  sending(
    'closes-in-a-chunk',
    'closes the connection in the middle of a chunk',
    `${head(200, [json, ['Transfer-Encoding', 'chunked']])}20\r\n{"login":`,
  ),
  {
    name: 'refuses-before-it-reads',
    does: 'refuses what has a body with 413 before it has read that, and resets the connection',
    async answer({ request, socket, honest }) {
      if (request.headers['content-length'] === undefined) {
        socket.write(framed(await honest()))
        return
      }
      const page = Buffer.from('<h1>413 Request Entity Too Large</h1>')
      const fields = [['Content-Type', 'text/html'] as const, ['Connection', 'close'] as const]
      socket.write(framed({ status: 413, fields, body: page }), () => socket.resetAndDestroy())
    },
  },
  {
    name: 'cuts-its-body-short',
    does: 'announces a longer body than it sends',
    async answer({ socket, honest }) {
      const { status, fields, body } = await honest()
      const announced = [...fields, ['Content-Length', String(body.length + 10)] as const]
      socket.end(Buffer.concat([Buffer.from(head(status, announced), 'latin1'), body]))
    },
  },
]
