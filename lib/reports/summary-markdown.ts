import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { toServiceName } from '../results/ids.ts'
import type {
  ObservationDiff,
  RequirementResult,
  ReviewedWaiver,
  RunReport,
} from '../results/run-report.ts'
import { placeOf } from '../results/snapshot.ts'
import { groupBy } from '../text/group-by.ts'
import { truncate } from '../text/printable.ts'
import type { CaseFacts } from './case-text.ts'
import { furtherDeviations } from './evidence.ts'
import {
  codeSpan,
  idSpan,
  idSpans,
  type MarkdownSection,
  markdownDocument,
  markdownTable,
  plainText,
} from './markdown.ts'
import { countIn, type ReportModel } from './model.ts'
import { lostCasesText, type ReasonGroup } from './reason-text.ts'
import {
  narrowingText,
  placeInDocument,
  requestsText,
  runNotes,
  stateText,
  unusedWaiversText,
  waiverText,
  wordingNote,
} from './report-text.ts'
import { sweepAdvice } from './rerun-commands.ts'
import { newsText } from './run-changes.ts'
import { traceUrlOf } from './trace-url.ts'
import { runVerdictStyles, verdictCountsText } from './verdict-labels.ts'

const valueLength = 300
const jsonCode = (value: unknown) => codeSpan(JSON.stringify(value) ?? '', 200)
const codeText = (text: string) => codeSpan(text, 400)

function head({ report, summary, title, coverageGap = [], reminders }: ReportModel): string[] {
  const { target, tool, run } = report
  const services = groupBy(Object.entries(target), ([, service]) => placeOf(service))
  const targets = Array.from(services, ([place, members]) => {
    const names = members.map(([key]) => idSpan(toServiceName(key))).join(', ')
    return `${names} at ${codeSpan(place, valueLength)}`
  })
  return [
    `## ${runVerdictStyles[summary.displayVerdict].mark} ${plainText(title)}`,
    '',
    `**${verdictCountsText(summary.counts)}**, ${plainText(requestsText(report))}`,
    '',
    ...coverageGap.flatMap(({ label, text }) => [plainText(`${label}: ${text}`), '']),
    ...[...runNotes(report), ...reminders].flatMap((note) => [plainText(note), '']),
    targets.join('; '),
    '',
    `Plumbline ${idSpan(tool.version)}, run ${idSpan(run.id)}, ${run.startedAt}`,
    '',
  ]
}

