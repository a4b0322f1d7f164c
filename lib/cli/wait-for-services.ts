import { setTimeout as delay } from 'node:timers/promises'
import { type Exchange, TransportError } from '../probe/exchange.ts'
import { createProbe } from '../probe/probe.ts'
import { awaitedText } from '../reports/report-text.ts'
import type { AwaitedService } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { joinNames } from '../text/names.ts'
import { type CliContext, safeForTerminal, version } from './context.ts'
import type { PreparedTarget } from './prepare-run.ts'
import { catalogueOf, type ServiceKey, services } from './services.ts'

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

interface Response {
  service: string
  key: ServiceKey
  absence: string | undefined
}

/** Waits for the services of one base URL, so that a message names all of them. */
async function awaitServices(
  together: readonly ServiceKey[],
  request: (key: ServiceKey) => Promise<Response>,
  seconds: number,
  signal: AbortSignal,
  log: (text: string) => void,
): Promise<AwaitedService[]> {
  const started = performance.now()
  const reasons = new Map<string, string>()
  const awaited: AwaitedService[] = []
  for (let round = 1, waiting = together; ; round += 1) {
    const outcomes = await Promise.all(waiting.map(request))
    const durationMs = Math.round(performance.now() - started)
    const absent = outcomes.filter(({ absence }) => absence !== undefined)
    for (const { service, absence } of outcomes) {
      const responds = absence === undefined
      const reason = reasons.get(service) ?? 'no response'
      if (responds ? round > 1 : signal.aborted) {
        awaited.push({ service, durationMs, responds, reason })
      } else if (!responds) reasons.set(service, absence)
    }
    if (absent.length === 0 || signal.aborted) {
      if (awaited.length > 0) log(`waited ${awaitedText(awaited)}`)
      return awaited
    }
    if (round === 1) {
      for (const [absence, group] of groupBy(absent, (one) => String(one.absence))) {
        const names = joinNames(group.map(({ service }) => service))
        log(`waiting up to ${seconds} s for ${names} (${absence})`)
      }
    }
    waiting = absent.map(({ key }) => key)
    await delay(REQUEST_INTERVAL_MS, undefined, { signal }).catch(() => {})
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
  // The operator limits the time of all pauses.
  const limits = { retries: 0, maxPausesMs: Number.POSITIVE_INFINITY }
  const options = { ...limits, userAgent: `plumbline/${version}`, redactor, onExchange() {} }
  const probe = createProbe({ ...target.probe, ...options })
  const log = (text: string) => errors.write(safeForTerminal(`${text}.\n`, redactor))

  async function request(key: ServiceKey): Promise<Response> {
    const { service } = catalogueOf(key)
    const url = new URL(`${target[key]?.baseUrl}${services[key].firstPath}`)
    const response = probe.send({ service, method: 'GET', url, purpose: 'wait', signal })
    return { service, key, absence: await findAbsence(response) }
  }

  try {
    const byUrl = groupBy(keys, (key) => String(target[key]?.baseUrl))
    const waiting = [...byUrl.values()].map((together) =>
      awaitServices(together, request, seconds, signal, log),
    )
    const awaited = (await Promise.all(waiting)).flat()
    // The requests of the run are counted separately.
    if (target.probe.requestsPerSecond !== undefined) await delay(REQUEST_INTERVAL_MS)
    return awaited
  } finally {
    clearTimeout(timer)
    await probe.close()
  }
}
