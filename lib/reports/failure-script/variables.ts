import { type RecordedRequest, shellArgument } from '../../probe/curl.ts'
import type { Placeholder } from '../../probe/exchange-record.ts'
import { escapePattern } from '../../results/normalize.ts'

type Place = Pick<Placeholder, 'at' | 'name'>

/** Values of a report that are variables of a script: their names by their text. */
export type VariableNames = ReadonlyMap<string, string>

/** Replaces values in a text by placeholders, and returns these with the earlier ones. */
export function withVariables(text: string, names: VariableNames, earlier: readonly Place[] = []) {
  // One value may be the start of another.
  const values = [...names.keys()].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(`(${values.map(escapePattern).join('|')})`)
  const placeholders: Place[] = []
  let [result, end] = ['', 0]
  const add = (name: string) => {
    placeholders.push({ at: result.length, name })
    result += `$${name}`
  }
  const addText = (part: string) => {
    for (const [index, piece] of part.split(pattern).entries()) {
      if (index % 2 === 0) result += piece
      else add(names.get(piece) ?? '')
    }
  }
  for (const { at, name } of earlier) {
    addText(text.slice(end, at))
    add(name)
    end = at + 1 + name.length
  }
  addText(text.slice(end))
  return { text: result, placeholders }
}

/** Returns a word of a shell for a text. */
export function wordOf(text: string, names: VariableNames): string {
  const { text: shown, placeholders } = withVariables(text, names)
  return shellArgument(shown, placeholders)
}

/** Replaces values in a request by variables. */
export function withVariablesIn(request: RecordedRequest, names: VariableNames): RecordedRequest {
  const { placeholders: earlier = [], ...sent } = request
  const placeholders: Placeholder[] = []
  const replace = (part: Placeholder['in'], text: string) => {
    const own = earlier.filter((one) => one.in === part)
    const replaced = withVariables(text, names, own)
    placeholders.push(...replaced.placeholders.map((one) => ({ in: part, ...one })))
    return replaced.text
  }
  return {
    ...sent,
    url: replace('url', sent.url),
    ...(sent.user !== undefined && { user: replace('user', sent.user) }),
    headers: sent.headers.map(({ name, value }, index) => ({ name, value: replace(index, value) })),
    body: sent.body === null ? null : replace('body', sent.body),
    placeholders,
  }
}
