import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** A response as the reference deployment gives it, before anything is done to it. */
export interface HonestResponse {
  status: number
  /** In the order and case in which they came, without those that frame the body. */
  fields: readonly (readonly [name: string, value: string])[]
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

/** One way in which a server misbehaves. */
export interface Behaviour {
  name: string
  /** Completes "a server that …". */
  does: string
  answer(encounter: Encounter): void | Promise<void>
}

export type Field = HonestResponse['fields'][number]

function statusLine(status: number, version = '1.1'): string {
  return `HTTP/${version} ${String(status).padStart(3, '0')} As It Is`
}

/** Status line and fields as they go over the wire, with the empty line behind them. */
export function head(status: number, fields: readonly Field[], version?: string): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  return `${[statusLine(status, version), ...lines].join('\r\n')}\r\n\r\n`
}

/** The whole response in bytes, framed by its length; the connection may be used again. */
export function framed({ status, fields, body }: HonestResponse): Buffer {
  const length: Field[] = status === 204 ? [] : [['Content-Length', String(body.length)]]
  return Buffer.concat([Buffer.from(head(status, [...fields, ...length]), 'latin1'), body])
}

/** A behaviour that changes what an honest server would have sent, and is honest otherwise. */
export function changing(
  name: string,
  does: string,
  change: (honest: HonestResponse, encounter: Encounter) => HonestResponse,
): Behaviour {
  return {
    name,
    does,
    async answer(encounter) {
      encounter.socket.write(framed(change(await encounter.honest(), encounter)))
    },
  }
}

/** A behaviour that sends the same bytes whatever it is asked, and then closes. */
export function sending(name: string, does: string, bytes: string | Buffer): Behaviour {
  return { name, does, answer: ({ socket }) => void socket.end(bytes) }
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
  const lower = names.map((name) => name.toLowerCase())
  return fields.filter(([name]) => !lower.includes(name.toLowerCase()))
}
