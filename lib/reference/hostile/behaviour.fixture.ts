import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

export type Field = readonly [name: string, value: string]

/** A response as the reference deployment gives it, before anything is done to it. */
export interface HonestResponse {
  status: number
  /** In the order and case in which they came, without those that frame the body. */
  fields: readonly Field[]
  body: Buffer
}

/** One request that a misbehaving server has received. */
export interface Encounter {
  request: IncomingMessage
  /** The bare connection: what is written to it is all that the client gets. */
  socket: Socket
  honest(): Promise<HonestResponse>
  /** An origin that the client has no business with. */
  elsewhere: string
  /** Between two bytes of a server that takes its time, in milliseconds. */
  paceMs: number
}

/** What a server that misbehaves does with a request. */
export type Behaviour = (encounter: Encounter) => unknown

/** Status line and fields as they go over the wire, with the empty line behind them. */
export function head(status: number, fields: readonly Field[], version = '1.1'): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  const statusLine = `HTTP/${version} ${String(status).padStart(3, '0')} As It Is`
  return `${[statusLine, ...lines].join('\r\n')}\r\n\r\n`
}

/** The whole response in bytes, framed by its length; the connection may be used again. */
export function framed({ status, fields, body }: HonestResponse): Buffer {
  const length: Field[] = status === 204 ? [] : [['Content-Length', String(body.length)]]
  return Buffer.concat([Buffer.from(head(status, [...fields, ...length]), 'latin1'), body])
}

/** A behaviour that changes what an honest server would have sent, and is honest otherwise. */
export function changing(
  change: (honest: HonestResponse, encounter: Encounter) => Partial<HonestResponse>,
): Behaviour {
  return async (encounter) => {
    const honest = await encounter.honest()
    encounter.socket.write(framed({ ...honest, ...change(honest, encounter) }))
  }
}

/** A behaviour that sends the same bytes whatever it is asked, and then closes. */
export function sending(bytes: string): Behaviour {
  return ({ socket }) => socket.end(bytes)
}

/** Writes again and again until the client has gone, as fast as it reads unless a pace is given. */
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

/** The fields with those of some names taken out, in any case. */
export function withoutFields(fields: readonly Field[], ...names: string[]): Field[] {
  return fields.filter(([name]) => !names.includes(name.toLowerCase()))
}

/** Whether it is a page of the list. */
export function isList({ request }: Encounter, { status }: HonestResponse): boolean {
  return status === 200 && /\/user\/repos(?:\?|$)/.test(request.url ?? '')
}

/** The body with one more member at the start of its object, or of the first in its list. */
export function withMember({ body }: HonestResponse, member: string): Partial<HonestResponse> {
  const text = body.toString('latin1')
  const [start] = /^\s*\[?\s*\{/.exec(text) ?? ['']
  if (start === '') return {}
  const rest = text.slice(start.length)
  const separator = rest.trimStart().startsWith('}') ? '' : ','
  return { body: Buffer.from(`${start}${member}${separator}${rest}`, 'latin1') }
}
