import type {
  RequirementResult,
  ReviewedPin,
  ReviewedWaiver,
  RunReport,
  RunVerdict,
  Verdict,
} from '../conformance/result.ts'
import { failingPins, pinsIn } from './baseline-words.ts'
import { type Changes, changesSince, type EarlierRun } from './changes.ts'
import { newsOf } from './changes-words.ts'
import { saysOnlyWhatDiffers } from './evidence.ts'
import { failsBesideVerdict, runVerdict, runVerdictText } from './exit-status.ts'
import { type FittingSection, fittingLines } from './fitting-sections.ts'
import { mayExistNotes, stateText } from './left-behind-words.ts'
import { codeSpan, plainText, tableHead, tableRow } from './markdown.ts'
import { shortened } from './printable.ts'
import { groupByReason, withoutOwnReason } from './reason-groups.ts'
import { embeddedNote, requestsText, serviceName } from './run-words.ts'
import { countVerdicts, verdictCountsText } from './verdict-counts.ts'
import { failingWaivers, unjudgedWaivers, waiverText } from './waiver-words.ts'

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

function ids(results: readonly { requirement: string }[]): string {
  const shown = results.slice(0, idsOfGroup).map(({ requirement }) => code(requirement))
  const more = results.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function leftOut(count: number): string[] {
  return ['', `… and ${count} more, in \`report.json\`.`]
}

function table(
  title: string,
  head: readonly string[],
  rows: readonly string[],
  note: readonly string[] = [],
): FittingSection {
  if (rows.length === 0) return { before: [], rows: [], after: [], more: () => [] }
  const before = [`### ${title}`, '', ...head]
  return { before, rows, after: ['', ...note], more: leftOut }
}

/** A section that is folded until a reader opens it; its title is ours and never a deployment's. */
function fold(title: string, head: readonly string[], rows: readonly string[]): FittingSection {
  if (rows.length === 0) return { before: [], rows: [], after: [], more: () => [] }
  const before = ['<details>', `<summary>${title}</summary>`, '', ...head]
  return { before, rows, after: ['', '</details>', ''], more: leftOut }
}

function failureRow({ requirement, statement, level, ...told }: RequirementResult): string {
  const { expected = '', reason = '' } = told
  const wording = level === 'wording' ? ' (wording)' : ''
  return tableRow([
    code(requirement),
    `${plainText(shortened(statement, valueLength))}${wording}`,
    codeSpan(expected, valueLength),
    codeSpan(told.actual ?? reason, valueLength),
  ])
}

function reasonRow({ reason, results }: ReturnType<typeof groupByReason>[number]): string {
  return tableRow([String(results.length), codeSpan(reason, reasonLength), ids(results)])
}

function changeRows(changes: Changes | undefined): string[] {
  if (changes === undefined) return []
  return newsOf(changes).flatMap(({ what, results }) =>
    results.map(({ requirement }) => `- ${what}: ${code(requirement)}`),
  )
}

function deviation(result: RequirementResult): string {
  const { reason, expected, actual } = result
  const parts = [
    ...(reason === undefined || saysOnlyWhatDiffers(result) ? [] : [reason]),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}`]),
  ]
  return codeSpan(parts.join('; '), reasonLength)
}

function advisoryRow(result: RequirementResult): string {
  return tableRow([code(result.requirement), deviation(result)])
}

function waivedRow(result: RequirementResult): string {
  const { requirement, waiver } = result
  const told = waiver === undefined ? '' : waiverText(waiver)
  return tableRow([code(requirement), codeSpan(told, reasonLength), deviation(result)])
}

function waiverRow(waiver: ReviewedWaiver): string {
  const { requirement, message } = waiver
  return tableRow([
    code(requirement),
    codeSpan(message, reasonLength),
    codeSpan(waiverText(waiver), reasonLength),
  ])
}

function pinRow({ id, before, after }: ReviewedPin): string {
  const shown = (value: unknown) => codeSpan(JSON.stringify(value) ?? '', observedLength)
  return tableRow([code(id), shown(before), shown(after)])
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

function head(report: RunReport): string[] {
  const counts = countVerdicts(report.results)
  const verdict = runVerdict(report.results, report.run.interrupted === true)
  const note = embeddedNote(report)
  return [
    `## ${failsBesideVerdict(report) ? marks.nonconformant : marks[verdict]} ${plainText(runVerdictText(report))}`,
    '',
    `**${verdictCountsText(counts)}**, ${requestsText(report)}`,
    '',
    `${targets(report)}${note === '' ? '' : ` (${note})`}`,
    '',
    `Plumbline ${code(report.tool.version)}, run ${code(report.run.id)}, ${report.run.startedAt}`,
    '',
  ]
}

