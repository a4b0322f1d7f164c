import type { ReviewedWaiver, Verdict } from '../results/run-report.ts'
import { capitalized } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import {
  adviceText,
  type Entry,
  type Facts,
  joinedTexts,
  type ReportModel,
  type Section,
  waiverSpans,
} from './facts.ts'
import type { ReasonGroup } from './reasons.ts'
import { leakedResourceText, traceUrlOf } from './report-text.ts'
import { sweepAdvice } from './rerun-commands.ts'

function failureEntry({ result, place, details, evidence }: Facts, model: ReportModel): Entry {
  const { requirement, statement, level } = result
  const trace = evidence && traceUrlOf(evidence.exchange, model.report.settings)
  const link = trace && { link: `trace of ${evidence.exchange.id}`, url: trace }
  return {
    id: requirement,
    title: `${statement}${level === 'wording' ? ' (wording)' : ''}`,
    name: [{ ids: [requirement] }, ': ', { link: place.text, url: place.url }],
    details: [...details, ...(link ? [{ text: link }] : [])],
    evidence,
  }
}

/** Returns a reason with its requirements, and how many cases of others are missing for it. */
function reasonEntry({ reason, results, lost }: ReasonGroup, { facts }: ReportModel): Entry {
  const ids = results.map(({ requirement }) => requirement)
  const cases = counted(new Set(lost.flatMap((one) => one.cases)).size, 'case')
  const judged = new Set(lost.map(({ requirement }) => requirement)).size
  const others = lost.length > 0 ? [`${cases} of ${counted(judged, 'judged requirement')}`] : []
  // The exchanges of a stopped run explain nothing.
  const isStopped = results.some(({ noVerdict }) => noVerdict?.kind === 'interrupted')
  const advice = adviceText(results[0] ?? lost[0] ?? {})
  const examples = isStopped ? [] : ids.map((id) => facts.get(id)?.evidence)
  return {
    number: results.length || '–',
    name: { code: reason },
    details: [
      { text: joinedTexts([...(ids.length > 0 ? [{ ids }] : []), ...others], ', ') },
      ...(advice === undefined ? [] : [{ text: advice }]),
    ],
    evidence: examples.find((one) => one !== undefined),
  }
}

function waiverEntry(waiver: ReviewedWaiver): Entry {
  const details = [waiver.message, waiverSpans(waiver)].map((text) => ({ text }))
  return { name: { ids: [waiver.requirement] }, details }
}

const wordingNote =
  '(wording): the exact text of a message, which may change between releases; PROBE_WORDING=advisory reports it without failing the run.'

/** A section whose title is its id, unless it has another one. */
type IdentifiedSection = Omit<Section, 'title'> & { id: string; title?: string }

/** Returns the sections that explain the exit status, most important first. */
function decisiveSections(model: ReportModel): IdentifiedSection[] {
  const { failed, failingWaivers, inconclusive, outcome } = model
  return [
    {
      id: 'failed',
      color: 'red',
      entries: failed.map((failure) => failureEntry(failure, model)),
      notes: failed.some(({ result }) => result.level === 'wording') ? [wordingNote] : [],
    },
    {
      id: 'failing-waivers',
      title: 'Waivers that fail the run',
      color: 'red',
      entries: failingWaivers.map(waiverEntry),
    },
    {
      id: 'inconclusive',
      color: 'yellow',
      count: outcome.counts.inconclusive,
      entries: inconclusive.map((group) => reasonEntry(group, model)),
    },
  ]
}

/** Returns the sections that do not explain the exit status, most important first. */
function furtherSections(model: ReportModel): IdentifiedSection[] {
  const { leakedResources, skipped, report, outcome, facts } = model
  const unverified = (report.waivers ?? []).filter(({ state }) => state === 'noVerdict')
  const deviations = (verdict: Verdict) =>
    [...facts.values()]
      .filter(({ result }) => result.verdict === verdict)
      .map(({ result, details }) => ({ name: { ids: [result.requirement] }, details }))
  return [
    {
      id: 'leaked-resources',
      color: 'yellow',
      entries: leakedResources.map((one) => ({ name: { code: leakedResourceText(one) } })),
      notes: [sweepAdvice(leakedResources, report.run)],
    },
    { id: 'waived', entries: deviations('waived') },
    { id: 'unverified-waivers', entries: unverified.map(waiverEntry) },
    {
      id: 'advisory',
      entries: deviations('advisory'),
      notes: [
        'Deviations that do not fail the run: wordings with PROBE_WORDING=advisory, and requirements that are later than --as-of.',
      ],
    },
    {
      id: 'skipped',
      count: outcome.counts.skipped,
      entries: skipped.map((group) => reasonEntry(group, model)),
    },
    {
      id: 'observations',
      notes: ['Behavior that the documents do not specify. It does not affect the verdict.'],
      entries: report.observations.map(({ id, value, description, exchanges }) => {
        const texts = [description, { ids: exchanges.slice(0, 3) }]
        const code = JSON.stringify(value) ?? 'nothing'
        const details = [{ code }, joinedTexts(texts, ' ')].map((text) => ({ text }))
        return { id: `observation/${id}`, name: { ids: [id] }, details }
      }),
    },
  ]
}

export function runSections(model: ReportModel): Section[] {
  const further = furtherSections(model).map((section) => ({ ...section, folded: true }))
  return [...decisiveSections(model), ...further].map((section) => {
    return { title: capitalized(section.id.replace('-', ' ')), ...section }
  })
}
