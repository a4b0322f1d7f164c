/** The minute and a random part, see `newRunId`. */
const RUN_ID = String.raw`\d{8}t\d{4}-[\da-f]{6}`

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/**
 * Returns a function that replaces the parts of a text that differ from run to run by their kind, and
 * breaks of lines by spaces: texts of two runs are then equal if the server did the same.
 */
export function createNormalizer({
  run,
  target,
}: {
  run: { id: string }
  /** Services by name; other members are ignored. */
  target: object
}): (text: string) => string {
  const runIds = `(?:${literal(run.id)}|${RUN_ID})`
  const urls = Object.values<{ baseUrl?: string } | undefined>({ ...target }).flatMap((service) => {
    const { baseUrl = '' } = service ?? {}
    return URL.canParse(baseUrl) ? new URL(baseUrl) : []
  })
  // A name without a dot may be a word of any text.
  const hosts = urls.map(({ host }) => host).filter((host) => /[.:]/.test(host))
  const kinds: readonly (readonly [RegExp, string])[] = [
    [/\s+/g, ' '],
    ...urls.map(({ origin }) => [new RegExp(literal(origin), 'gi'), '(origin)'] as const),
    ...hosts.map((host) => [new RegExp(literal(host), 'gi'), '(host)'] as const),
    [new RegExp(String.raw`plumbline-${runIds}[\w-]*`, 'gi'), '(generated name)'],
    [new RegExp(runIds, 'gi'), '(run id)'],
    [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '(UUID)'],
    [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/gi, '(time)'],
    // Hexadecimal ids and the ends of tokens. A shorter number is a value, and facade is a word.
    [/(?<![\da-z])(?=[a-f]*\d)(?:(?=\d*[a-f])[\da-f]{8,}|\d{16,})(?![\da-z])/gi, '(id)'],
    [/("(?:\w+_)?id"\s*:\s*)\d+/g, '$1(id)'],
    // The place of a record in a list, as the errors of a schema have it.
    [/(?<=^|[ (])\/\d+(?=[/ ])/g, '/(index)'],
  ]
  return (text) => kinds.reduce((rest, [part, kind]) => rest.replace(part, kind), text).trim()
}
