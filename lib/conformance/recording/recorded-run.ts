/** A run whose requests a recording answers, so that the checks of a run judge it. */
import type { Target } from '../../environment/target.ts'
import type { Exchange, ServiceRequest } from '../../probe/exchange.ts'
import { Redactor } from '../../probe/redaction/redaction.ts'
import { groupBy } from '../../text/group-by.ts'
import { skipUnrecorded } from '../check-errors.ts'
import { currentScope } from '../check-scope.ts'
import type { Run } from '../probe-run.ts'
import { DEFAULT_SEED } from '../seed.ts'

/** Identifies requests that the document does not distinguish. */
function keyOf({ method, url, credentials, headers }: ServiceRequest): string {
  const query = [...url.searchParams].map((pair) => pair.join('=')).sort()
  const { isFirst: _, user: __, ...sent } = { ...credentials } as Record<string, unknown>
  return JSON.stringify([method, decodeURI(url.pathname), query, sent, headers?.Sudo])
}

/** The parts of a run that send and compare requests. */
export type RecordedRun = Pick<Run, 'settings' | 'redactor' | 'normalize' | 'exchanges' | 'send'>

/** Creates a run that skips what is not recorded, server errors and limited requests: the same request may succeed later. */
export function createRecordedRun(exchanges: readonly Exchange[], target: Target): RecordedRun {
  const recorded = groupBy(exchanges, ({ request }) => keyOf(request))
  return {
    settings: { target, seed: DEFAULT_SEED, runId: 'recording' } as Run['settings'],
    redactor: new Redactor(),
    normalize: (text) => text,
    exchanges,
    async send(_, request) {
      const [found] = recorded.get(keyOf(request)) ?? []
      if (found === undefined || found.status >= 500 || found.status === 429)
        return skipUnrecorded()
      currentScope()?.exchanges.add(found.id)
      return found
    },
  }
}
