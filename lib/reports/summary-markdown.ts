import type {
  LeftBehind,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
  RunVerdict,
} from '../conformance/result.ts'
import type { EarlierRun } from './changes.ts'
import { mayExistNotes, stateText, sweepAdvice, waiverText } from './list-words.ts'
import {
  codeSpan,
  idSpan,
  idSpans,
  type MarkdownSection,
  markdownDocument,
  plainText,
  tableHead,
  tableRow,
} from './markdown.ts'
import { countIn, type Deviation, type Failure, type ReportModel, reportModel } from './model.ts'
import { shortened } from './printable.ts'
import type { ReasonGroup } from './reason-groups.ts'
import { embeddedNote, requestsText, serviceName } from './run-words.ts'
import { verdictCountsText } from './verdict-counts.ts'

const valueLength = 300
const reasonLength = 400
const observedLength = 200

const marks: Record<RunVerdict, string> = {
  conformant: '✅',
  nonconformant: '❌',
  inconclusive: '⚠️',
}

function failureRow({ result }: Failure): string {
  const { requirement, statement, level, expected = '', actual, reason = '' } = result
  const wording = level === 'wording' ? ' (wording)' : ''
  return tableRow([
    idSpan(requirement),
    `${plainText(shortened(statement, valueLength))}${wording}`,
    codeSpan(expected, valueLength),
    codeSpan(actual ?? reason, valueLength),
  ])
}

function reasonRow({ reason, results }: ReasonGroup): string {
  const ids = results.map(({ requirement }) => requirement)
  return tableRow([String(results.length), codeSpan(reason, reasonLength), idSpans(ids)])
}

function waivedRow({ result: { requirement, waiver }, text }: Deviation): string {
  const told = waiver === undefined ? '' : waiverText(waiver)
  return tableRow([idSpan(requirement), codeSpan(told, reasonLength), codeSpan(text, reasonLength)])
}

function waiverRow(waiver: ReviewedWaiver): string {
  const told = [waiver.message, waiverText(waiver)].map((text) => codeSpan(text, reasonLength))
  return tableRow([idSpan(waiver.requirement), ...told])
}

function observed(value: unknown): string {
  return codeSpan(JSON.stringify(value) ?? '', observedLength)
}

function pinRow({ id, before, after }: ReviewedPin): string {
  return tableRow([idSpan(id), observed(before), observed(after)])
}

/** Services that share a base URL are told together. */
function targets({ target }: RunReport): string {
  const places = new Map<string, string[]>()
  for (const [key, { baseUrl }] of Object.entries(target)) {
    places.set(baseUrl, [...(places.get(baseUrl) ?? []), idSpan(serviceName(key))])
  }
  return [...places]
    .map(([baseUrl, services]) => `${services.join(', ')} at ${codeSpan(baseUrl, valueLength)}`)
    .join('; ')
}

function head({ report, verdict, title, counts }: ReportModel): string[] {
  const note = embeddedNote(report)
  return [
    `## ${marks[verdict]} ${plainText(title)}`,
    '',
    `**${verdictCountsText(counts)}**, ${requestsText(report)}`,
    '',
    `${targets(report)}${note === '' ? '' : ` (${note})`}`,
    '',
    `Plumbline ${idSpan(report.tool.version)}, run ${idSpan(report.run.id)}, ${report.run.startedAt}`,
    '',
  ]
}

function leftBehindHead(leftBehind: readonly LeftBehind[]): string[] {
  return [
    sweepAdvice(leftBehind, idSpan),
    ...mayExistNotes(leftBehind),
    '',
    ...tableHead(['Kind', 'Name', 'Account']),
  ]
}

const pinHead = tableHead(['Observation', 'Baseline', 'Now'])
const reasonHead = tableHead(['Number', 'Reason', 'Requirements'])

function reasons(groups: readonly ReasonGroup[]): Omit<MarkdownSection, 'title' | 'folded'> {
  return { head: reasonHead, rows: groups.map(reasonRow), count: countIn(groups) }
}

function sections(model: ReportModel): MarkdownSection[] {
  const { report, changes } = model
  const pinned = model.failingPins.length > 0
  return [
    {
      title: 'Failed',
      folded: false,
      head: tableHead(['Requirement', 'Statement', 'Expected', 'Actual']),
      rows: model.failed.map(failureRow),
      foot: [
        '`report.html` has the exchange that shows each, and a curl command that repeats it.',
        '',
      ],
    },
    {
      title: 'Waivers that fail the run',
      folded: false,
      head: tableHead(['Requirement', 'What to do', 'Waiver']),
      rows: model.failingWaivers.map(waiverRow),
    },
    {
      title: `Changed since the baseline${pinned ? ', which fails the run' : ''}`,
      folded: !pinned,
      head: pinHead,
      rows: model.changedPins.map(pinRow),
    },
    { title: 'No verdict', folded: false, ...reasons(model.unjudged) },
    {
      title: `New since the run of ${changes?.since}`,
      folded: true,
      head: [],
      rows: (changes?.news ?? []).flatMap(({ what, results }) =>
        results.map(({ requirement }) => `- ${what}: ${idSpan(requirement)}`),
      ),
    },
    {
      title: 'Waived',
      folded: true,
      head: tableHead(['Requirement', 'Waiver', 'Deviation']),
      rows: model.waived.map(waivedRow),
    },
    {
      title: 'Waivers that were not tried',
      folded: true,
      head: tableHead(['Requirement', 'Why', 'Waiver']),
      rows: model.untriedWaivers.map(waiverRow),
    },
    {
      title: 'Advisory: they do not fail the run',
      folded: true,
      head: tableHead(['Requirement', 'Deviation']),
      rows: model.advisory.map(({ result, text }) =>
        tableRow([idSpan(result.requirement), codeSpan(text, reasonLength)]),
      ),
    },
    {
      title: 'Not in the baseline',
      folded: true,
      head: pinHead,
      rows: model.newPins.map(pinRow),
    },
    { title: 'Skipped', folded: true, ...reasons(model.skipped) },
    {
      title: 'Observations',
      folded: true,
      head: tableHead(['Observation', 'Value']),
      rows: report.observations.map(({ id, value }) => tableRow([idSpan(id), observed(value)])),
    },
    {
      title: 'Left behind on the target',
      folded: true,
      head: leftBehindHead(report.leftBehind),
      rows: report.leftBehind.map((left) =>
        tableRow([`${left.kind}${stateText(left)}`, left.name, left.account].map(idSpan)),
      ),
    },
  ]
}

/**
 * The run as GitHub-flavored Markdown, for a comment on a pull request or the summary of a CI job, at
 * most 60,000 characters long: the verdict, the failures, what got no verdict; folded what is new
 * since the previous run of the same target, what was skipped, observed and left behind. Text from
 * the deployment stands in code spans, where it is neither markup nor a mention nor a link.
 */
export function summaryMarkdown(report: RunReport, previous?: EarlierRun): string {
  const model = reportModel(report, { previous })
  return markdownDocument(head(model), sections(model), 'in `report.json`')
}
