import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from 'node:net'
import type { Exchange, ExchangeRecord, ProbeRequest } from './exchange.ts'
import { Probe } from './probe.ts'
import { Redactor } from './redaction/redaction.ts'

const closings: (() => Promise<unknown>)[] = []

/** Closes all started servers and probes; for `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.all(closings.splice(0).map((close) => close()))
}

export interface TestServer {
  url: URL
  port: number
  /** Returns the number of connections since the start. */
  connections(): number
}

/** Starts a server on a free port. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<TestServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    // Ignores resets by clients that abort.
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server.listen(0, host), 'listening')
  closings.push(() => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    return closed
  })
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}/`)
  return { url, port, connections: () => connections }
}

export function startServer(listener: RequestListener, host?: string): Promise<TestServer> {
  return listen(createServer(listener), host)
}

/** Starts a server that returns each status in turn, then the last status; `times` are the times of the requests. */
export async function startResponding(
  statuses: number[],
  headers: Record<string, string> = {},
): Promise<TestServer & { times: number[] }> {
  const times: number[] = []
  const server = await startServer((_, response) => {
    const status = statuses[Math.min(times.length, statuses.length - 1)] ?? 200
    times.push(Date.now())
    response.writeHead(status, status === 200 ? {} : headers).end()
  })
  return { ...server, times }
}

/** Starts a TCP server; `onData` receives each connection with its first bytes. */
export function startSocketServer(
  onData: (socket: Socket, text: string) => void,
): Promise<TestServer> {
  return listen(
    createSocketServer((socket) =>
      socket.once('data', (bytes) => onData(socket, bytes.toString('latin1'))),
    ),
  )
}

/** Returns a port of 127.0.0.1 without a listener. */
export async function closedPort(): Promise<number> {
  const server = createSocketServer()
  const { port } = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

export interface TestProbe extends Pick<Probe, 'send' | 'close'> {
  records: ExchangeRecord[]
  redactor: Redactor
  /** Sends a request, by default a GET. */
  ask(url: URL | string, parts?: Partial<ProbeRequest>): Promise<Exchange>
}

export function startProbe(
  options: Partial<ConstructorParameters<typeof Probe>[0]> = {},
): TestProbe {
  const records: ExchangeRecord[] = []
  const redactor = new Redactor()
  const probe = new Probe({
    concurrency: 8,
    timeoutMs: 5000,
    retries: 2,
    maxBodyBytes: 1024 * 1024,
    userAgent: 'plumbline/test',
    redactor,
    onExchange: (record) => records.push(record),
    ...options,
  })
  closings.push(() => probe.close())
  return {
    send: (request) => probe.send(request),
    close: () => probe.close(),
    records,
    redactor: options.redactor ?? redactor,
    ask: (url, parts) =>
      probe.send({ service: 'test', method: 'GET', url: new URL(url), purpose: 'test', ...parts }),
  }
}
