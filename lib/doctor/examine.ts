import type { ServiceName } from '../conformance/requirement.ts'
import { createRun, type Run, type RunSettings } from '../conformance/run.ts'
import type { Target } from '../environment/target.ts'
import { type ClockDifference, clockDifference, clockWords, isClockOff } from './clock.ts'
import type { Finding } from './doctor-report.ts'
import { createNotes, type Notes } from './notes.ts'
import { passwordsOnce } from './passwords-once.ts'

/** Looks with GETs at one service. */
export interface ServiceDoctor {
  /** @returns what is seen of it, for the needs of its catalogue; nothing where it does not answer */
  examine(run: Run, notes: Notes): Promise<object | undefined>
  /** One-time codes are computed for it. */
  needsClock?: boolean
}

/** What GETs have shown of a target. */
export interface Examination {
  findings: Finding[]
  /** By service: what is seen of those that answer. */
  facts: Partial<Record<ServiceName, object>>
  /** By service: by how many seconds the clock of the server is ahead. */
  clocks: Partial<Record<ServiceName, ClockDifference>>
  /** Services that do not answer, or in whose place something else does. */
  unanswered: ServiceName[]
  /** How many requests were sent, repeated ones included. */
  requests: number
}

/** Most requests for all services, those that PROBE_RETRIES repeats aside. */
export const MOST_REQUESTS = 28

function examineClock(
  service: ServiceName,
  needsClock: boolean,
  run: Run,
  notes: Notes,
): ClockDifference | undefined {
  const exchanges = run.exchanges.filter(({ request }) => request.service === service)
  const difference = clockDifference(exchanges)
  if (difference === undefined) return undefined
  const words = `The clock of the server is ${clockWords(difference)} this one`
  if (isClockOff(difference)) {
    const consequence = needsClock ? 'one-time codes will not match. Set' : 'set'
    notes.add('warning', `${words}: ${consequence} both by NTP.`)
  } else if (needsClock) {
    notes.add('good', `${words}.`)
  }
  return difference
}

/**
 * Looks at a target with GETs alone, and tries each password and key once.
 *
 * @param settings of a run that is about to take place
 * @param doctors of the services of the target
 */
export async function examine(
  settings: RunSettings,
  doctors: Partial<Record<ServiceName, ServiceDoctor>>,
): Promise<Examination> {
  const target: Target = {
    ...settings.target,
    probe: { ...settings.target.probe, readOnly: true },
  }
  const run: Run = createRun(
    { ...settings, target },
    passwordsOnce(() => run.exchanges),
  )
  try {
    const examined = await Promise.all(
      (Object.entries(doctors) as [ServiceName, ServiceDoctor][]).map(async ([service, doctor]) => {
        const notes = createNotes(service, (text) => run.redactor.redact(text))
        return { service, doctor, notes, facts: await doctor.examine(run, notes) }
      }),
    )
    const clocks: Examination['clocks'] = {}
    for (const { service, doctor, notes, facts } of examined) {
      if (facts === undefined) continue
      const difference = examineClock(service, doctor.needsClock === true, run, notes)
      if (difference !== undefined) clocks[service] = difference
    }
    return {
      findings: examined.flatMap(({ notes }) => notes.findings),
      facts: Object.fromEntries(
        examined.flatMap(({ service, facts }) => (facts === undefined ? [] : [[service, facts]])),
      ),
      clocks,
      unanswered: examined.flatMap(({ service, facts }) => (facts === undefined ? [service] : [])),
      requests: run.takeUnreported().length,
    }
  } finally {
    await run.close()
  }
}
