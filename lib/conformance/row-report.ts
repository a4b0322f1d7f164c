import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Judgement } from './judgement.ts'
import type { LeftBehind, Observation } from './result.ts'

/**
 * What a finished test tells the reporter, as metadata of the Vitest task. Everything is redacted.
 * Exchanges travel with whichever test ends next, each once, so that an interrupted run keeps them.
 */
export interface RowReport {
  judgement?: Judgement
  observation?: Observation
  exchanges: ExchangeRecord[]
  leftBehind?: LeftBehind[]
  /** What went wrong in Plumbline itself. */
  defect?: string
}

declare module 'vitest' {
  interface TaskMeta {
    plumbline?: RowReport
  }
}
