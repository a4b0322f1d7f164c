import { type Behaviour, type Field, framed, head, pour, sending } from './behaviour.fixture.ts'

const json: Field = ['Content-Type', 'application/json']
const chunked: Field = ['Transfer-Encoding', 'chunked']
const CHUNK = `4000\r\n${'a'.repeat(0x4000)}\r\n`

/** Sends these bytes and then fields without end. */
function fieldsWithoutEnd(start: string): Behaviour {
  return ({ socket }) => {
    socket.write(start)
    let sent = 0
    pour(socket, () => `X-Field-${++sent}: ${'a'.repeat(1000)}\r\n`)
  }
}

/** Sends one byte at a time, after the first bytes; `first` returns their number. */
function dripping(first: (bytes: Buffer) => number): Behaviour {
  return async ({ socket, honest, paceMs }) => {
    const bytes = framed(await honest())
    let at = first(bytes)
    socket.write(bytes.subarray(0, at))
    pour(socket, () => bytes.subarray(at, ++at), paceMs)
  }
}

const silence: Record<string, Behaviour> = {
  'never-answers': () => {},
  drips: dripping(() => 0),
  'drips-its-body': dripping((bytes) => bytes.indexOf('\r\n\r\n') + 4),
  'continues-without-end': ({ socket }) => pour(socket, () => 'HTTP/1.1 100 Continue\r\n\r\n', 5),
  'hints-without-end': ({ socket }) =>
    pour(socket, () => 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n', 5),
}

const endings: Record<string, Behaviour> = {
  'closes-before-the-header': ({ socket }) => socket.end(),
  'resets-the-connection': ({ socket }) => socket.resetAndDestroy(),
  'closes-in-a-chunk': sending(`${head(200, [json, chunked])}20\r\n{"login":`),
  async 'refuses-before-it-reads'({ request, socket, honest }) {
    if (request.headers['content-length'] === undefined) return socket.write(framed(await honest()))
    const body = Buffer.from('<h1>413 Request Entity Too Large</h1>')
    const fields: Field[] = [
      ['Content-Type', 'text/html'],
      ['Connection', 'close'],
    ]
    return socket.write(framed({ status: 413, fields, body }), () => socket.resetAndDestroy())
  },
  async 'cuts-its-body-short'({ socket, honest }) {
    const { status, fields, body } = await honest()
    const announced: Field[] = [...fields, ['Content-Length', String(body.length + 10)]]
    socket.end(Buffer.concat([Buffer.from(head(status, announced), 'latin1'), body]))
  },
}

const framing: Record<string, Behaviour> = {
  'two-lengths': sending(
    `${head(200, [json, ['Content-Length', '2'], ['Content-Length', '3']])}{} `,
  ),
  'status-99': sending(head(99, [json, ['Content-Length', '0']])),
  'is-no-http': sending('SSH-2.0-OpenSSH_9.6\r\n'),
  'endless-body': ({ socket }) => {
    socket.write(head(200, [json, chunked]))
    pour(socket, () => CHUNK)
  },
  'endless-header': fieldsWithoutEnd('HTTP/1.1 200 OK\r\n'),
  'endless-status-line': ({ socket }) => {
    socket.write('HTTP/1.1 200 ')
    pour(socket, () => 'OK '.repeat(1000))
  },
  'endless-trailer': fieldsWithoutEnd(`${head(200, [json, chunked])}2\r\n{}\r\n0\r\n`),
  'switches-protocols': sending(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n',
  ),
}

export const connections = { ...silence, ...endings, ...framing }
