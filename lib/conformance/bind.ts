import { test } from 'vitest'
import { type Invariant, registerInvariant } from './invariants.ts'
import { judge } from './judgement.ts'
import { report } from './report-row.ts'
import type { Catalogue } from './requirement.ts'
import { currentRun } from './run.ts'
import { createScope, runInScope } from './scope.ts'

/** The words in which the suites of one service are written. */
export interface SuiteWords<Id extends string, ObservationId extends string, Context> {
  /** Judges a requirement: passes unless an expectation fails. */
  verify(id: Id, check: (context: Context) => Promise<void>): void
  /** Judges a requirement on every exchange with a documented endpoint, after all checks. */
  invariant(id: Id, invariant: Invariant<Context>): void
  /** Records what the deployment does where its document is silent; never a verdict. */
  observe(id: ObservationId, look: (context: Context) => Promise<unknown>): void
}

export interface BindOptions<Context> {
  /** Whether the target has the service at all. */
  probed: () => boolean
  context: () => Context
  /** Awaited before anything is judged; throws what then holds for every requirement. */
  preflight: (context: Context) => Promise<void>
}

/**
 * Binds the words to a catalogue, so that an id which is not in it does not compile. The checks of
 * all services run at the same time; the probe bounds how many requests are under way.
 */
export function bind<Id extends string, ObservationId extends string, Context>(
  catalogue: Catalogue<Id, ObservationId>,
  { probed, context: createContext, preflight }: BindOptions<Context>,
): SuiteWords<Id, ObservationId, Context> {
  let shared: Context | undefined
  let ready: Promise<void> | undefined

  function context(): Context {
    shared ??= createContext()
    return shared
  }

  function prepare(): Promise<void> {
    ready ??= runInScope(createScope(`${catalogue.service} preflight`), () => preflight(context()))
    return ready
  }

  function isSelected(id: string): boolean {
    return probed() && currentRun().settings.selected.includes(id)
  }

  return {
    verify(id, check) {
      if (!isSelected(id)) return
      test.concurrent(id, async (test) => {
        const judgement = await judge(id, 'probe', async () => {
          await prepare()
          await check(context())
        })
        report(test, judgement)
      })
    },

    invariant(id, invariant) {
      if (!isSelected(id)) return
      registerInvariant(catalogue.service, id, invariant, async () => {
        await prepare()
        return context()
      })
    },

    observe(id, look) {
      const observed = catalogue.observations?.find((observation) => observation.id === id)
      if (!probed() || !observed?.with.some(isSelected)) return
      test.concurrent(`observe ${id}`, async ({ task }) => {
        const scope = createScope(id)
        const run = currentRun()
        let value: unknown
        try {
          value = await runInScope(scope, async () => {
            await prepare()
            return look(context())
          })
        } catch {
          // What could not be seen is not recorded; the requirement beside it says why.
        }
        const seen = JSON.stringify(value)
        task.meta.plumbline = {
          exchanges: run.takeUnreported(),
          ...(seen === undefined
            ? {}
            : {
                observation: {
                  id,
                  value: JSON.parse(run.redactor.redact(seen)),
                  exchanges: [...scope.exchanges],
                },
              }),
        }
      })
    },
  }
}
