import { request as ask, createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type RunningReference, startReference } from '../start-reference.ts'
import {
  type Behaviour,
  type Field,
  framed,
  type HonestResponse,
  withoutFields,
} from './behaviour.fixture.ts'
import { behaviourNamed } from './behaviours.fixture.ts'

export interface HostileOptions {
  /** Name of a behaviour: see `behaviours`. */
  behaviour: string
  /** The requests that meet it; by default all of them do. The others are answered honestly. */
  at?: (request: IncomingMessage) => boolean
  /** An origin that a client has no business with. By default one at which nothing listens. */
  elsewhere?: string
  /** Between two bytes of a server that takes its time: 1000 ms by default. */
  paceMs?: number
  /** Key and certificate in PEM, for a server that speaks TLS. */
  tls?: { key: string; cert: string }
}

/** The reference deployment behind a server that misbehaves, to be closed by whoever started it. */
export interface RunningHostile {
  origin: string
  /** The variables for a run against it. */
  environment: Record<string, string>
  /** What was asked of it, in the order in which it came. */
  requests: { method: string; url: string; headers: IncomingMessage['headers'] }[]
  close(): Promise<void>
}

function fieldsOf({ rawHeaders }: IncomingMessage): Field[] {
  const all = rawHeaders.flatMap((name, index): Field[] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  )
  return withoutFields(all, 'content-length', 'transfer-encoding', 'connection', 'keep-alive')
}

/** What the reference deployment answers to the same request. */
function askHonestly(
  request: IncomingMessage,
  { origin }: RunningReference,
): Promise<HonestResponse> {
  return new Promise((resolve, reject) => {
    const inside = ask(
      origin + request.url,
      { method: request.method, headers: request.headers },
      async (response) => {
        try {
          const body = Buffer.concat(await response.toArray())
          resolve({ status: response.statusCode ?? 0, fields: fieldsOf(response), body })
        } catch (error) {
          reject(error)
        }
      },
    )
    inside.on('error', reject)
    request.pipe(inside)
  })
}

const honesty: Behaviour = {
  name: 'honest',
  does: 'answers as its document says',
  answer: async ({ socket, honest }) => void socket.write(framed(await honest())),
}

/**
 * Serves the reference deployment with a misbehaviour laid over it, on loopback.
 *
 * @throws Error when no behaviour has that name
 */
export async function startHostile(options: HostileOptions): Promise<RunningHostile> {
  const { at = () => true, elsewhere = 'http://127.0.0.1:9', paceMs = 1000, tls } = options
  const behaviour = behaviourNamed(options.behaviour)
  const reference = await startReference()
  const requests: RunningHostile['requests'] = []
  const sockets = new Set<Socket>()

  async function answer(request: IncomingMessage): Promise<void> {
    const { method = '', url = '', headers, socket } = request
    requests.push({ method, url, headers })
    const chosen = at(request) ? behaviour : honesty
    const honest = () => askHonestly(request, reference)
    await chosen.answer({ request, socket, honest, elsewhere, paceMs })
  }

  const listener = (request: IncomingMessage) => {
    answer(request).catch(() => request.socket.destroy())
  }
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    // A client that gives up resets its connection, which is what it should do.
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  const moved = Object.keys(reference.environment)
    .filter((name) => name.endsWith('_BASE_URL'))
    .map((name) => [name, origin])
  return {
    origin,
    environment: { ...reference.environment, ...Object.fromEntries(moved) },
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await Promise.all([closed, reference.close()])
    },
  }
}
