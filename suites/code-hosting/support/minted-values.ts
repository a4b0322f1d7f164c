import type { Redactor } from '../../../lib/probe/redaction.ts'

/** What a header carries beside all else, with room to spare; in UTF-16 code units. */
const LONGEST_VALUE = 4096

/** Texts of one answer that are kept for tokens, beside the documented one. */
const MOST_CANDIDATES = 16

/** What may be a token: names of tokens, which are as long, say which run they are of. */
const TOKEN_LIKE = /^(?=.*\d)[\w.~+/=-]{20,}$/
const WORDS = /[\w.~+/=-]{20,}/g

/** The token value that a creation was answered with. */
export function valueIn(json: unknown): string | undefined {
  const value = (json as { sha1?: unknown } | null | undefined)?.sha1
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Whether a value is longer than can be sent: nothing is done with it but to hide its beginning. */
export function isTooLong(value: string): boolean {
  return value.length > LONGEST_VALUE
}

// A copy: the beginning of a text would keep all of it in memory.
function beginningOf(text: string): string {
  return structuredClone(text.slice(0, LONGEST_VALUE))
}

function* textsIn(json: unknown): Iterable<string> {
  if (typeof json === 'string') yield json
  else if (typeof json === 'object' && json !== null) {
    for (const value of Object.values(json)) yield* textsIn(value)
  }
}

function* wordsIn(text: string): Iterable<string> {
  for (const [word] of text.matchAll(WORDS)) yield word
}

/**
 * What an answer hands out: the token value first, then the first texts that look like one and hold no
 * other secret, since a server that differs from its document may show it in another place.
 */
export function mintedValues(
  json: unknown,
  text: string,
  { runId, redactor }: { runId: string; redactor: Pick<Redactor, 'redact'> },
): string[] {
  const value = valueIn(json)
  const candidates = new Set<string>()
  for (const word of json === undefined ? wordsIn(text) : textsIn(json)) {
    if (candidates.size === MOST_CANDIDATES) break
    const beginning = word.slice(0, LONGEST_VALUE)
    if (word === value || !TOKEN_LIKE.test(beginning) || beginning.includes(runId)) continue
    candidates.add(beginning)
  }
  const unknown = [...candidates].filter((word) => redactor.redact(word) === word)
  return [...(value === undefined ? [] : [value]), ...unknown].map(beginningOf)
}
