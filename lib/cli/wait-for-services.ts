import { setTimeout as delay } from 'node:timers/promises'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { createProbe } from '../probe/probe.ts'
import { awaitedText } from '../reports/format.ts'
import type { AwaitedService } from '../results/run-report.ts'
import { type CliContext, safeForTerminal, version } from './context.ts'
import type { PreparedTarget } from './prepare-run.ts'
import { catalogueOf, type ServiceKey, services } from './services.ts'

const REQUEST_INTERVAL_MS = 1000

/** Returns the reason why a service is not up yet; undefined after any other response, or a certificate. */
async function findAbsence(response: Promise<Exchange>): Promise<string | undefined> {
  try {
    const { origin, status } = await response
    return origin.by === 'gateway' && origin.why === 'unavailable' ? `status ${status}` : undefined
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    return error.kind === 'certificate' || error.kind === 'unreadable' ? undefined : error.detail
  }
}

/**
 * Repeats the first request to each service until the service responds, the time is over, or the promise of an
 * interruption resolves. Returns the services that were not up at first.
 */
export async function waitForServices(
  { target, services: keys, embedded }: PreparedTarget,
  seconds: number | undefined,
  { errors, redactor }: Pick<CliContext, 'errors' | 'redactor'>,
  interruption: Promise<unknown> = new Promise(() => {}),
): Promise<AwaitedService[]> {
  if (seconds === undefined || embedded !== undefined) return []
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(), seconds * 1000)
  void interruption.then(() => controller.abort())
  const options = { retries: 0, userAgent: `plumbline/${version}`, redactor, onExchange() {} }
  const probe = createProbe({ ...target.probe, ...options })
  const log = (text: string) => errors.write(safeForTerminal(`${text}.\n`, redactor))

  async function awaitService(key: ServiceKey): Promise<AwaitedService[]> {
    const { service } = catalogueOf(key)
    const url = new URL(`${target[key]?.baseUrl}${services[key].firstPath}`)
    const request = { service, method: 'GET', url, purpose: 'wait', signal }
    const started = performance.now()
    let reason: string | undefined
    for (;;) {
      const absence = await findAbsence(probe.send(request))
      const responds = absence === undefined
      if (responds && reason === undefined) return []
      if (responds || signal.aborted) {
        const durationMs = Math.round(performance.now() - started)
        const awaited = { service, durationMs, responds, reason: reason ?? 'no response' }
        log(`waited ${awaitedText([awaited])}`)
        return [awaited]
      }
      if (reason === undefined) log(`waiting up to ${seconds} s for ${service} (${absence})`)
      reason = absence
      await delay(REQUEST_INTERVAL_MS, undefined, { signal }).catch(() => {})
    }
  }

  try {
    const awaited = (await Promise.all(keys.map(awaitService))).flat()
    // The requests of the run are counted separately.
    if (target.probe.requestsPerSecond !== undefined) await delay(REQUEST_INTERVAL_MS)
    return awaited
  } finally {
    clearTimeout(timer)
    await probe.close()
  }
}
