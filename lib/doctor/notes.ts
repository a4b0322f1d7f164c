import { Inconclusive, Skip } from '../conformance/outcome.ts'
import type { ServiceName } from '../conformance/requirement.ts'
import { TransportError } from '../probe/exchange.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import type { Finding, FindingKind } from './doctor-report.ts'
import { NotRepeated } from './passwords-once.ts'

/** Of a finding, in characters: a server may give a name of any length. */
const LONGEST_TEXT = 600

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

/** A reason that ends a check, as a sentence of its own. */
function asSentence(reason: string): string {
  const isUrl = /^https?:/.test(reason)
  const text = isUrl ? reason : reason.charAt(0).toUpperCase() + reason.slice(1)
  return /[.?!]$/.test(text) ? text : `${text}.`
}

function isUnanswered(error: Inconclusive): boolean {
  const isLost = error.cause instanceof TransportError || error instanceof NotRepeated
  return isLost || error.exchange !== undefined
}

/** @param redact keeps secrets out of what is noted, which may quote the server */
export function createNotes(service: ServiceName, redact: (text: string) => string): Notes {
  const findings: Finding[] = []
  const add = (kind: FindingKind, text: string) => {
    const finding = {
      service,
      kind,
      text: shortened(printableSentence(redact(text)), LONGEST_TEXT),
    }
    if (findings.every((known) => known.text !== finding.text)) findings.push(finding)
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
        add(isUnanswered(error) ? 'target' : otherwise, asSentence(error.message))
        return undefined
      }
    },
  }
}
