import type { RequirementResult } from '../conformance/result.ts'
import { isNamedIn } from './exchange-text.ts'

/** What the words about some results name of a response: worth marking where it stands. */
export interface NamedParts {
  status: boolean
  header(name: string): boolean
  /** Of JSON, by its name. */
  field(name: string): boolean
  /** A string of JSON, by its content. */
  value(text: string): boolean
}

const url = /\bhttps?:\/\/\S+/g

// Such an excerpt names every field of the body; what is wrong with it stands behind, in brackets.
const bodyExcerpt = /\bthe body [[{"].*?(?=\(the body\b|\(\/|$)/gs

// Words that stand for the whole message, not for a field of that name.
const commonNouns = new Set(['body', 'header', 'status', 'page', 'list', 'refusal', 'next'])

const longestName = 60

function saidAbout({ expected, actual, reason }: RequirementResult): string {
  return [expected, actual, reason]
    .map((text) => (text ?? '').replace(url, ' ').replace(bodyExcerpt, 'the body '))
    .join('\n')
}

/** `Link` for `link`: a word with a capital is a header, the same word without is just a word. */
function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()
}

function namesHeader(said: string, name: string): boolean {
  if (name === '') return false
  if (name.includes('-')) return isNamedIn(said, name.toLowerCase())
  return said.split(/[^A-Za-z0-9-]+/).includes(capitalized(name))
}

function namesField(said: string, name: string): boolean {
  if (name.length > longestName || !/^\w[\w.-]*$/.test(name)) return false
  const literal = name.replaceAll('.', '\\.')
  // `full_name` can only be a field; `name` is one where the words around it say so.
  if (/[_A-Z0-9]/.test(name)) return new RegExp(`(?<![\\w-])${literal}(?![\\w-])`).test(said)
  const articles = commonNouns.has(name) ? '' : '|no|an?'
  const introduced = `\\b(?:string|number|boolean|integer|object|array|field|property|names${articles}) +${literal}\\b(?!-)`
  const pointedAt = `[/'"]${literal}['"]?(?![\\w/-])`
  return new RegExp(`${introduced}|${pointedAt}|\\b${literal} "`).test(said)
}

/** Words that name a value: a plain word may be there by chance, `maria/first` is not. */
function valuesIn(results: readonly RequirementResult[]): Set<string> {
  const words = results.flatMap(({ actual }) => (actual ?? '').split(/[\s,;"()]+/))
  return new Set(words.filter((word) => word.length > 3 && /[^a-z]/i.test(word)))
}

function remembered(judge: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>()
  return (text) => {
    const answer = known.get(text) ?? judge(text)
    known.set(text, answer)
    return answer
  }
}

/** Reads the expected, the actual and the reason of results that one exchange shows. */
export function namedParts(results: readonly RequirementResult[]): NamedParts {
  const said = results.map(saidAbout).join('\n')
  const values = valuesIn(results)
  return {
    status: /\bstatus (?:\d{3}|of)\b/.test(said),
    header: remembered((name) => namesHeader(said, name)),
    field: remembered((name) => namesField(said, name)),
    value: (text) => values.has(text),
  }
}

/** For an exchange that nothing is said about. */
export const nothingNamed: NamedParts = {
  status: false,
  header: () => false,
  field: () => false,
  value: () => false,
}
