import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

export type Field = readonly [name: string, value: string]

export interface HonestResponse {
  status: number
  /** In the order and case of the response, without the framing fields. */
  fields: readonly Field[]
  body: Buffer
}

export interface Encounter {
  request: IncomingMessage
  /** The behavior writes the whole response to it. */
  socket: Socket
  honest(): Promise<HonestResponse>
  /** Origin that the client must not contact. */
  elsewhere: string
  /** Delay between two bytes of a slow server. */
  paceMs: number
}

export type Behaviour = (encounter: Encounter) => unknown

export function head(status: number, fields: readonly Field[], version = '1.1'): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  const statusLine = `HTTP/${version} ${String(status).padStart(3, '0')} As It Is`
  return `${[statusLine, ...lines].join('\r\n')}\r\n\r\n`
}

/** Formats a response with `Content-Length`; the connection stays open. */
export function framed({ status, fields, body }: HonestResponse): Buffer {
  const length: Field[] = status === 204 ? [] : [['Content-Length', String(body.length)]]
  return Buffer.concat([Buffer.from(head(status, [...fields, ...length]), 'latin1'), body])
}

/** Creates a behavior that changes parts of the correct response. */
export function changing(
  change: (honest: HonestResponse, encounter: Encounter) => Partial<HonestResponse>,
): Behaviour {
  return async (encounter) => {
    const honest = await encounter.honest()
    encounter.socket.write(framed({ ...honest, ...change(honest, encounter) }))
  }
}

/** Creates a behavior that sends these bytes and closes the connection. */
export function sending(bytes: string): Behaviour {
  return ({ socket }) => socket.end(bytes)
}

/** Writes until the client closes the connection: every `paceMs`, or as fast as the client reads. */
export function pour(socket: Socket, next: () => string | Buffer, paceMs = 0): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(next()));
  }
  if (paceMs === 0) {
    socket.on('drain', more)
    more()
    return
  }
  const pouring = setInterval(() => socket.write(next()), paceMs)
  socket.on('close', () => clearInterval(pouring))
}

/** Removes fields by name, in any case. */
export function withoutFields(fields: readonly Field[], ...names: string[]): Field[] {
  return fields.filter(([name]) => !names.includes(name.toLowerCase()))
}

export function isList({ request }: Encounter, { status }: HonestResponse): boolean {
  return status === 200 && /\/user\/repos(?:\?|$)/.test(request.url ?? '')
}

/** Adds a member to the object of a body, or to the first object of its list. */
export function withMember({ body }: HonestResponse, member: string): Partial<HonestResponse> {
  const text = body.toString('latin1')
  const [start] = /^\s*\[?\s*\{/.exec(text) ?? ['']
  if (start === '') return {}
  const rest = text.slice(start.length)
  const separator = rest.trimStart().startsWith('}') ? '' : ','
  return { body: Buffer.from(`${start}${member}${separator}${rest}`, 'latin1') }
}
