import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { nearScopes } from '../../suites/code-hosting/levels.ts'
import { type CommandOutcome, filesOf, referenceEnvironment, reportsIn } from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

/** Shorter texts also occur elsewhere. */
const MIN_IDENTIFYING_CHARS = 5

/** Returns true for scopes, which observations name because they are terms of the document, and cases as their levels. */
const isScope = (text: string) =>
  /^(read|write):[a-z]+$/.test(text) || nearScopes.some((scope) => scope === text)

function textsIn(json: unknown): string[] {
  if (typeof json === 'string') return [json]
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(textsIn) : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the texts that only the bodies of a run contain. */
function textsOfBodies({ report, exchanges }: CommandOutcome): string[] {
  const bodies = exchanges.flatMap(({ request, response }) => [request.body, response?.body])
  const elsewhere = JSON.stringify([report.results, exchanges, report.target], (key, value) =>
    ['body', 'actual', 'reason', 'bodyText'].includes(key) ? undefined : value,
  )
  const texts = new Set(bodies.flatMap((body) => textsIn(parsed(body ?? ''))))
  return [...texts].filter(
    (text) => text.length >= MIN_IDENTIFYING_CHARS && !isScope(text) && !elsewhere.includes(text),
  )
}

const verdictsOf = ({ report }: CommandOutcome) =>
  report.results.map(({ requirement, verdict }) => [requirement, verdict])

const requirement = ['*/authentication/m*', '*/tokens/d*', '*/pagination/link-t*', '*/scopes/m*']

async function runWith(evidence: 'full' | 'headers'): Promise<CommandOutcome> {
  const environment = await referenceEnvironment({ fault: 'wrong-missing-credentials-message' })
  return enclosedRun({ ...environment, PROBE_EVIDENCE: evidence }, { requirement })
}

it('PROBE_EVIDENCE=headers changes no verdict and records nothing of bodies', async () => {
  const full = await runWith('full')
  const headers = await runWith('headers')
  const { directory, output, errors, exchanges } = headers
  const files = filesOf(headers).map((name) =>
    readFileSync(join(reportsIn(directory), name), 'utf8'),
  )
  const everything = [...files, output, errors].join('\n')
  const texts = textsOfBodies(full)

  expect(headers.status).toBe(full.status)
  expect(verdictsOf(headers)).toEqual(verdictsOf(full))
  expect(texts.length).toBeGreaterThan(20)
  expect(
    texts.filter((text) => everything.includes(text.trim() === text ? text : `"${text}"`)),
  ).toEqual([])
  for (const { request, response } of exchanges) {
    expect([request.body, response?.body]).toEqual([null, null])
  }
  const sizes = exchanges.map(({ response }) => response?.bodyBytes ?? 0)
  expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(100)
  expect(output).toMatch(/actual +a message, .* \d+ characters/)
  expect(output).toMatch(/< \[\d+ bytes .*\]/)
})
