import type { ReviewedWaiver, Waiver } from '../results/run-report.ts'
import { truncate } from '../text/printable.ts'
import type { CaseFacts } from './case-text.ts'
import { type Entry, joinedTexts, type Section, type Text } from './document.ts'
import { furtherTexts } from './exchange-text.ts'
import { countIn, type Failure, type ReportedDeviation, type ReportModel } from './model.ts'
import { lostCasesText, type ReasonGroup } from './reason-groups.ts'
import {
  leakedResourceText,
  placeInDocument,
  unusedWaiversText,
  waiverText,
  wordingNote,
} from './report-text.ts'
import { sweepAdvice } from './rerun-commands.ts'
import { traceUrlOf } from './trace-url.ts'

/** Returns `no credentials, GET /user (in 12 of 41 cases)`, as far as it is known. */
function caseText({ case: simplest, deviates }: CaseFacts): string | undefined {
  return simplest !== undefined && deviates !== undefined
    ? `${simplest} (${deviates})`
    : (simplest ?? deviates)
}

function failureEntry(
  { result, cases, reason }: Failure,
  { report, evidence }: ReportModel,
): Entry {
  const { requirement, statement, level, expected, actual } = result
  const { text: link, url } = placeInDocument(result, report)
  const texts = {
    [cases.case ? 'case' : 'deviates']: caseText(cases),
    expected,
    actual,
    because: cases.because,
    since: cases.since,
    also: furtherTexts(result, (text) => truncate(text, 240), 1).join('; ') || undefined,
    reason,
  }
  const exchange = evidence.of(result)
  const trace = exchange && traceUrlOf(exchange, report.settings)
  return {
    title: `${statement}${level === 'wording' ? ' (wording)' : ''}`,
    name: [{ ids: [requirement] }, ': ', { link, url }],
    details: [
      ...Object.entries(texts).map(([label, code]) => {
        return { label, text: code === undefined ? code : { code } }
      }),
      { text: trace && { link: `trace of ${exchange.id}`, url: trace } },
    ],
  }
}

function reasonEntry(group: ReasonGroup): Entry {
  const { reason, results } = group
  const ids = results.map(({ requirement }) => requirement)
  const texts = [ids.length > 0 ? { ids } : [], lostCasesText(group) ?? []].flat()
  const details = [{ text: joinedTexts(texts, ', ') }]
  return { number: results.length || '–', name: { code: reason }, details }
}

export function waiverSpans({ link, ...waiver }: Omit<Waiver, 'requirement'>): Text {
  return link === undefined
    ? waiverText(waiver)
    : [`${waiverText(waiver)} (`, { address: link }, ')']
}

function deviationEntry({
  result: { requirement, verdict, waiver },
  text,
}: ReportedDeviation): Entry {
  const accepted = verdict === 'waived' ? [{ text: waiver && waiverSpans(waiver) }] : []
  return { name: { ids: [requirement] }, details: [...accepted, { text: { code: text } }] }
}

function waiverEntry(waiver: ReviewedWaiver): Entry {
  const details = [waiver.message, waiverSpans(waiver)].map((text) => ({ text }))
  return { name: { ids: [waiver.requirement] }, details }
}

/** Returns the sections that explain the exit status, most important first. */
function decisiveSections(model: ReportModel): Section[] {
  const { failed, failingWaivers, inconclusive, report } = model
  return [
    {
      id: 'failed',
      title: 'Failed',
      color: 'red',
      entries: failed.map((failure) => failureEntry(failure, model)),
      notes: [wordingNote(failed) ?? []].flat(),
    },
    {
      id: 'failing-waivers',
      title: 'Waivers that fail the run',
      color: 'red',
      about:
        'A waiver needs a failing requirement and must not be expired. The verdict of the requirement is unchanged.',
      columns: ['Requirement', 'What to do', 'Waiver'],
      entries: failingWaivers.map(waiverEntry),
      notes: [unusedWaiversText(failingWaivers, report.run) ?? []].flat(),
    },
    {
      id: 'inconclusive',
      title: 'Inconclusive',
      color: 'yellow',
      count: countIn(inconclusive),
      columns: ['Number', 'Reason', 'Requirements'],
      entries: inconclusive.map(reasonEntry),
    },
  ]
}

function leakedSection({ leakedResources, report }: ReportModel): Section {
  return {
    id: 'leaked-resources',
    title: 'Leaked resources',
    color: 'yellow',
    about: 'The run did not delete these resources.',
    entries: leakedResources.map((one) => ({ name: { code: leakedResourceText(one) } })),
    notes: [sweepAdvice(leakedResources, report.run)],
  }
}

/** Returns the sections that do not explain the exit status, most important first. */
function furtherSections(model: ReportModel): Section[] {
  const { waived, unverifiedWaivers, advisory, skipped, report } = model
  return [
    leakedSection(model),
    {
      id: 'waived',
      title: 'Waived',
      about: 'Known deviations with an owner. They do not fail the run.',
      columns: ['Requirement', 'Waiver', 'Deviation'],
      entries: waived.map(deviationEntry),
    },
    {
      id: 'unverified-waivers',
      title: 'Unverified waivers',
      columns: ['Requirement', 'Reason', 'Waiver'],
      entries: unverifiedWaivers.map(waiverEntry),
    },
    {
      id: 'advisory',
      title: 'Advisory',
      about:
        'Deviations that do not fail the run: wordings with PROBE_WORDING=advisory, and requirements that are later than --as-of.',
      columns: ['Requirement', 'Deviation'],
      entries: advisory.map(deviationEntry),
    },
    {
      id: 'skipped',
      title: 'Skipped',
      count: countIn(skipped),
      columns: ['Number', 'Reason', 'Requirements'],
      entries: skipped.map(reasonEntry),
    },
    {
      id: 'observations',
      title: 'Observations',
      about: 'Behavior that the documents do not specify. It does not affect the verdict.',
      columns: ['Observation', 'Value'],
      entries: report.observations.map(({ id, value }) => {
        return { name: { observation: id }, details: [{ text: { value } }] }
      }),
    },
  ].map((section) => ({ ...section, folded: true }))
}

/** Returns the sections of a run, most important first. */
export function runSections(model: ReportModel): Section[] {
  return [...decisiveSections(model), ...furtherSections(model)]
}
