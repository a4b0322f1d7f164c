import type { RunningReference } from '../reference/index.ts'
import { UsageError } from './usage-error.ts'

export interface EmbeddedOptions {
  port?: number
  latency?: number
  fault?: string
  variant?: string
}

/**
 * Starts the reference deployment on loopback.
 *
 * @throws UsageError when it has no such fault or variant, or the port is taken
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningReference> {
  const { startReference } = await import('../reference/index.ts')
  try {
    return await startReference({
      port: options.port,
      latencyMs: options.latency,
      fault: options.fault,
      variant: options.variant,
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
