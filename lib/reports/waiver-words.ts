import type { RequirementResult, ReviewedWaiver, RunReport, Waiver } from '../conformance/result.ts'

/** Who answers for a waiver, until when, and why: all that a reader of a waived row needs. */
export function waiverText({ owner, expires, reason, link }: Omit<Waiver, 'requirement'>): string {
  return `${owner}, until ${expires}: ${reason}${link === undefined ? '' : ` (${link})`}`
}

/** The waivers of a run that fail it: expired, unknown or no longer needed. */
export function failingWaivers({ waivers = [] }: Pick<RunReport, 'waivers'>): ReviewedWaiver[] {
  return waivers.filter(({ state }) => ['expired', 'unneeded', 'unknown'].includes(state))
}

/** Those of which nobody knows whether they are still needed. */
export function unjudgedWaivers({ waivers = [] }: Pick<RunReport, 'waivers'>): ReviewedWaiver[] {
  return waivers.filter(({ state }) => state === 'unjudged')
}

/** The message of a used waiver of which there is nothing to say. */
export const usedWaiverMessage = 'The requirement fails, and is waived.'

/** What is to be said of a used waiver: that it expires soon. */
export function waiverNote(
  { requirement }: Pick<RequirementResult, 'requirement'>,
  { waivers = [] }: Pick<RunReport, 'waivers'>,
): string | undefined {
  const message = waivers.find((waiver) => waiver.requirement === requirement)?.message
  return message === usedWaiverMessage ? undefined : message
}
