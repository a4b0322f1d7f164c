import { Inconclusive, Skip } from '../conformance/outcome.ts'
import type { ServiceName } from '../conformance/requirement.ts'
import { createRun, type Run, type RunSettings } from '../conformance/run.ts'
import { type Exchange, type ProbeRequest, TransportError } from '../probe/exchange.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import type { ClockDifference, Finding, FindingKind } from './doctor-report.ts'

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
  clocks: Partial<Record<ServiceName, ClockDifference>>
  /** How many requests were sent, repeated ones included. */
  requests: number
}

/** Gathers what is found about one service. */
export interface Notes {
  readonly findings: readonly Finding[]
  add(kind: FindingKind, text: string): void
  /**
   * Does something that may not be possible. What then speaks against it is noted: as a problem of
   * the target where there was no answer, else as one of the kind given.
   *
   * @returns `undefined` when it was not possible, or something for it is not configured
   */
  attempt<T>(work: () => Promise<T>, otherwise?: FindingKind): Promise<T | undefined>
}

/** Of a finding, in characters: a server may give a name of any length. */
const LONGEST_TEXT = 600

/** A reason that ends a check, as a sentence of its own. */
function asSentence(reason: string): string {
  const text = /^https?:/.test(reason) ? reason : reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** @param redact keeps secrets out of what is noted, which may quote the server */
function createNotes(service: ServiceName, redact: (text: string) => string): Notes {
  const findings: Finding[] = []
  const add = (kind: FindingKind, words: string) => {
    const text = shortened(printableSentence(redact(words)), LONGEST_TEXT)
    if (findings.every((known) => known.text !== text)) findings.push({ service, kind, text })
  }
  return {
    findings,
    add,
    async attempt(work, otherwise = 'target') {
      try {
        return await work()
      } catch (error) {
        if (error instanceof Skip) return undefined
        if (!(error instanceof Inconclusive)) throw error
        const isUnanswered = error.cause instanceof TransportError || error.exchange !== undefined
        add(isUnanswered ? 'target' : otherwise, asSentence(error.message))
        return undefined
      }
    },
  }
}

function passwordIn({ credentials }: ProbeRequest): string | undefined {
  const isBasic = credentials?.kind === 'authorization' && credentials.value.startsWith('Basic ')
  return isBasic ? credentials.value : undefined
}

/**
 * Keeps requests with a password from being repeated until it is seen to be right: the trouble may
 * be that it is wrong, and accounts get locked.
 *
 * @param exchanges all that there were so far
 * @returns what is asked before each attempt; it throws `Inconclusive`
 */
function passwordsOnce(exchanges: () => readonly Exchange[]): (request: ProbeRequest) => void {
  const sent = new WeakSet<ProbeRequest>()
  return (request) => {
    const password = passwordIn(request)
    if (password === undefined) return
    const isAccepted = () =>
      exchanges().some((one) => one.status === 200 && passwordIn(one.request) === password)
    if (sent.has(request) && !isAccepted()) {
      throw new Inconclusive(
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

/** More than this, and the one-time code of the current step is another one on the server. */
const TOLERATED_SECONDS = 30

function noteClock({ least, most }: ClockDifference, needsClock: boolean, notes: Notes): void {
  const seconds = Math.round((least + most) / 2)
  if (least > TOLERATED_SECONDS || most < -TOLERATED_SECONDS) {
    const words = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this one`
    const consequence = needsClock ? 'one-time codes will not match. Set' : 'set'
    notes.add('warning', `The clock of the server is ${words}: ${consequence} both by NTP.`)
  } else if (needsClock) {
    const room = Math.ceil(Math.max(-least, most))
    notes.add('good', `The clock of the server is within ${room} s of this one.`)
  }
}

/** Of a list: of more, nothing depends on how many there are, unless they are counted anyway. */
const MOST_PAGES = 3

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
  const { probe } = settings.target
  const limited = { ...probe, readOnly: true, maxPages: Math.min(probe.maxPages, MOST_PAGES) }
  const run: Run = createRun(
    { ...settings, target: { ...settings.target, probe: limited } },
    passwordsOnce(() => run.exchanges),
  )
  try {
    const examined = await Promise.all(
      (Object.entries(doctors) as [ServiceName, ServiceDoctor][]).map(async ([service, doctor]) => {
        const notes = createNotes(service, (text) => run.redactor.redact(text))
        const facts = await doctor.examine(run, notes)
        const own = run.exchanges.filter(({ request }) => request.service === service)
        const clock = facts === undefined ? undefined : clockDifference(own)
        if (clock !== undefined) noteClock(clock, doctor.needsClock === true, notes)
        return { service, findings: notes.findings, facts, clock }
      }),
    )
    const facts: Examination['facts'] = {}
    const clocks: Examination['clocks'] = {}
    for (const one of examined) {
      if (one.facts !== undefined) facts[one.service] = one.facts
      if (one.clock !== undefined) clocks[one.service] = one.clock
    }
    const findings = examined.flatMap((one) => one.findings)
    return { findings, facts, clocks, requests: run.takeUnreported().length }
  } finally {
    await run.close()
  }
}
