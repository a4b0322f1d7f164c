import { type Behaviour, type Field, head, pour, sending } from './behaviour.fixture.ts'

const json: Field = ['Content-Type', 'application/json']
const FIELDS = 10_000
const CHUNK = `4000\r\n${'a'.repeat(0x4000)}\r\n`

/** Servers that do not keep to how HTTP puts a response together, or make it too large. */
export const framing: readonly Behaviour[] = [
  {
    name: 'length-and-chunks',
    does: 'sends both Content-Length and Transfer-Encoding',
    async answer({ socket, honest }) {
      const { status, fields, body } = await honest()
      const both: Field[] = [
        ['Content-Length', String(body.length)],
        ['Transfer-Encoding', 'chunked'],
      ]
      const chunk = `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\n\r\n`
      socket.end(Buffer.from(head(status, [...fields, ...both]) + chunk, 'latin1'))
    },
  },
  sending(
    'two-lengths',
    'sends two lengths that differ',
    `${head(200, [json, ['Content-Length', '2'], ['Content-Length', '3']])}{} `,
  ),
  sending('status-99', 'answers with status 099', head(99, [json, ['Content-Length', '0']])),
  sending('is-no-http', 'speaks another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'),
  {
    name: 'endless-body',
    does: 'sends a body without an end',
    answer({ socket }) {
      socket.write(head(200, [json, ['Transfer-Encoding', 'chunked']]))
      pour(socket, () => CHUNK)
    },
  },
  {
    name: 'endless-header',
    does: 'sends header fields without an end',
    answer({ socket }) {
      socket.write('HTTP/1.1 200 OK\r\n')
      let sent = 0
      pour(socket, () => `X-Field-${++sent}: ${'a'.repeat(1000)}\r\n`)
    },
  },
  {
    name: 'endless-status-line',
    does: 'sends a reason phrase without an end',
    answer({ socket }) {
      socket.write('HTTP/1.1 200 ')
      pour(socket, () => 'OK '.repeat(1000))
    },
  },
  {
    name: 'endless-trailer',
    does: 'sends trailer fields without an end',
    answer({ socket }) {
      socket.write(`${head(200, [json, ['Transfer-Encoding', 'chunked']])}2\r\n{}\r\n0\r\n`)
      let sent = 0
      pour(socket, () => `X-Field-${++sent}: ${'a'.repeat(1000)}\r\n`)
    },
  },
  {
    name: 'ten-thousand-fields',
    does: 'sends 10,000 header fields',
    async answer({ socket, honest }) {
      const { status, fields, body } = await honest()
      const many = Array.from({ length: FIELDS }, (_, index): Field => [`X-${index}`, 'a'])
      const length: Field = ['Content-Length', String(body.length)]
      socket.write(head(status, [...fields, ...many, length]))
      socket.write(body)
    },
  },
  sending(
    'switches-protocols',
    'switches to another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
  ),
  {
    name: 'http-1-0',
    does: 'answers with HTTP/1.0 and ends each response with the connection',
    async answer({ socket, honest }) {
      const { status, fields, body } = await honest()
      socket.end(Buffer.concat([Buffer.from(head(status, fields, '1.0'), 'latin1'), body]))
    },
  },
]
