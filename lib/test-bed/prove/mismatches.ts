import type { ExchangeRecord, HeaderField } from '../../probe/exchange.ts'
import { createNormalizer } from '../../results/normalize.ts'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import type { Scenario } from './scenario.ts'

function formatReason({ reason, expected, actual }: RequirementResult): string {
  const parts = [reason, expected && `expected ${expected}`, actual && `actual ${actual}`]
  return parts.filter(Boolean).join('; ') || 'no reason was reported'
}

function verdictsByRequirement({ results }: RunReport) {
  return new Map(results.map(({ requirement, verdict }) => [requirement, verdict]))
}

/** Reports a variable that nothing needs, and requirements that pass at another base URL. */
function elsewhereMismatches(
  { variable, isBaseUrl }: NonNullable<Scenario['elsewhere']>,
  report: RunReport,
  unmodified: RunReport,
): string[] {
  const after = verdictsByRequirement(report)
  const passing = unmodified.results.filter(({ verdict }) => verdict === 'pass')
  const kept = passing.filter(({ requirement }) => after.get(requirement) === 'pass')
  if (kept.length === passing.length) return [`nothing needs ${variable}`]
  return isBaseUrl ? kept.map(({ requirement }) => `${requirement} passes at another address`) : []
}

/** Reports requirements that declare the unmet need and are not skipped, and others whose verdict changed. */
export function needMismatches(scenario: Scenario, report: RunReport, unmodified: RunReport) {
  const { skipped, possiblySkipped = [], elsewhere } = scenario
  if (elsewhere !== undefined) return elsewhereMismatches(elsewhere, report, unmodified)
  if (skipped === undefined) return []
  const before = verdictsByRequirement(unmodified)
  return report.results.flatMap((result) => {
    const { requirement, verdict, noVerdict } = result
    const expected = before.get(requirement)
    if (skipped.includes(requirement)) {
      if (verdict === 'skipped' && noVerdict?.kind === 'needs') return []
      return [`${requirement} declares the need, and is ${verdict} (${formatReason(result)})`]
    }
    // Its check may skip it, for example because a list has only one page.
    const isOptional = verdict === 'skipped' && possiblySkipped.includes(requirement)
    if (verdict === expected || isOptional) return []
    return [
      `${requirement} declares no such need, but is not ${expected} (${formatReason(result)})`,
    ]
  })
}

/** Returns the deviations of a failure as a text without the values that change from run to run. */
function normalizeDeviations(report: RunReport, { deviations = [] }: RequirementResult): string {
  const normalize = createNormalizer(report, { exact: true })
  const texts = deviations.map(({ subject = '', expected, actual }) => {
    // Random numbers differ in length.
    return normalize(`${subject}: expected ${expected}, got ${actual}`).replaceAll(
      /\d+ digits/g,
      'digits',
    )
  })
  // Tokens differ in their values only.
  return [...new Set(texts)].join('; ')
}

/** Reports how a failure differs in a run of the requirement by itself; empty if it is the same. */
export function rerunMismatches(id: string, whole: RunReport, single: RunReport): string[] {
  const resultIn = ({ results }: RunReport) => results.find(({ requirement }) => requirement === id)
  const [before, after] = [resultIn(whole), resultIn(single)]
  if (before === undefined || after === undefined) return [`${id} is missing in a report`]
  const message = `${id} is ${after.verdict} when it runs by itself (${formatReason(after)})`
  if (after.verdict !== 'fail') return [message]
  const expected = normalizeDeviations(whole, before)
  const actual = normalizeDeviations(single, after)
  if (expected === actual) return []
  return [`${id} fails differently when it runs by itself: expected ${expected}, actual ${actual}`]
}

