import { setTimeout as delay } from 'node:timers/promises'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { Probe } from '../probe/probe.ts'
import { durationText } from '../text/quantities.ts'
import { type CliContext, safeForTerminal, version } from './context.ts'
import type { PreparedTarget } from './prepare-run.ts'
import { catalogueOf, type ServiceKey, services, servicesOf } from './services.ts'

const REQUEST_INTERVAL_MS = 1000

/** Returns the reason why a service is not up yet; undefined after any other response, or a certificate. */
async function findAbsence(response: Promise<Exchange>): Promise<string | undefined> {
  try {
    const { origin, status } = await response
    return origin.by === 'gateway' && origin.cause === 'unavailable'
      ? `status ${status}`
      : undefined
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
    return error.kind === 'certificate' || error.kind === 'unreadable' ? undefined : error.detail
  }
}

/** Repeats the first request to each service until all respond, the time is over, or the interruption resolves. */
export async function waitForServices(
  { target, embedded }: PreparedTarget,
  seconds: number | undefined,
  { errors, redactor }: Pick<CliContext, 'errors' | 'redactor'>,
  interruption: Promise<unknown> = new Promise(() => {}),
): Promise<void> {
  if (seconds === undefined || embedded !== undefined) return
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(), seconds * 1000)
  void interruption.then(() => controller.abort())
  // The operator limits the time of all pauses.
  const limits = { retries: 0, maxPausesMs: Number.POSITIVE_INFINITY }
  const options = { ...limits, userAgent: `plumbline/${version}`, redactor, onExchange() {} }
  const probe = new Probe({ ...target.probe, ...options })
  const log = (text: string) => errors.write(safeForTerminal(`${text}.\n`, redactor))

  async function waitFor(key: ServiceKey): Promise<void> {
    const { service } = catalogueOf(key)
    const url = new URL(`${target[key]?.baseUrl}${services[key].firstPath}`)
    const request = { service, method: 'GET', url, purpose: 'wait', signal }
    const started = performance.now()
    let absence = await findAbsence(probe.send(request))
    if (absence === undefined) return
    log(`waiting up to ${seconds} s for ${service} (${absence})`)
    while (absence !== undefined && !signal.aborted) {
      await delay(REQUEST_INTERVAL_MS, undefined, { signal }).catch(() => {})
      absence = await findAbsence(probe.send(request))
    }
    log(`waited ${durationText(performance.now() - started)} for ${service}`)
  }

  try {
    await Promise.all(servicesOf(target).map(waitFor))
    // The requests of the run are counted separately.
    if (target.probe.requestsPerSecond !== undefined) await delay(REQUEST_INTERVAL_MS)
  } finally {
    clearTimeout(timer)
    await probe.close()
  }
}
