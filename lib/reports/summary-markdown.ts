import type {
  ObservationDiff,
  ReviewedWaiver,
  RunReport,
  RunVerdict,
} from '../conformance/result.ts'
import type { EarlierRun } from './changes.ts'
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
import { groupBy, type ReasonGroup } from './reason-groups.ts'
import {
  embeddedNote,
  requestsText,
  serviceName,
  stateText,
  sweepAdvice,
  waiverText,
} from './run-words.ts'
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

function toldRow(id: string, ...details: string[]): string {
  return tableRow([idSpan(id), ...details.map((text) => codeSpan(text, reasonLength))])
}

function waivedRow({ result: { requirement, waiver }, text }: Deviation): string {
  return toldRow(requirement, waiver === undefined ? '' : waiverText(waiver), text)
}

function observed(value: unknown): string {
  return codeSpan(JSON.stringify(value) ?? '', observedLength)
}

function targets({ target }: RunReport): string {
  const baseUrls = groupBy(Object.keys(target), (key) => target[key]?.baseUrl ?? '')
  return [...baseUrls]
    .map(([baseUrl, keys]) => {
      const services = keys.map((key) => idSpan(serviceName(key))).join(', ')
      return `${services} at ${codeSpan(baseUrl, valueLength)}`
    })
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

function sections(model: ReportModel): MarkdownSection[] {
  const { report, changes } = model
  const { leftBehind } = report
  const pinned = model.failingDiffs.length > 0
  const table = (title: string, columns: string[], rows: string[]): MarkdownSection => {
    return { title, folded: false, head: tableHead(columns), rows }
  }
  const folded = (section: MarkdownSection): MarkdownSection => ({ ...section, folded: true })
  const waivers = (title: string, what: string, all: readonly ReviewedWaiver[]) =>
    table(
      title,
      ['Requirement', what, 'Waiver'],
      all.map((waiver) => toldRow(waiver.requirement, waiver.message, waiverText(waiver))),
    )
  const diffs = (title: string, all: readonly ObservationDiff[]) =>
    table(
      title,
      ['Observation', 'Baseline', 'Now'],
      all.map(({ id, before, after }) => tableRow([idSpan(id), observed(before), observed(after)])),
    )
  const reasons = (title: string, groups: readonly ReasonGroup[]): MarkdownSection => {
    const rows = groups.map(({ reason, results }) => {
      const ids = idSpans(results.map(({ requirement }) => requirement))
      return tableRow([String(results.length), codeSpan(reason, reasonLength), ids])
    })
    return { ...table(title, ['Number', 'Reason', 'Requirements'], rows), count: countIn(groups) }
  }
  const news = (changes?.news ?? []).flatMap(({ what, results }) =>
    results.map(({ requirement }) => `- ${what}: ${idSpan(requirement)}`),
  )
  const changed = diffs(
    `Changed since the baseline${pinned ? ', which fails the run' : ''}`,
    model.changedDiffs,
  )
  const left = table(
    'Left behind on the target',
    ['Kind', 'Name', 'Account'],
    leftBehind.map((left) =>
      tableRow([`${left.kind}${stateText(left)}`, left.name, left.account].map(idSpan)),
    ),
  )
  const where =
    '`report.html` has the exchange that shows each, and a curl command that repeats it.'
  return [
    {
      ...table(
        'Failed',
        ['Requirement', 'Statement', 'Expected', 'Actual'],
        model.failed.map(failureRow),
      ),
      foot: [where, ''],
    },
    waivers('Waivers that fail the run', 'What to do', model.failingWaivers),
    pinned ? changed : folded(changed),
    reasons('No verdict', model.unjudged),
    { title: `New since the run of ${changes?.since}`, folded: true, head: [], rows: news },
    folded(table('Waived', ['Requirement', 'Waiver', 'Deviation'], model.waived.map(waivedRow))),
    folded(waivers('Waivers that were not tried', 'Why', model.untriedWaivers)),
    folded(
      table(
        'Advisory: they do not fail the run',
        ['Requirement', 'Deviation'],
        model.advisory.map(({ result, text }) => toldRow(result.requirement, text)),
      ),
    ),
    folded(diffs('Not in the baseline', model.newDiffs)),
    folded(reasons('Skipped', model.skipped)),
    folded(
      table(
        'Observations',
        ['Observation', 'Value'],
        report.observations.map(({ id, value }) => tableRow([idSpan(id), observed(value)])),
      ),
    ),
    folded({ ...left, head: [sweepAdvice(leftBehind, idSpan), '', ...left.head] }),
  ]
}

/**
 * The run as GitHub-flavored Markdown, at most 60,000 characters long. Text from the deployment
 * stands in code spans, where it is neither markup nor a mention nor a link.
 */
export function summaryMarkdown(report: RunReport, previous?: EarlierRun): string {
  const model = reportModel(report, { previous })
  return markdownDocument(head(model), sections(model), 'in `report.json`')
}