/** Links a text; the URL is escaped so that it cannot end the link or cell. */
function linkText(text: string, url: string | undefined): string {
  if (url === undefined) return plainText(text)
  const safe = url.replaceAll(/[()<>|\\`]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `[${plainText(text)}](${safe})`
}

/** Returns the section of a requirement, linked to the operator's document. */
function placeCell(result: RequirementResult, report: RunReport): string {
  const { text, url } = placeInDocument(result, report)
  return linkText(text, url)
}

/** Returns the case of a failure, and a link to the trace of its exchange. */
function caseCell(
  { case: simplest = '', ...others }: CaseFacts,
  exchange: ExchangeRecord | undefined,
  { settings }: RunReport,
): string {
  const texts = Object.entries(others).map(([label, text]) =>
    plainText(truncate(`${label} ${text}`, valueLength)),
  )
  const url = exchange && traceUrlOf(exchange, settings)
  const trace = url === undefined ? [] : linkText(`trace of ${exchange?.id}`, url)
  return [codeSpan(simplest, valueLength), ...texts, ...[trace].flat()].join('; ')
}

function failures({ failed, report, evidence }: ReportModel): MarkdownSection {
  const rows = failed.map(({ result, cases }) => {
    const { requirement, statement, level, expected = '', waiver, reason = '' } = result
    // If a waiver is exceeded, the reason lists the waived and the observed deviations.
    const actual = waiver === undefined ? result.actual : reason
    const { more } = furtherDeviations(result, 0)
    return [
      idSpan(requirement),
      `${plainText(truncate(statement, valueLength))}${level === 'wording' ? ' (wording)' : ''}`,
      placeCell(result, report),
      codeSpan(expected, valueLength),
      `${codeSpan(actual ?? reason, valueLength)}${more === 0 ? '' : ` and ${more} more`}`,
      caseCell(cases, evidence.of(result), report),
    ]
  })
  const note = '`report.html` has the exchange of each failure and the commands that repeat it.'
  const columns = ['Requirement', 'Statement', 'Section', 'Expected', 'Actual', 'Case']
  const notes = [note, wordingNote(failed) ?? []].flat()
  return { ...markdownTable('Failed', columns, rows), foot: notes.flatMap((one) => [one, '']) }
}

function waivers(title: string, column: string, all: readonly ReviewedWaiver[]): MarkdownSection {
  const row = (one: ReviewedWaiver) => [
    idSpan(one.requirement),
    codeText(one.message),
    codeText(waiverText(one)),
  ]
  return markdownTable(title, ['Requirement', column, 'Waiver'], all.map(row))
}

function diffs(title: string, all: readonly ObservationDiff[]): MarkdownSection {
  const rows = all.map(({ id, before, after }) => [idSpan(id), jsonCode(before), jsonCode(after)])
  return markdownTable(title, ['Observation', 'Baseline', 'Now'], rows)
}

function reasons(title: string, groups: readonly ReasonGroup[]): MarkdownSection {
  const rows = groups.map((group) => {
    const { reason, results } = group
    const ids = results.length > 0 ? idSpans(results.map(({ requirement }) => requirement)) : []
    const cells = [ids, lostCasesText(group) ?? []].flat()
    return [String(results.length || '–'), codeText(reason), cells.join(', ')]
  })
  return {
    ...markdownTable(title, ['Number', 'Reason', 'Requirements'], rows),
    count: countIn(groups),
  }
}

/** Returns the sections, most important first; sections that do not fail the run are folded. */
function sections(model: ReportModel): MarkdownSection[] {
  const { report, changes, waived, advisory, leakedResources } = model
  const { observations } = report
  const narrowing = narrowingText(model.waiversWithoutDeviations, report.run.program)
  const unused = unusedWaiversText(model.failingWaivers, report.run.program)
  const pinned = model.failingDiffs.length > 0
  const changed = `Changed since the baseline${pinned ? ', which fails the run' : ''}`
  const advised = advisory.map(({ result, text }) => [idSpan(result.requirement), codeText(text)])
  const accepted = waived.map(({ result: { requirement, waiver }, text }) => {
    return [idSpan(requirement), codeText(waiver ? waiverText(waiver) : ''), codeText(text)]
  })
  const observed = observations.map(({ id, value }) => [idSpan(id), jsonCode(value)])
  const leaked = leakedResources.map((one) =>
    [`${one.kind}${stateText(one)}`, one.name, one.account].map(idSpan),
  )
  const leakedTable = markdownTable('Leaked resources', ['Kind', 'Name', 'Account'], leaked)
  const changeItems = (changes?.news ?? []).flatMap((one) =>
    one.results.map(({ requirement }) => `- ${newsText(one)}: ${idSpan(requirement)}`),
  )
  const folded = (section: MarkdownSection) => ({ ...section, folded: true })
  return [
    failures(model),
    {
      ...waivers('Waivers that fail the run', 'What to do', model.failingWaivers),
      ...(unused !== undefined && { foot: [plainText(unused), ''] }),
    },
    { ...diffs(changed, model.changedDiffs), folded: !pinned },
    reasons('Inconclusive', model.inconclusive),
    ...[
      { title: `Changes since the run of ${changes?.since}`, head: [], rows: changeItems },
      {
        ...markdownTable('Waived', ['Requirement', 'Waiver', 'Deviation'], accepted),
        ...(narrowing !== undefined && { foot: [plainText(narrowing), ''] }),
      },
      waivers('Unverified waivers', 'Reason', model.unverifiedWaivers),
      markdownTable('Advisory, does not fail the run', ['Requirement', 'Deviation'], advised),
      diffs('Not in the baseline', model.newDiffs),
      reasons('Skipped', model.skipped),
      markdownTable('Observations', ['Observation', 'Value'], observed),
      {
        ...leakedTable,
        head: [sweepAdvice(leakedResources, idSpan, report.run), '', ...leakedTable.head],
      },
    ].map(folded),
  ]
}

/**
 * Returns the run as GitHub-flavored Markdown of at most 60,000 characters. Text from the target is in
 * code spans, where markup, mentions and links have no effect.
 */
export function summaryMarkdown(model: ReportModel): string {
  return markdownDocument(head(model), sections(model), 'in `report.json`')
}
