import type { ReferenceServer, Variant } from '../test-bed/reference/index.ts'
import { systemReason } from '../text/system-reason.ts'
import { UsageError } from './context.ts'
import { describeUnknown } from './select.ts'

export interface ServerOptions {
  port?: number
  latency?: number
  fault?: string | readonly string[]
  /** Name of a registered variant, or a variant that is not registered. */
  variant?: string | Variant
}

/** @throws UsageError for an unknown fault or variant, for conflicting faults, and for a port in use */
export async function startReferenceServer(
  options: ServerOptions,
  program?: string,
): Promise<ReferenceServer> {
  const reference = await import('../test-bed/reference/index.ts')
  const { ConflictingFaultsError, faults, startReference, variants } = reference
  const { port, latency, fault, variant } = options
  for (const [kind, known] of Object.entries({ fault: faults, variant: variants })) {
    const names = known.map((one) => one.name)
    for (const name of [{ fault, variant }[kind] ?? []].flat()) {
      if (typeof name === 'string' && !names.includes(name)) {
        throw new UsageError(describeUnknown(kind, name, names, program))
      }
    }
  }
  try {
    return await startReference({ port, latencyMs: latency, fault, variant })
  } catch (error) {
    if (error instanceof ConflictingFaultsError)
      throw new UsageError(`Use only one at a time: ${error.message}.`)
    if ((error as NodeJS.ErrnoException).syscall !== 'listen') throw error
    const option = port === undefined ? '' : `--port ${port}: `
    throw new UsageError(
      `${option}the reference server cannot listen at 127.0.0.1: ${systemReason(error)}.`,
    )
  }
}