/** Reports the differences between a run and the expected results of its scenario. */
export function mismatches(scenario: Scenario, report: RunReport): string[] {
  const { failing, tolerances, unjudged, expectedVerdicts = {} } = scenario
  const found: string[] = []
  function require(condition: boolean, message: string): void {
    if (!condition) found.push(message)
  }
  const verdicts = verdictsByRequirement(report)
  for (const id of failing) {
    require(verdicts.has(id), `${id} is not a requirement of the probed services`)
  }
  const exchangeIds = new Set(report.exchanges.map(({ id }) => id))
  for (const result of report.results) {
    const { requirement: id, verdict, expected, actual, exchanges } = result
    if (verdict !== 'fail') {
      const notFailed = `${id} is ${verdict}, but the fault breaks it (${formatReason(result)})`
      require(!failing.includes(id), notFailed)
      continue
    }
    const notExpected = `${id} fails, but nothing breaks it (${formatReason(result)})`
    require(failing.includes(id), notExpected)
    const isRecorded =
      exchanges.length > 0 && exchanges.every((exchange) => exchangeIds.has(exchange))
    const isShown = expected !== undefined && actual !== undefined && isRecorded
    require(isShown, `${id} fails without an expected value, an actual value, or an exchange`)
  }
  for (const id of new Set(tolerances.map(({ requirement }) => requirement))) {
    const verdict = verdicts.get(id) ?? 'not probed'
    const isReached = verdict === 'pass' || verdict === 'fail'
    const isOpen = unjudged.includes(id)
    require(isReached || isOpen, `${id} is ${verdict}, but its tolerance requires a verdict`)
    require(!isReached || !isOpen, `${id} is ${verdict}, but must be inconclusive or skipped`)
  }
  for (const [id, expected] of Object.entries(expectedVerdicts)) {
    const verdict = verdicts.get(id)
    require(verdict === expected, `${id} is ${verdict}, expected ${expected}`)
  }
  const { verdict = report.verdict } = scenario
  require(report.verdict === verdict, `the run is ${report.verdict}, expected ${verdict}`)
  return found
}

/** Maximum difference of a running clock; a larger one is set by a scenario. */
const MAX_SKEW_MS = 3_600_000

/** Removes resources of the run from a JSON list, because their number depends on timing. */
function withoutCreated(body: string, runId: string): string {
  if (!body.startsWith('[') || !body.includes(runId)) return body
  try {
    const records: unknown[] = JSON.parse(body)
    return JSON.stringify(records.filter((record) => !JSON.stringify(record).includes(runId)))
  } catch {
    return body
  }
}

/**
 * Returns the exchanges of a run as texts without times, order, addresses and random values. Runs with the
 * same requests and responses return equal sets.
 */
export function normalizeExchanges(report: RunReport): ReadonlySet<string> {
  const { exchanges } = report
  const normalize = createNormalizer(report, { exact: true })

  function normalizeField({ name, value }: HeaderField, startedAt: string): string {
    const field = name.toLowerCase()
    const isNow = () => Math.abs(Date.parse(value) - Date.parse(startedAt)) < MAX_SKEW_MS
    // The length depends on numbers in the body; only an empty body matters.
    if (field === 'content-length' && value !== '0') return name
    if (field === 'x-service-otp' || (field === 'date' && isNow())) return name
    const text = normalize(value)
    // Base64 remains only for a wrong password; a configured one is replaced by its name.
    if (field === 'authorization' && /^Basic [A-Za-z0-9+/]+=*$/.test(text)) return `${name}: Basic`
    return `${name}: ${text}`
  }

  function normalizeResponse(
    { status, headers, body }: NonNullable<ExchangeRecord['response']>,
    startedAt: string,
  ) {
    const kept = body && withoutCreated(body, report.run.id)
    // Numeric fields, such as totals, depend on timing too.
    const fields = headers.map((field) =>
      kept !== body && /^\d+$/.test(field.value) ? field.name : normalizeField(field, startedAt),
    )
    return [status, fields, kept === null ? null : normalize(kept)]
  }

  return new Set(
    exchanges.map(({ service, startedAt, request, response, error }) => {
      const body = (text: string | null) => (text === null ? null : normalize(text))
      const fields = (headers: readonly HeaderField[]) =>
        headers.map((field) => normalizeField(field, startedAt))
      return JSON.stringify([
        service,
        request.method,
        normalize(request.url),
        fields(request.headers),
        body(request.body),
        response && normalizeResponse(response, startedAt),
        body(error),
      ])
    }),
  )
}

/** Returns the first exchanges, in alphabetical order, that only one of the runs has; undefined for equal runs. */
export function exchangeDifference(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): string | undefined {
  const firstOf = (some: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...some].filter((text) => !others.has(text)).sort()[0]
  const [first, second] = [firstOf(one, other), firstOf(other, one)]
  if (first === undefined && second === undefined) return undefined
  return `${first ?? 'nothing else'} in one run, ${second ?? 'nothing else'} in another`
}
