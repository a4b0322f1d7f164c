import type { Target } from '../target/target.ts'

/** What the command hands to the worker that judges. Structured-cloneable. */
export interface RunSettings {
  runId: string
  version: string
  target: Target
  secrets: { name: string; value: string }[]
  /** The target is the embedded deployment, which no proxy must see. */
  embedded: boolean
  /** Ids of the requirements to judge. */
  selected: string[]
  /** File to which what is created is written before it is made; absent: nothing is noted. */
  ledgerFile?: string
}

declare module 'vitest' {
  interface ProvidedContext {
    run: RunSettings
  }
}
