import type { ExchangeRecord } from '../probe/exchange.ts'

/** Run id of `newRunId`: minute and random part. */
const RUN_ID = String.raw`\d{8}t\d{4}-[\da-f]{6}`
const UUID = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`

/** Escapes what has a meaning in a regular expression. */
export const escapePattern = (text: string) =>
  text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

type Replacement = readonly [RegExp, string | ((text: string) => string)]

/** Returns a function that replaces what differs between runs. @param options.exact keeps times, names and lengths, for runs of one server */
export function createNormalizer(
  { run, target }: { run: { id: string }; target: object },
  { exact = false } = {},
): (text: string) => string {
  const runIds = `(?:${escapePattern(run.id)}|${RUN_ID})`
  const urls = Object.values<{ baseUrl?: string } | undefined>({ ...target }).flatMap((service) => {
    const { baseUrl = '' } = service ?? {}
    return URL.canParse(baseUrl) ? new URL(baseUrl) : []
  })
  // A host without a dot may be an ordinary word.
  const hosts = urls.map(({ host }) => host).filter((host) => /[.:]/.test(host))
  const inexact: readonly Replacement[] = [
    [/\s+/g, ' '],
    [new RegExp(String.raw`plumbline-${runIds}[\w-]*`, 'gi'), '(generated name)'],
    [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/gi, '(time)'],
    // Index of a record in a list, as in schema errors.
    [/(?<=^|[ (])\/\d+(?=[/ ])/g, '/(index)'],
    [/^ | $/g, ''],
  ]
  // Hexadecimal ids and ends of tokens. A shorter number is a value, and facade is a word.
  const id = /(?<![\da-z])(?=[a-f]*\d)(?:(?=\d*[a-f])[\da-f]{8,}|\d{16,})(?![\da-z])/gi
  const anyId = /(?<![\da-z])[\da-f]{7,}(?![\da-z])/gi
  const replacements: readonly Replacement[] = [
    ...urls.map(({ origin }) => [new RegExp(escapePattern(origin), 'gi'), '(origin)'] as const),
    ...hosts.map((host) => [new RegExp(escapePattern(host), 'gi'), '(host)'] as const),
    ...(exact ? [] : inexact),
    // With the exchange in `User-Agent`.
    [new RegExp(`${runIds}(?:; e\\d+)?`, 'gi'), '(run id)'],
    [new RegExp(UUID, 'gi'), '(UUID)'],
    exact ? [anyId, ({ length }) => `(id of ${length})`] : [id, '(id)'],
    [/("(?:\w+_)?id"\s*:\s*)\d+/g, '$1(id)'],
  ]
  return (text) =>
    replacements.reduce(
      (rest, [part, kind]) =>
        typeof kind === 'string' ? rest.replace(part, kind) : rest.replace(part, kind),
      text,
    )
}

function requestText({ request, attempt }: ExchangeRecord, normalize: (text: string) => string) {
  // These have the number of the exchange, which depends on time.
  const sent = request.headers.filter(({ name }) => !/^(?:User-Agent|traceparent)$/.test(name))
  const fields = sent.map(({ name, value }) => `${name}: ${value}`)
  const path = request.url.replace(/^[^/]*\/\/[^/]*/, '')
  const parts = [path, request.method, ...fields, request.body, attempt]
  const text = parts.join('\n')
  // Normalized texts are equal if only long numbers differ.
  return `${normalize(text)}\n${text}`
}

/** Sorts items by the requests of their exchanges. @param normalize removes values that differ between runs */
export function sortByRequest<T>(
  items: readonly T[],
  recordOf: (item: T) => ExchangeRecord,
  normalize: (text: string) => string,
): T[] {
  const rows = items.map((item) => ({ item, text: requestText(recordOf(item), normalize) }))
  // Compares by code units, independent of the locale of the machine.
  rows.sort((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)))
  return rows.map(({ item }) => item)
}
