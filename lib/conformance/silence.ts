import type { ProbeRequest } from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { Interrupted } from './outcome.ts'
import { CLEAN_UP } from './scope.ts'

/** Attempts in a row that took all their time and had no answer, until no other is made. */
const MOST_IN_A_ROW = 4

/** Knows which paths of a target never answer, so that a run need not wait at each of its requests. */
export interface Silence {
  /** Is told of each attempt when it ends. */
  note(record: ExchangeRecord): void
  /** @throws Interrupted when the request would only wait in vain */
  admit(request: ProbeRequest): void
}

function pathOf(service: string, method: string, url: URL): string {
  return `${service} ${method} ${url.pathname}`
}

/** @param timeoutMs the time limit of an attempt */
export function watchSilence(timeoutMs: number): Silence {
  const silent = new Map<string, number>()
  return {
    note({ service, request, response, durationMs }) {
      // What fails at once costs no time.
      if (response === null && durationMs < 0.9 * timeoutMs) return
      const path = pathOf(service, request.method, new URL(request.url))
      silent.set(path, response === null ? (silent.get(path) ?? 0) + 1 : 0)
    },

    admit({ service, method, url, purpose }) {
      const count = silent.get(pathOf(service, method, url)) ?? 0
      if (count < MOST_IN_A_ROW || purpose === CLEAN_UP) return
      throw new Interrupted(
        `${method} ${url.pathname} is not asked for any more: ${count} times in a row it had no ` +
          'answer within the time limit (PROBE_TIMEOUT_MS)',
      )
    },
  }
}
