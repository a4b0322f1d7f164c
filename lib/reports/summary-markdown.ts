import type {
  LeftBehind,
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
  RunVerdict,
} from '../conformance/result.ts'
import type { Changes, EarlierRun } from './changes.ts'
import { type FittingSection, fittingLines } from './fitting-sections.ts'
import { mayExistNotes, stateText, waiverText } from './list-words.ts'
import { codeSpan, plainText, tableHead, tableRow } from './markdown.ts'
import { countIn, type Deviation, type Failure, type ReportModel, reportModel } from './model.ts'
import { shortened } from './printable.ts'
import type { ReasonGroup } from './reason-groups.ts'
import { embeddedNote, requestsText, serviceName } from './run-words.ts'
import { verdictCountsText } from './verdict-counts.ts'

/** A comment on GitHub has at most 65,536 characters; some are left for whoever quotes it. */
const longest = 60_000

const idLength = 120
const valueLength = 300
const reasonLength = 400
const observedLength = 200
const idsOfGroup = 8

const marks: Record<RunVerdict, string> = {
  conformant: '✅',
  nonconformant: '❌',
  inconclusive: '⚠️',
}

function code(id: string): string {
  return codeSpan(id, idLength)
}

function ids(results: readonly RequirementResult[]): string {
  const shown = results.slice(0, idsOfGroup).map(({ requirement }) => code(requirement))
  const more = results.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function leftOut(count: number): string[] {
  return ['', `… and ${count} more, in \`report.json\`.`]
}

/** A part of the text: under a heading, or folded until a reader opens it. */
function part(
  frame: 'heading' | 'fold',
  title: string,
  head: readonly string[],
  rows: readonly string[],
  { note = [], count = rows.length }: { note?: readonly string[]; count?: number } = {},
): FittingSection[] {
  if (rows.length === 0) return []
  // The title is ours and never a deployment's.
  const counted = `${title} (${count})`
  return frame === 'heading'
    ? [{ before: [`### ${counted}`, '', ...head], rows, after: ['', ...note], more: leftOut }]
    : [
        {
          before: ['<details>', `<summary>${counted}</summary>`, '', ...head],
          rows,
          after: ['', '</details>', ''],
          more: leftOut,
        },
      ]
}

function failureRow({ result }: Failure): string {
  const { requirement, statement, level, expected = '', actual, reason = '' } = result
  const wording = level === 'wording' ? ' (wording)' : ''
  return tableRow([
    code(requirement),
    `${plainText(shortened(statement, valueLength))}${wording}`,
    codeSpan(expected, valueLength),
    codeSpan(actual ?? reason, valueLength),
  ])
}

function reasonRow({ reason, results }: ReasonGroup): string {
  return tableRow([String(results.length), codeSpan(reason, reasonLength), ids(results)])
}

function newsRows({ news }: Changes): string[] {
  return news.flatMap(({ what, results }) =>
    results.map(({ requirement }) => `- ${what}: ${code(requirement)}`),
  )
}

function advisoryRow({ result, text }: Deviation): string {
  return tableRow([code(result.requirement), codeSpan(text, reasonLength)])
}

function waivedRow({ result: { requirement, waiver }, text }: Deviation): string {
  const told = waiver === undefined ? '' : waiverText(waiver)
  return tableRow([code(requirement), codeSpan(told, reasonLength), codeSpan(text, reasonLength)])
}

function waiverRow(waiver: ReviewedWaiver): string {
  const { requirement, message } = waiver
  return tableRow([
    code(requirement),
    codeSpan(message, reasonLength),
    codeSpan(waiverText(waiver), reasonLength),
  ])
}

function observed(value: unknown): string {
  return codeSpan(JSON.stringify(value) ?? '', observedLength)
}

function pinRow({ id, before, after }: ReviewedPin): string {
  return tableRow([code(id), observed(before), observed(after)])
}

/** Services that share a base URL are told together. */
function targets({ target }: RunReport): string {
  const places = new Map<string, string[]>()
  for (const [key, { baseUrl }] of Object.entries(target)) {
    places.set(baseUrl, [...(places.get(baseUrl) ?? []), code(serviceName(key))])
  }
  return [...places]
    .map(([baseUrl, services]) => `${services.join(', ')} at ${codeSpan(baseUrl, valueLength)}`)
    .join('; ')
}

function head({ report, verdict, title, counts }: ReportModel): FittingSection {
  const note = embeddedNote(report)
  const before = [
    `## ${marks[verdict]} ${plainText(title)}`,
    '',
    `**${verdictCountsText(counts)}**, ${requestsText(report)}`,
    '',
    `${targets(report)}${note === '' ? '' : ` (${note})`}`,
    '',
    `Plumbline ${code(report.tool.version)}, run ${code(report.run.id)}, ${report.run.startedAt}`,
    '',
  ]
  return { before, rows: [], after: [], more: () => [] }
}

function leftBehindPart(leftBehind: readonly LeftBehind[]): FittingSection[] {
  const notes = [
    '`plumbline sweep` takes these away by the ledger in the reports directory, where',
    '`CODE_HOSTING_TOKEN_DELETE_PATH` says how. Otherwise delete them by hand.',
    ...mayExistNotes(leftBehind),
    '',
  ]
  return part(
    'fold',
    'Left behind on the target',
    [...notes, ...tableHead(['Kind', 'Name', 'Account'])],
    leftBehind.map((left) =>
      tableRow([`${left.kind}${stateText(left)}`, left.name, left.account].map(code)),
    ),
  )
}

const pinHead = tableHead(['Observation', 'Baseline', 'Now'])
const reasonHead = tableHead(['Number', 'Reason', 'Requirements'])

/**
 * The run as GitHub-flavored Markdown, for a comment on a pull request or the summary of a CI job, at
 * most 60,000 characters long: the verdict, the failures, what got no verdict; folded what is new
 * since the previous run of the same target, what was skipped, observed and left behind. Text from
 * the deployment stands in code spans, where it is neither markup nor a mention nor a link.
 */
export function summaryMarkdown(report: RunReport, previous?: EarlierRun): string {
  const model = reportModel(report, { previous })
  const { changes } = model
  const pinned = model.failingPins.length > 0
  const sections = [
    head(model),
    ...part(
      'heading',
      'Failed',
      tableHead(['Requirement', 'Statement', 'Expected', 'Actual']),
      model.failed.map(failureRow),
      {
        note: [
          '`report.html` has the exchange that shows each, and a curl command that repeats it.',
          '',
        ],
      },
    ),
    ...part(
      'heading',
      'Waivers that fail the run',
      tableHead(['Requirement', 'What to do', 'Waiver']),
      model.failingWaivers.map(waiverRow),
    ),
    ...part(
      pinned ? 'heading' : 'fold',
      `Changed since the baseline${pinned ? ', which fails the run' : ''}`,
      pinHead,
      model.changedPins.map(pinRow),
    ),
    ...part('heading', 'No verdict', reasonHead, model.unjudged.map(reasonRow), {
      count: countIn(model.unjudged),
    }),
    ...(changes === undefined
      ? []
      : part('fold', `New since the run of ${changes.since}`, [], newsRows(changes))),
    ...part(
      'fold',
      'Waived',
      tableHead(['Requirement', 'Waiver', 'Deviation']),
      model.waived.map(waivedRow),
    ),
    ...part(
      'fold',
      'Waivers that were not tried',
      tableHead(['Requirement', 'Why', 'Waiver']),
      model.untriedWaivers.map(waiverRow),
    ),
    ...part(
      'fold',
      'Advisory: they do not fail the run',
      tableHead(['Requirement', 'Deviation']),
      model.advisory.map(advisoryRow),
    ),
    ...part('fold', 'Not in the baseline', pinHead, model.newPins.map(pinRow)),
    ...part('fold', 'Skipped', reasonHead, model.skipped.map(reasonRow), {
      count: countIn(model.skipped),
    }),
    ...part(
      'fold',
      'Observations',
      tableHead(['Observation', 'Value']),
      report.observations.map(({ id, value }) => tableRow([code(id), observed(value)])),
    ),
    ...leftBehindPart(report.leftBehind),
  ]
  const lines = fittingLines(sections, longest)
  return `${lines.join('\n').trimEnd()}\n`
}
