import { expect, it } from 'vitest'
import { CodeHostingClient } from '../suites/code-hosting/client.ts'
import {
  expect as expectExchange,
  requireDocumentation,
  scopesNamed,
} from '../suites/code-hosting/matchers.ts'
import { issuedTokens } from '../suites/code-hosting/tokens.ts'
import { findEventIds } from '../suites/event-publishing/event-id.ts'
import { displayBody, displayMessage } from './conformance/deviations.ts'
import { exchangeWith } from './conformance/exchange.fixture.ts'
import { isBelow } from './probe/base-url.ts'
import { parseJson } from './probe/bodies.ts'
import { curlCommand } from './probe/curl.ts'
import type { ExchangeRecord } from './probe/exchange.ts'
import { linksOf, parseWarning, withoutUserInformation } from './probe/header-fields.ts'
import { Redactor } from './probe/redaction/redaction.ts'
import { retryAfterMs } from './probe/retry.ts'
import { explainTransportFailure } from './probe/transport-error.ts'
import { annotations } from './reports/annotations.ts'
import { excerptBody } from './reports/exchange-text.ts'
import { reportModel } from './reports/facts.ts'
import { evidenceHar } from './reports/har.ts'
import { reportHtml } from './reports/html/report-html.ts'
import { junitXml } from './reports/junit.ts'
import { codeSpan, plainText, summaryMarkdown } from './reports/markdown.ts'
import { exchangeNames, groupByReason, withReasonText } from './reports/reasons.ts'
import { exchangeFixture, reportFixture, resultFixture } from './reports/report.fixture.ts'
import { terminalSummary } from './reports/terminal.ts'
import { terminalStyle } from './reports/terminal-document.ts'
import { compareReports } from './runs/compare/compare.ts'
import {
  excerpt,
  printableJson,
  printableSentence,
  withoutWorkflowCommands,
  wrapped,
} from './text/printable.ts'

/** Lengths of the texts of each attempt, in UTF-16 code units; noise seldom disturbs all of them. */
const SIZES = [8_000, 15_000, 60_000, 60_000, 60_000]

/** Texts that regular expressions match or stop at; each is repeated. */
const pieces = [
  ...'\\ <>"\'`,%;:=()[]{}/?#&$.!@+-_|aA0\t\n\r\0\u00a0\u0130\u2028\ud800é',
  ...['&#', '%25', '%2e', '\\u', '\\"', '""', 'a ', ' a', 'A ', 'a.', ' :', '::', '):', '. '],
  ...['<>', '<a>,', '<a>;rel="x y",', ';rel="x ', '299 a "', '[],', '{"a":', '"a",', '1,'],
  ...['../', '/..;', '##[', ']]>', '[ATTACHMENT', '$A_KEY', '<a>;rel=x,', ';rel=""'],
  ...['299 a "b", ', 'basic ', 'basic YWFh ', 'YWFh', 'GET http://a', 'http://a/', 'read:'],
  ...['read:a,', '/log-in', 'a@'],
]

function request(text: string): ExchangeRecord['request'] {
  const headers = [{ name: text, value: text }]
  const placeholders = [...text.matchAll(/\$A_KEY/g)].map(({ index: at }) => {
    return { in: 'body' as const, at, name: 'A_KEY' }
  })
  return { method: 'POST', url: `https://a.test/${text}`, headers, body: text, placeholders }
}

/** Creates a report with the text at every place that a server controls. */
function reportWith(text: string) {
  const headers = [text, 'Content-Type', 'Location'].map((name) => ({ name, value: text }))
  const response = { status: 200, headers, body: text, bodyBytes: 1 }
  const texts = { reason: text, expected: text, actual: text, reads: { header: text } }
  return reportFixture({
    exchanges: [
      exchangeFixture({ request: request(text), response }),
      exchangeFixture({ id: 'e2', response: null, error: text }),
    ],
    results: [
      resultFixture({ verdict: 'fail', exchanges: ['e1'], ...texts }),
      resultFixture({ requirement: 'a/b/c', verdict: 'inconclusive', exchanges: ['e2'], ...texts }),
      resultFixture({ requirement: 'a/b/d', reason: text }),
    ],
    observations: [
      { id: 'a/b/e', description: text, value: { [text]: [text] }, exchanges: ['e1'] },
    ],
  })
}

function redactor(): Redactor {
  const created = new Redactor()
  created.add('A_KEY', '0f4c096bbf1e344129093fa9160a01cba6605283')
  created.addBasic('maria', 'PASSWORD', 'p+s/s w\'rd!<&"é==')
  return created
}

/** Returns the text as a valid field value. */
const fieldOf = (text: string) => text.replace(/[^\t\x20-\x7e]/g, '?')
const responseWith = (text: string, headers: Record<string, string> = {}, status = 200) =>
  exchangeWith({ status, text: JSON.stringify({ message: text, url: text, id: text }), headers })
const { leadsBelow } = new CodeHostingClient(
  'https://a.test/git',
  () => Promise.reject(new Error('nothing is sent')),
  () => Promise.reject(new Error('nothing is sent')),
)

