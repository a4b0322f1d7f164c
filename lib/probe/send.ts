import type { Exchange, ProbeRequest } from './exchange.ts'

/** Sends one request of a service; with `fresh` also a GET that was sent before. */
export type Send = (
  request: Omit<ProbeRequest, 'service' | 'purpose'> & { fresh?: boolean },
) => Promise<Exchange>