/**
 * The run as GitHub-flavored Markdown, for a comment on a pull request or the summary of a CI job, at
 * most 60,000 characters long: the verdict, the failures, what got no verdict; folded what is new
 * since the previous run of the same target, what was skipped, observed and left behind. Text from
 * the deployment stands in code spans, where it is neither markup nor a mention nor a link.
 */
export function summaryMarkdown(report: RunReport, previous?: EarlierRun): string {
  const having = (...wanted: Verdict[]) =>
    report.results.filter(({ verdict }) => wanted.includes(verdict))
  const [failed, unjudged] = [having('fail'), having('inconclusive')]
  const [waived, advisory, skipped] = [having('waived'), having('advisory'), having('skipped')]
  const waivers = failingWaivers(report)
  const untried = unjudgedWaivers(report)
  const [changed, added] = [pinsIn('changed', report), pinsIn('new', report)]
  const pinned = failingPins(report).length > 0
  const changes = changesSince(previous, report)
  const news = changeRows(changes)
  const sections: FittingSection[] = [
    { before: head(report), rows: [], after: [], more: () => [] },
    table(
      `Failed (${failed.length})`,
      tableHead(['Requirement', 'Statement', 'Expected', 'Actual']),
      failed.map(failureRow),
      ['`report.html` has the exchange that shows each, and a curl command that repeats it.', ''],
    ),
    table(
      `Waivers that fail the run (${waivers.length})`,
      tableHead(['Requirement', 'What to do', 'Waiver']),
      waivers.map(waiverRow),
    ),
    (pinned ? table : fold)(
      `Changed since the baseline${pinned ? ', which fails the run' : ''} (${changed.length})`,
      tableHead(['Observation', 'Baseline', 'Now']),
      changed.map(pinRow),
    ),
    table(
      `No verdict (${unjudged.length})`,
      tableHead(['Number', 'Reason', 'Requirements']),
      groupByReason(unjudged).map(reasonRow),
    ),
    fold(`New since the run of ${changes?.since} (${news.length})`, [], news),
    fold(
      `Waived (${waived.length})`,
      tableHead(['Requirement', 'Waiver', 'Deviation']),
      waived.map(waivedRow),
    ),
    fold(
      `Waivers that were not tried (${untried.length})`,
      tableHead(['Requirement', 'Why', 'Waiver']),
      untried.map(waiverRow),
    ),
    fold(
      `Advisory: they do not fail the run (${advisory.length})`,
      tableHead(['Requirement', 'Deviation']),
      advisory.map(advisoryRow),
    ),
    fold(
      `Not in the baseline (${added.length})`,
      tableHead(['Observation', 'Baseline', 'Now']),
      added.map(pinRow),
    ),
    fold(
      `Skipped (${skipped.length})`,
      tableHead(['Number', 'Reason', 'Requirements']),
      groupByReason(skipped.map(withoutOwnReason)).map(reasonRow),
    ),
    fold(
      `Observations (${report.observations.length})`,
      tableHead(['Observation', 'Value']),
      report.observations.map(({ id, value }) =>
        tableRow([code(id), codeSpan(JSON.stringify(value) ?? '', observedLength)]),
      ),
    ),
    fold(
      `Left behind on the target (${report.leftBehind.length})`,
      [
        '`plumbline sweep` takes these away by the ledger in the reports directory, where',
        '`CODE_HOSTING_TOKEN_DELETE_PATH` says how. Otherwise delete them by hand.',
        ...mayExistNotes(report.leftBehind),
        '',
        ...tableHead(['Kind', 'Name', 'Account']),
      ],
      report.leftBehind.map((left) =>
        tableRow([`${left.kind}${stateText(left)}`, left.name, left.account].map(code)),
      ),
    ),
  ]
  const lines = fittingLines(sections, longest)
  return `${lines.join('\n').trimEnd()}\n`
}
