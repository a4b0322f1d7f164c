import { once } from 'node:events'
import { createServer, type IncomingMessage, request as sendRequest } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { type ReferenceServer, startReference } from '../index.ts'
import {
  type Behaviour,
  changing,
  type Field,
  type HonestResponse,
  withoutFields,
} from './behaviour.fixture.ts'
import { bodies } from './bodies.fixture.ts'
import { connections } from './connections.fixture.ts'
import { responses } from './responses.fixture.ts'

const behaviours: Readonly<Record<string, Behaviour>> = { ...connections, ...responses, ...bodies }

export interface HostileOptions {
  /** Name of a behavior, or a function that selects one for a request. */
  behaviour: string | ((request: IncomingMessage) => string)
  /** Selects the requests with this behavior, by default all; the others get correct responses. */
  at?: (request: IncomingMessage) => boolean
  /** Origin that a client must not contact; by default no server listens there. */
  elsewhere?: string
  /** Delay between two bytes of a slow server; 1000 by default. */
  paceMs?: number
  /** Path of the services, such as `/git`; by default the root. */
  basePath?: string
  /** Key and certificate of a TLS server, in PEM; with `ca`, it requires a client certificate of that authority. */
  tls?: { key: string; cert: string; ca?: string }
}

function fieldsOf({ rawHeaders }: IncomingMessage): Field[] {
  const all = rawHeaders.flatMap((name, index): Field[] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  )
  return withoutFields(all, 'content-length', 'transfer-encoding', 'connection', 'keep-alive')
}

/** Returns the response of the reference server to the same request. */
async function forwardToReference(
  request: IncomingMessage,
  { origin }: ReferenceServer,
): Promise<HonestResponse> {
  const { method, url, headers } = request
  const inside = request.pipe(sendRequest(origin + url, { method, headers }))
  // An error after the response is an error of its content too.
  inside.on('error', () => {})
  const [response]: IncomingMessage[] = await once(inside, 'response')
  if (response === undefined) throw new Error('the reference server did not respond')
  const body = Buffer.concat(await response.toArray())
  return { status: response.statusCode ?? 0, fields: fieldsOf(response), body }
}

const honesty = changing(() => ({}))

function behaviourNamed(name: string): Behaviour {
  const found = behaviours[name]
  if (found === undefined) throw new Error(`there is no behaviour ${name}`)
  return found
}

/**
 * Serves the reference server with a hostile behavior, on loopback. Returns the variables of a run
 * against it, and the received requests in order.
 *
 * @throws Error for an unknown behavior
 */
export async function startHostile(options: HostileOptions) {
  const { at = () => true, behaviour, basePath, tls } = options
  const { elsewhere = 'http://127.0.0.1:9', paceMs = 1000 } = options
  const choose = typeof behaviour === 'function' ? behaviour : () => behaviour
  if (typeof behaviour === 'string') behaviourNamed(behaviour)
  const reference = await startReference({ ...(basePath !== undefined && { basePath }) })
  const requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = []
  const sockets = new Set<Socket>()

  const respond = async (request: IncomingMessage): Promise<void> => {
    const { method = '', url = '', headers, socket } = request
    requests.push({ method, url, headers })
    const honest = () => forwardToReference(request, reference)
    const chosen = at(request) ? behaviourNamed(choose(request)) : honesty
    await chosen({ request, socket, honest, elsewhere, paceMs })
  }

  const listener = (request: IncomingMessage) => {
    respond(request).catch(() => request.socket.destroy())
  }
  const server =
    tls === undefined
      ? createServer(listener)
      : createSecureServer({ ...tls, requestCert: tls.ca !== undefined }, listener)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    // A client that aborts resets its connection.
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`
  const environment: Record<string, string> = { ...reference.environment }
  for (const [name, value] of Object.entries(environment)) {
    if (name.endsWith('_BASE_URL')) environment[name] = value.replace(reference.origin, origin)
  }
  return {
    origin,
    environment,
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await Promise.all([closed, reference.close()])
    },
  }
}
