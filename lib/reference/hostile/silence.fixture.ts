import { type Behaviour, framed, pour } from './behaviour.fixture.ts'

/** Servers that let a client wait. */
export const silence: readonly Behaviour[] = [
  {
    name: 'never-answers',
    does: 'accepts the request and never answers',
    answer() {},
  },
  {
    name: 'drips',
    does: 'answers one byte at a time',
    async answer({ socket, honest, paceMs }) {
      const bytes = framed(await honest())
      let at = 0
      pour(socket, () => bytes.subarray(at, ++at), paceMs)
    },
  },
  {
    name: 'drips-its-body',
    does: 'answers with a whole header and a body that comes one byte at a time',
    async answer({ socket, honest, paceMs }) {
      const bytes = framed(await honest())
      let at = bytes.indexOf('\r\n\r\n') + 4
      socket.write(bytes.subarray(0, at))
      pour(socket, () => bytes.subarray(at, ++at), paceMs)
    },
  },
  {
    name: 'continues-without-end',
    does: 'says 100 Continue again and again',
    answer: ({ socket }) => pour(socket, () => 'HTTP/1.1 100 Continue\r\n\r\n', 5),
  },
  {
    name: 'hints-without-end',
    does: 'sends early hints (103) again and again',
    answer: ({ socket }) =>
      pour(socket, () => 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n', 5),
  },
]
