/** A kind of file that Plumbline writes or reads. */
export type FileKind =
  | 'report'
  | 'baseline'
  | 'waivers'
  | 'history'
  | 'history review'
  | 'comparison'
  | 'doctor'
  | 'ledger'
  | 'HAR'
  | 'JUnit'
  | 'HTML'
  | 'environment'

/** What a person calls a file of that kind. */
export const kindWords: Record<FileKind, string> = {
  report: 'the report of a run',
  baseline: 'a baseline',
  waivers: 'a file of waivers',
  history: 'a history of runs',
  'history review': 'what "plumbline history" tells',
  comparison: 'what "plumbline compare" tells',
  doctor: 'what "plumbline doctor" tells',
  ledger: 'the ledger of a run',
  HAR: 'a HAR file',
  JUnit: 'a JUnit file',
  HTML: 'an HTML page',
  environment: 'an environment file',
}

/** Names that an object of a kind has and one of another kind lacks, the most telling kind first. */
const marks: readonly [FileKind, readonly string[]][] = [
  ['comparison', ['outcome', 'before', 'after']],
  ['doctor', ['findings', 'nextSteps']],
  ['history review', ['last', 'targets']],
  ['history', ['run', 'rows', 'counts']],
  ['ledger', ['run', 'at', 'event']],
  ['report', ['tool', 'run']],
  ['report', ['results', 'exchanges']],
  ['baseline', ['target', 'observations']],
  ['waivers', ['waivers']],
  ['HAR', ['log']],
]

/** The kind of what was read as JSON or YAML; `undefined` for any other value. */
export function kindOfValue(value: unknown): FileKind | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return marks.find(([, names]) => names.every((name) => Object.hasOwn(value, name)))?.[0]
}

/** The kinds whose text is no JSON as a whole, or may be cut off. */
const beginnings: readonly [FileKind, RegExp][] = [
  ['HTML', /^<(!doctype html|html)\b/i],
  ['JUnit', /^(<\?xml[^>]*>\s*)?<testsuites?\b/],
  ['report', /^\{\s*"schema":\s*\d+,\s*"tool":/],
  ['baseline', /^\{\s*"schema":\s*\d+,\s*"target":/],
  ['HAR', /^\{\s*"log":/],
  ['comparison', /^\{\s*"schema":\s*\d+,\s*"outcome":/],
  ['waivers', /^(?:#[^\n]*\n\s*)*(?:---\s+)?waivers:/],
  [
    'environment',
    /^(?:#[^\n]*\n\s*)*(?:export )?(?:CODE_HOSTING|EVENT_PUBLISHING|INCIDENT_STATUS|PROBE)_\w+=/,
  ],
]

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * What kind of file a text is of, so that one who has named the wrong file is told which it is;
 * `undefined` for what is none of them. It is a guess: whether the file is sound is its reader's
 * business.
 */
export function kindOfText(text: string): FileKind | undefined {
  const start = text.trimStart()
  const [line = ''] = start.split('\n', 1)
  return (
    kindOfValue(parsed(start)) ??
    kindOfValue(parsed(line)) ??
    beginnings.find(([, beginning]) => beginning.test(start))?.[0]
  )
}