/** Functions that read or format texts of a server. Their errors are ignored. */
const readers: Record<string, (text: string) => unknown> = {
  redact: (text) => redactor().redact(text),
  redactPrefix: (text) => redactor().redactPrefix(text, 40_000),
  redactCut: (text) => redactor().redactCut(text),
  redactFields: (text) =>
    redactor().redactFields([text, 'Set-Cookie'].map((name) => ({ name, value: text }))),
  redactRequest: (text) => redactor().redactRequest(request(text)),
  redactMessage: (text) => redactor().redactMessage(text),
  linksOf: (text) => ['', '<a>;', '<a>;rel=', '<a>;rel="'].map((start) => linksOf(start + text)),
  parseWarning: (text) =>
    ['', '299 ', '299 a "', '299 a "b"'].map((start) => parseWarning(start + text)),
  withoutUserInformation: (text) => ['', '//'].map((start) => withoutUserInformation(start + text)),
  isBelow: (text) => isBelow(new URL(`https://a.test/git/${text}`), 'https://a.test/git'),
  leadsBelow,
  retryAfterMs: (text) => ['', 'Mon, 01', 'Mon J'].map((start) => retryAfterMs(start + text, 0)),
  explainTransportFailure(text) {
    const error = Object.assign(new Error(text), { name: 'HTTPParserError' })
    return [error, new Error(text)].map((one) => explainTransportFailure(one, 1000))
  },
  parseJson,
  curlCommand: (text) =>
    curlCommand(exchangeFixture({ request: { ...request(text), user: text } })),
  displayBody: (text) => displayBody(exchangeWith({ text })),
  displayMessage: (text) => displayMessage(responseWith(text)),
  toBeJson: (text) => {
    for (const start of ['', 'a/']) {
      expectExchange(responseWith('', { 'Content-Type': start + fieldOf(text) })).toBeJson()
    }
  },
  toLinkToDocumentation: (text) => expectExchange(responseWith(text)).toLinkToDocumentation(),
  toNameInMessage: (text) => expectExchange(responseWith(text)).toNameInMessage('name'),
  scopesNamed: (text) =>
    ['', 'token does not have at least one of required scope(s), required=['].map((start) =>
      scopesNamed(`${start}${text}`),
    ),
  issuedTokens(text) {
    const options = { runId: 'run7', redactor: redactor() }
    return [undefined, { sha1: text, other: `${text}1` }].map((json) =>
      issuedTokens(json, text, options),
    )
  },
  requireDocumentation: (text) =>
    requireDocumentation(
      exchangeWith({ status: 302, headers: { Location: fieldOf(text) } }, `/${text}`),
      exchangeWith({ text }),
      'https://git.example.com',
    ),
  findEventIds: (text) => findEventIds(responseWith(text, { Location: fieldOf(text) })),
  printableJson,
  printableSentence,
  wrapped: (text) => wrapped(text, 80),
  excerpt: (text) => excerpt(text, { characters: 50_000, lines: 50_000 }),
  excerptBody: (text) =>
    excerptBody(JSON.stringify([text, { [text]: text }]), { characters: 50_000, lines: 50_000 }),
  plainText,
  codeSpan: (text) => codeSpan(text, 50_000),
  groupByReason: (text) =>
    groupByReason([
      withReasonText(resultFixture({ noVerdict: { kind: 'missing', text } }), exchangeNames([])),
    ]),
  withoutWorkflowCommands,
  compareReports: (text) =>
    compareReports(
      { path: '', report: reportWith(text) },
      { path: '', report: reportWith(`${text}a`) },
    ),
  terminalSummary: (text) =>
    terminalSummary(reportModel(reportWith(text)), {
      ...terminalStyle({ color: false, width: 100 }),
      reportFiles: [],
      verbose: true,
    }),
  junitXml: (text) => junitXml(reportModel(reportWith(text))),
  reportHtml: (text) => reportHtml(reportModel(reportWith(text))),
  summaryMarkdown: (text) => summaryMarkdown(reportModel(reportWith(text))),
  evidenceHar: (text) => evidenceHar(reportWith(text), ''),
  annotations: (text) => annotations(reportModel(reportWith(text))),
}

/** Returns the processor time in milliseconds, which is independent of other processes. */
function costOf(read: (text: string) => unknown, piece: string, size: number): number {
  const text = `${piece.repeat(Math.ceil(size / piece.length)).slice(0, size)}!`
  const before = process.cpuUsage()
  try {
    read(text)
  } catch {
    // A failed expectation or no verdict.
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Returns the pieces of which a text costs 7 times a quarter of it in each attempt; linear is 4 times, quadratic
 * 16 times. Lower costs than 100 ms for 60,000 characters are not compared; a quadratic cost is then 2 ms for 8,000.
 */
function slowPieces(read: (text: string) => unknown): string[] {
  /** Least cost of a quarter of each size: what is linear relative to it needs no quarter of its own. */
  const least = new Map<number, number>()
  const isLinear = (piece: string) => (size: number) => {
    const cost = costOf(read, piece, size)
    const known = least.get(size) ?? 0
    if (cost < 100 * (size / 60_000) ** 2 || cost < 7 * known) return true
    const quarter = costOf(read, piece, size / 4)
    least.set(size, Math.min(quarter, known || quarter))
    return cost < 7 * quarter
  }
  return pieces.filter((piece) => !SIZES.some(isLinear(piece)))
}

it.each(Object.entries(readers))('%s takes linear time', (_, read) => {
  expect(slowPieces(read)).toEqual([])
})
