import type { RunningReference, Variant } from '../reference/index.ts'
import { UsageError } from './usage-error.ts'

export interface EmbeddedOptions {
  port?: number
  latency?: number
  fault?: string
  /** Its name, or one that has none. */
  variant?: string | Variant
}

/** Why the deployment cannot listen, as what follows the option or stands alone. */
const refusals: Record<string, string> = {
  EADDRINUSE: 'is in use: name another port, or leave --port out for a free one',
  EACCES: 'needs more rights than you have: name a port from 1024 on, or leave --port out',
}

/** The registries are large: a start without a fault or variant is quicker without them. */
async function assureKnown({ fault, variant }: EmbeddedOptions): Promise<void> {
  if (fault === undefined && variant === undefined) return
  const { assureKnownName } = await import('./reference-names.ts')
  if (fault !== undefined) assureKnownName('fault', fault)
  if (typeof variant === 'string') assureKnownName('variant', variant)
}

/**
 * Starts the reference deployment on loopback.
 *
 * @throws UsageError when it has no such fault or variant, or cannot listen at the port
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningReference> {
  await assureKnown(options)
  const { startReference } = await import('../reference/index.ts')
  try {
    return await startReference({
      port: options.port,
      latencyMs: options.latency,
      fault: options.fault,
      variant: options.variant,
    })
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== 'listen' || code === undefined) throw error
    const reason = refusals[code]
    throw new UsageError(
      reason === undefined || options.port === undefined
        ? `The embedded reference deployment cannot listen at 127.0.0.1 (${code}).`
        : `--port ${options.port} ${reason}.`,
    )
  }
}
