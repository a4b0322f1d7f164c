import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startReference } from '../reference/index.ts'
import { atTheEnd } from './command.fixture.ts'
import { type EnclosedOutcome, enclosedRun, verdictsOf } from './enclosed-run.fixture.ts'

/** A shorter text may well stand somewhere else too. */
const SHORTEST_TELLING = 5

/** A scope is a word of the document, which an observation may name; it says nothing of anybody. */
const SCOPE = /^(read|write):[a-z]+$/

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

/** The texts that the bodies of a run hold, and nothing else of it: no URL, header or statement. */
function textsOfBodies({ report }: EnclosedOutcome): Set<string> {
  const { results, exchanges, target } = report
  const elsewhere = JSON.stringify([
    results.map(({ statement, section, requirement, expected }) => [
      statement,
      section,
      requirement,
      expected,
    ]),
    exchanges.map(({ purpose, request, response }) => [
      purpose,
      request.url,
      request.headers,
      response?.headers,
    ]),
    target,
  ])
  const bodies = exchanges.flatMap(({ request, response }) => [request.body, response?.body])
  const texts = bodies.flatMap((body) => textsIn(parsed(body ?? '')))
  return new Set(
    texts.filter(
      (text) => text.length >= SHORTEST_TELLING && !SCOPE.test(text) && !elsewhere.includes(text),
    ),
  )
}

function everythingOf({ directory, output, errors }: EnclosedOutcome): string {
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))
  return [...files, output, errors].join('\n')
}

async function runWith(fault: string, evidence: 'full' | 'headers'): Promise<EnclosedOutcome> {
  const { environment, close } = await startReference({ fault })
  atTheEnd(close)
  return enclosedRun({ ...environment, PROBE_EVIDENCE: evidence })
}

describe('PROBE_EVIDENCE=headers', () => {
  it.each(['wrong-missing-credentials-message', 'token-authenticates-another-user'])(
    'changes no verdict and tells nothing of what bodies hold: with the fault %s',
    async (fault) => {
      const full = await runWith(fault, 'full')
      const headers = await runWith(fault, 'headers')
      const texts = textsOfBodies(full)
      const everything = everythingOf(headers)

      expect(headers.status).toBe(full.status)
      expect(verdictsOf(headers)).toEqual(verdictsOf(full))
      expect(texts.size).toBeGreaterThan(20)
      expect([...texts].filter((text) => everything.includes(text))).toEqual([])
      for (const { request, response } of headers.report.exchanges) {
        expect(request.body).toBeNull()
        expect(response?.body).toBeNull()
      }
      const sizes = headers.report.exchanges.map(({ response }) => response?.bodyBytes ?? 0)
      expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(100)
    },
  )

  it('says what is left out where it is missed, and makes commands that ask for it', async () => {
    const { output } = await runWith('wrong-missing-credentials-message', 'headers')
    const { directory } = await runWith('token-created-with-200', 'headers')
    const junit = readFileSync(join(directory, 'junit.xml'), 'utf8')

    expect(output).toMatch(/actual +a message, a string of \d+ characters/)
    expect(output).toMatch(/< \[\d+ bytes of body, not kept\]/)
    expect(junit).toMatch(/\[\d+ bytes of body, not kept\]/)
    expect(junit).toContain('--request POST')
    expect(junit).toContain('--data-raw "${REQUEST_BODY:?set it: ')
    expect(junit).not.toContain('plumbline-2')
  })
})
