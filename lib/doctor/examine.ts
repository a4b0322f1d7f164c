import { Inconclusive, inconclusiveResponse, Skip } from '../conformance/check-errors.ts'
import { createRun, type Run, type RunSettings } from '../conformance/probe-run.ts'
import type { Target } from '../environment/probe-variables.ts'
import { TransportError } from '../probe/exchange.ts'
import { exchangeNames, reasonSentence } from '../reports/reasons.ts'
import type { Reason } from '../results/reason.ts'
import { groupBy } from '../text/group-by.ts'
import { printableSentence } from '../text/printable.ts'
import type { DoctorReport, Finding, FindingKind } from './doctor-report.ts'

export interface ServiceDoctor {
  /** Returns facts for the needs of its catalogue; undefined if the service does not respond. @param target as configured */
  examine(run: Run, recorder: FindingRecorder, target: Target): Promise<object | undefined>
}

export interface Examination extends Pick<DoctorReport, 'findings'> {
  facts: Partial<Record<string, object>>
}

const MAX_FINDING_CHARS = 1500

export interface FindingRecorder {
  add(kind: FindingKind, text: string): void
  /** Runs `work` and records its failure, as `target` if there was no response of the service. */
  attempt<T>(work: () => Promise<T>, fallbackKind?: FindingKind): Promise<T | undefined>
}

/** A finding of a service; the names of its exchanges are known at the end. */
interface RecordedFinding {
  kind: FindingKind
  content: string | Reason
}

function createFindingRecorder(found: RecordedFinding[]): FindingRecorder {
  return {
    add: (kind, content) => void found.push({ kind, content }),
    async attempt(work, fallbackKind = 'target') {
      try {
        return await work()
      } catch (error) {
        if (error instanceof Skip) return undefined
        if (!(error instanceof Inconclusive)) throw error
        const isUnavailable = error.cause instanceof TransportError || error.exchange !== undefined
        found.push({ kind: isUnavailable ? 'target' : fallbackKind, content: error.reason })
        return undefined
      }
    },
  }
}

/** Returns a run that ends the examination of an account after a server error: another attempt could lock it. */
function withPasswordsOnce(run: Run): Run {
  return {
    ...run,
    async send(service, request) {
      const exchange = await run.send(service, request)
      const { credentials, method, url } = request
      if (exchange.status < 500 || credentials?.kind !== 'authorization') return exchange
      if (credentials.user === undefined) return exchange
      return inconclusiveResponse(`no password is sent again after ${method} ${url.href}`, exchange)
    },
  }
}

/** Maximum number of pages of a list; no need depends on more. */
const MAX_PAGES = 3

/** Examines the services of a target with GET requests, and tries each password and key once. */
export async function examine(
  settings: RunSettings,
  doctors: Readonly<Record<string, ServiceDoctor>>,
): Promise<Examination> {
  const { target } = settings
  const maxPages = Math.min(target.probe.maxPages, MAX_PAGES)
  const probe = { ...target.probe, readOnly: true, retries: 0, maxPages }
  const run = withPasswordsOnce(createRun({ ...settings, target: { ...target, probe } }))
  try {
    const examined = await Promise.all(
      Object.entries(doctors).map(async ([service, doctor]) => {
        const found: RecordedFinding[] = []
        const facts = await doctor.examine(run, createFindingRecorder(found), target)
        return { service, found, facts }
      }),
    )
    const examination: Examination = { findings: [], facts: {} }
    const names = exchangeNames(run.takeUnreported())
    for (const { service, found, facts } of examined) {
      if (facts !== undefined) examination.facts[service] = facts
      const findings = found.map(({ kind, content }): Finding => {
        const sentence = typeof content === 'string' ? content : reasonSentence(content, names)
        const redacted = printableSentence(run.redactor.redact(sentence), MAX_FINDING_CHARS)
        return { service, kind, text: redacted }
      })
      // Several requests may fail for the same reason.
      for (const [first] of groupBy(findings, ({ text }) => text).values()) {
        examination.findings.push(first)
      }
    }
    return examination
  } finally {
    await run.close()
  }
}
