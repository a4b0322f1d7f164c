import { Inconclusive, inconclusive, Skip } from '../conformance/check-errors.ts'
import type { ServiceName } from '../conformance/requirement.ts'
import { createRun, type Run, type RunSettings } from '../conformance/run.ts'
import type { Target } from '../environment/target.ts'
import { type Exchange, type ProbeRequest, TransportError } from '../probe/exchange.ts'
import { printableSentence, truncate } from '../reports/printable.ts'
import { type ExchangeNames, exchangeNames, reasonSentence } from '../reports/reason-text.ts'
import type { Reason } from '../results/reason.ts'
import type { ClockDifference, DoctorReport, Finding, FindingKind } from './doctor-report.ts'

/** Looks with GETs at one service. */
export interface ServiceDoctor {
  /** @returns what is seen of it, for the needs of its catalogue; nothing where it does not answer */
  examine(run: Run, notes: FindingRecorder): Promise<object | undefined>
  /** What a run would make on it and could not take away, in a few sentences, if anything. */
  leftBehind?(target: Target): string | undefined
  /** One-time codes are computed for it. */
  needsClock?: boolean
}

/** What GETs have shown of a target. */
export interface Examination extends Pick<DoctorReport, 'findings' | 'clocks' | 'requests'> {
  /** What is seen of the services that answer. */
  facts: Partial<Record<ServiceName, object>>
}

/** Of a finding, in characters: a server may give a name of any length. */
const LONGEST_TEXT = 1500

/** What is found about one service. */
export interface FindingRecorder {
  add(kind: FindingKind, text: string): void
  /** Notes what makes the work impossible: as of the kind given, unless the target gave no answer. */
  attempt<T>(work: () => Promise<T>, otherwise?: FindingKind): Promise<T | undefined>
}

type Found = { kind: FindingKind; text: string | Reason }[]

function createFindingRecorder(found: Found): FindingRecorder {
  return {
    add: (kind, text) => void found.push({ kind, text }),
    async attempt(work, otherwise = 'target') {
      try {
        return await work()
      } catch (error) {
        if (error instanceof Skip) return undefined
        if (!(error instanceof Inconclusive)) throw error
        const isUnanswered = error.cause instanceof TransportError || error.exchange !== undefined
        found.push({ kind: isUnanswered ? 'target' : otherwise, text: error.reason })
        return undefined
      }
    },
  }
}

/** Returns findings in words, each once. */
function findingsOf(
  service: ServiceName,
  found: Found,
  named: ExchangeNames,
  redact: (text: string) => string,
): Finding[] {
  const findings = new Map<string, Finding>()
  for (const { kind, text: words } of found) {
    const whole = typeof words === 'string' ? words : reasonSentence(words, named)
    const text = truncate(printableSentence(redact(whole)), LONGEST_TEXT)
    if (!findings.has(text)) findings.set(text, { service, kind, text })
  }
  return [...findings.values()]
}

function passwordIn({ credentials }: ProbeRequest): string | undefined {
  return credentials?.kind === 'authorization' ? credentials.user : undefined
}

/**
 * Keeps requests with a password from being repeated until it is seen to be right: accounts get locked.
 * Asked before each attempt, with all exchanges so far.
 */
function passwordsOnce(exchanges: () => readonly Exchange[]): (request: ProbeRequest) => void {
  const sent = new WeakSet<ProbeRequest>()
  return (request) => {
    const password = passwordIn(request)
    if (password === undefined) return
    const isAccepted = (one: Exchange) => one.status === 200 && passwordIn(one.request) === password
    if (sent.has(request) && !exchanges().some(isAccepted)) {
      inconclusive(
        `${request.method} ${request.url.href} met trouble on its way, and with a password that may ` +
          'be wrong it is not repeated: try again later',
      )
    }
    sent.add(request)
  }
}

const dateOf = ({ headers }: Exchange) => Date.parse(headers.get('date') ?? '') / 1000

/**
 * By how much a clock differs, as the quickest response tells: its `Date`, which tells no parts of a
 * second, was set between the request and the end of the response. What a cache has kept tells nothing.
 */
export function clockDifference(exchanges: readonly Exchange[]): ClockDifference | undefined {
  const [quickest] = exchanges
    .filter((exchange) => !Number.isNaN(dateOf(exchange)) && !exchange.headers.has('age'))
    .toSorted((one, other) => one.record.durationMs - other.record.durationMs)
  if (quickest === undefined) return undefined
  const { startedAt, durationMs } = quickest.record
  const least = dateOf(quickest) - Date.parse(startedAt) / 1000
  return { least: least - durationMs / 1000, most: least + 1 }
}

function noteClock(
  { least, most }: ClockDifference,
  needsClock: boolean,
  notes: FindingRecorder,
): void {
  // More than one step of one-time codes.
  if (least <= 30 && most >= -30) return
  const seconds = Math.round((least + most) / 2)
  const words = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this one`
  const consequence = needsClock ? 'one-time codes will not match. Set' : 'set'
  notes.add('warning', `The clock of the server is ${words}: ${consequence} both by NTP.`)
}

/** Of a list: of more, nothing depends on how many there are, unless they are counted anyway. */
const MOST_PAGES = 3

/** Looks at the services of a target with GETs alone, and tries each password and key once. */
export async function examine(
  settings: RunSettings,
  doctors: Readonly<Record<ServiceName, ServiceDoctor>>,
): Promise<Examination> {
  const { probe } = settings.target
  const limited = { ...probe, readOnly: true, maxPages: Math.min(probe.maxPages, MOST_PAGES) }
  const run: Run = createRun(
    { ...settings, target: { ...settings.target, probe: limited } },
    passwordsOnce(() => run.exchanges),
  )
  try {
    const examined = await Promise.all(
      Object.entries(doctors).map(async ([service, doctor]) => {
        const found: Found = []
        const notes = createFindingRecorder(found)
        const facts = await doctor.examine(run, notes)
        const left = facts && doctor.leftBehind?.(settings.target)
        if (left !== undefined) found.unshift({ kind: 'warning', text: left })
        const own = run.exchanges.filter(({ request }) => request.service === service)
        const clock = facts === undefined ? undefined : clockDifference(own)
        if (clock !== undefined) noteClock(clock, doctor.needsClock === true, notes)
        return { service, found, facts, clock }
      }),
    )
    const exchanges = run.takeUnreported()
    const named = exchangeNames(exchanges)
    const redact = (text: string) => run.redactor.redact(text)
    const requests = exchanges.length
    const seen: Examination = { findings: [], facts: {}, clocks: {}, requests }
    for (const { service, found, facts, clock } of examined) {
      seen.findings.push(...findingsOf(service, found, named, redact))
      if (facts !== undefined) seen.facts[service] = facts
      if (clock !== undefined) seen.clocks[service] = clock
    }
    return seen
  } finally {
    await run.close()
  }
}
