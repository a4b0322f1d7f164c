import { examineCodeHosting } from '../../suites/code-hosting/doctor/examine.ts'
import { passwordsOnce } from '../../suites/code-hosting/doctor/passwords-once.ts'
import type { ServiceName } from '../conformance/requirement.ts'
import { createRun, type Run, type RunSettings } from '../conformance/run.ts'
import type { Target } from '../target/target.ts'
import { type ClockDifference, clockDifference, clockWords, isClockOff } from './clock.ts'
import { examineEventPublishing, examineIncidentStatus } from './examine-keyed-services.ts'
import type { CodeHostingFacts, Facts } from './facts.ts'
import type { Finding } from './finding.ts'
import { createNotes, type Notes } from './notes.ts'

/** What GETs have shown of a target. */
export interface Examination {
  findings: Finding[]
  facts: Facts
  /** By service: by how many seconds the clock of the server is ahead. */
  clocks: Partial<Record<ServiceName, ClockDifference>>
  /** Services that do not answer, or in whose place something else does. */
  unanswered: ServiceName[]
  /** How many requests were sent, repeated ones included. */
  requests: number
}

/** Most requests for all services, those that PROBE_RETRIES repeats aside. */
export const MOST_REQUESTS = 28

function examineClock(service: ServiceName, run: Run, notes: Notes): ClockDifference | undefined {
  const exchanges = run.exchanges.filter(({ request }) => request.service === service)
  const difference = clockDifference(exchanges)
  if (difference === undefined) return undefined
  const words = `The clock of the server is ${clockWords(difference)} this one`
  const needsTime = service === 'code-hosting'
  if (isClockOff(difference)) {
    const consequence = needsTime ? 'one-time codes will not match. Set' : 'set'
    notes.add('warning', `${words}: ${consequence} both by NTP.`)
  } else if (needsTime) {
    notes.add('good', `${words}.`)
  }
  return difference
}

/**
 * Looks at a target with GETs alone, and tries each password and key once.
 *
 * @param settings of a run that is about to take place
 */
export async function examine(settings: RunSettings): Promise<Examination> {
  const target: Target = {
    ...settings.target,
    probe: { ...settings.target.probe, readOnly: true },
  }
  const run: Run = createRun(
    { ...settings, target },
    passwordsOnce(() => run.exchanges),
  )
  const examined: { service: ServiceName; notes: Notes; answers: boolean }[] = []
  async function look<T>(
    service: ServiceName,
    isConfigured: boolean,
    work: (run: Run, notes: Notes) => Promise<T | false | undefined>,
  ): Promise<T | undefined> {
    if (!isConfigured) return undefined
    const notes = createNotes(service, (text) => run.redactor.redact(text))
    const one = { service, notes, answers: false }
    examined.push(one)
    const seen = await work(run, notes)
    if (seen === false || seen === undefined) return undefined
    one.answers = true
    return seen
  }
  try {
    const [codeHosting] = await Promise.all([
      look('code-hosting', target.codeHosting !== undefined, examineCodeHosting),
      look('event-publishing', target.eventPublishing !== undefined, examineEventPublishing),
      look('incident-status', target.incidentStatus !== undefined, examineIncidentStatus),
    ])
    const clocks: Examination['clocks'] = {}
    for (const { service, notes } of examined.filter(({ answers }) => answers)) {
      const difference = examineClock(service, run, notes)
      if (difference !== undefined) clocks[service] = difference
    }
    return {
      findings: examined.flatMap(({ notes }) => notes.findings),
      facts: { codeHosting: codeHosting ?? ({} satisfies CodeHostingFacts) },
      clocks,
      unanswered: examined.filter(({ answers }) => !answers).map(({ service }) => service),
      requests: run.takeUnreported().length,
    }
  } finally {
    await run.close()
  }
}
