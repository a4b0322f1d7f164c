import type { Har } from 'har-format'
import { expect, it } from 'vitest'
import type { RunReport } from '../results/run-report.ts'
import { printableSentence, truncate } from '../text/printable.ts'
import { textsOf } from './formats.fixture.ts'
import { elements, readXml } from './junit-readers.fixture.ts'
import { hostileText } from './report.fixture.ts'
import { reviewedFixture, withText } from './reviewed-report.fixture.ts'

const CONTROL = /[\p{Cf}\p{Cs}\u0080-\u009f\ufffe\uffff]|[^\P{Cc}\n\t]/u

function expectReadableJunit(junit: string, { results }: RunReport): void {
  const root = readXml(junit)
  const properties = elements(root, 'property').map(({ attributes }) => attributes)
  const statements = properties.filter(({ name }) => name === 'statement')
  expect(statements.map(({ value }) => value).sort()).toEqual(
    results.map(({ statement }) => printableSentence(statement)).sort(),
  )
  const { reason = '' } = results.find(({ verdict }) => verdict === 'inconclusive') ?? {}
  const message = elements(root, 'error')[0]?.attributes.message
  expect(message).toBe(truncate(printableSentence(reason), 400))
}

function expectReadableArchive(archive: string, { exchanges }: RunReport): void {
  const { log }: Har = JSON.parse(archive)
  for (const [index, { request, response }] of log.entries.entries()) {
    const { request: sent, response: received, error } = exchanges[index] ?? {}
    expect(request.postData?.text ?? null).toBe(sent?.body)
    expect(response.headers).toEqual(received?.headers ?? [])
    if (received) expect(response.content.text).toBe(received.body)
    else expect(response).toMatchObject({ status: 0, _error: error })
    expect(URL.canParse(request.url)).toBe(true)
    expect(request.url).toMatch(/^[!-~]+$/)
  }
}

it.each([
  ...[
    hostileText,
    '',
    ' \t\n\r\u2028\u00a0',
    ']]><!-- --> </script> &#39;&lt; \ufffe',
    '\\u001b\\" \ud800',
  ],
  ...[
    '::error::%0A##[x] `|*_[a](b)``` ~ $CODE_HOSTING_PASSWORD %2e%2e',
    'https://x.test/ é😀\u200b\u009b',
  ],
])(
  'a report with any text is read back, %#, and has no control characters in any format',
  (text) => {
    const report = withText(reviewedFixture(), text)
    const { junit, archive, annotations, ...others } = textsOf(report)
    expectReadableJunit(junit, report)
    expectReadableArchive(archive, report)
    for (const line of annotations.trimEnd().split('\n')) {
      expect(line).toMatch(/^::(error|warning) title=[^:,]*::/)
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    }
    for (const format of [junit, ...Object.values(others)]) expect(format).not.toMatch(CONTROL)
  },
)
