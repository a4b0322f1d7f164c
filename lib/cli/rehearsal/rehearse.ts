import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PoolRunnerInitializer } from 'vitest/node'
import type { RequirementResult } from '../../conformance/result.ts'
import type { Facts } from '../../doctor/facts.ts'
import { startReference } from '../../reference/index.ts'
import { loadTarget } from '../../target/load-target.ts'
import type { EventPublishingTarget, ProbeLimits, Target } from '../../target/target.ts'
import { catalogues, servicesOf } from '../catalogues.ts'
import { probeTarget } from '../probe-target.ts'
import { standIn } from './stand-in.ts'

/** What the outcome of a run depends on: what is told of the deployment, and what is there. */
export interface Situation {
  target: Target
  facts: Facts
}

export interface RehearsalOptions {
  /** On a deployment that shows and takes as little as the documents allow. */
  reticent?: boolean
  /** Where the suites run. */
  pool: PoolRunnerInitializer
}

/** What the operator tells of a service, taken from `all`; what is switched stays as it is. */
function dressed<Service extends object>(
  own: Service | undefined,
  all: Service | undefined,
): Service | undefined {
  if (own === undefined) return undefined
  const known = new Map(Object.entries(all ?? {}))
  const entries = Object.entries(own).map(([key, value]) => [
    key,
    typeof value === 'boolean' ? value : (known.get(key) ?? value),
  ])
  return Object.fromEntries(entries) as Service
}

/** A type that the operator does not vouch for stays the one that a run would use. */
function dressedEvents(own: EventPublishingTarget, { eventPublishing: all }: Target) {
  const { eventType, eventTypeConfigured, ...rest } = dressed(own, all) ?? own
  return {
    ...rest,
    eventType: eventTypeConfigured ? eventType : own.eventType,
    eventTypeConfigured,
  }
}

/** Whether the main account's list has more pages than a run would read. */
export function isListTooLong({ target, facts }: Situation): boolean {
  const { codeHosting, probe } = target
  const count = facts.codeHosting.main?.count ?? 0
  return codeHosting !== undefined && count > probe.maxPages * codeHosting.settings.maxResponseItems
}

/** Nothing here is about how patient the operator is with the real deployment. */
function limitsFor(situation: Situation): ProbeLimits {
  const { probe } = situation.target
  return {
    ...probe,
    concurrency: 8,
    timeoutMs: 30_000,
    retries: 2,
    maxBodyBytes: 10_485_760,
    // The stand-in never has more than three pages.
    maxPages: isListTooLong(situation) ? 2 : 100,
    wording: 'strict',
    evidence: 'full',
    proxy: {},
  }
}

/** Whoever reads it would look for the address in vain. */
function withoutAddress(result: RequirementResult, baseUrl: string): RequirementResult {
  const { reason } = result
  return reason === undefined ? result : { ...result, reason: reason.replaceAll(baseUrl, '') }
}

/**
 * Lets the suites judge a stand-in on loopback that is like the operator's deployment, with as much
 * told about it as the operator tells. Nothing of the operator's goes there: neither an address nor
 * a name nor a secret.
 *
 * @returns one result for each requirement of the services of the target
 * @throws Error for a defect of Plumbline
 */
export async function rehearse(
  situation: Situation,
  { reticent = false, pool }: RehearsalOptions,
): Promise<RequirementResult[]> {
  const { codeHosting, eventPublishing, incidentStatus } = situation.target
  const told = {
    eventType: eventPublishing?.eventTypeConfigured === true,
    eventId:
      eventPublishing?.eventId !== undefined || eventPublishing?.eventIdPointer !== undefined,
    replayBody: eventPublishing?.replayBody !== undefined,
  }
  const facts = situation.facts.codeHosting
  const embedded = await startReference({
    variant: standIn({ settings: codeHosting?.settings, facts, reticent, told }),
  })
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-rehearsal-'))
  try {
    const loaded = loadTarget({ environment: embedded.environment, directory })
    if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
    const all = loaded.target
    const target: Target = {
      ...(codeHosting && { codeHosting: dressed(codeHosting, all.codeHosting) }),
      ...(eventPublishing && { eventPublishing: dressedEvents(eventPublishing, all) }),
      ...(incidentStatus && { incidentStatus: dressed(incidentStatus, all.incidentStatus) }),
      probe: limitsFor(situation),
    }
    const services = servicesOf(target)
    const requirements = services.flatMap((key) => [...catalogues[key].requirements])
    const prepared = { target, settings: loaded.settings, services, embedded }
    const { report, defects } = await probeTarget(prepared, { requirements, directory, pool })
    if (defects.length > 0) throw new Error(`a rehearsal broke off: ${defects.join('\n')}`)
    return report.results.map((result) => withoutAddress(result, embedded.baseUrl))
  } finally {
    await embedded.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
