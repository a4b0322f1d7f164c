import { isMap, isScalar, isSeq, parseDocument, stringify } from 'yaml'
import type { Waiver } from '../conformance/result.ts'

// A long reason stays on one line: to fold it would be a matter of taste in a file of somebody else.
const style = { lineWidth: 0 }

function ordered({ requirement, reason, owner, expires, link }: Waiver): Waiver {
  return { requirement, reason, owner, expires, ...(link === undefined ? {} : { link }) }
}

/** YAML in braces looks like JSON, and may have commas and comments that JSON has not. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function withJsonEntries(text: string, added: readonly Waiver[]): string {
  const content = JSON.parse(text)
  const indentation = /^\s*{\s*\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const waivers = [...(content.waivers ?? []), ...added]
  return `${JSON.stringify({ ...content, waivers }, null, indentation)}\n`
}

function indented(text: string, indentation: string): string {
  return text.replace(/^(?=.)/gm, indentation)
}

/** The list written out behind its last entry: nothing that is there already is touched. */
function behindLastEntry(text: string, added: readonly Waiver[]): string | undefined {
  const { contents } = parseDocument(text)
  const list = isMap(contents) ? contents.get('waivers', true) : undefined
  if (!isSeq(list) || list.flow === true) return undefined
  const last = list.items.at(-1)
  if (!isMap(last) || last.flow === true || !last.range) return undefined
  const [start, end] = last.range
  const line = text.lastIndexOf('\n', start) + 1
  const indentation = /^( *)- /.exec(text.slice(line))?.[1]
  if (indentation === undefined) return undefined
  const lineEnd = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1
  const place = lineEnd === 0 ? text.length : lineEnd
  const before = text.slice(0, place)
  return [
    before.endsWith('\n') ? before : `${before}\n`,
    indented(stringify(added, style), indentation),
    text.slice(place),
  ].join('')
}

function withYamlEntries(text: string, added: readonly Waiver[]): string {
  const document = parseDocument(text)
  if (document.contents === null) {
    const before = text === '' || text.endsWith('\n') ? text : `${text}\n`
    return `${before}${stringify({ waivers: added }, style)}`
  }
  const list = document.get('waivers', true)
  if (isSeq(list)) {
    list.flow = false
    for (const waiver of added) list.add(document.createNode(waiver))
  } else {
    document.set('waivers', document.createNode(added))
  }
  return document.toString(style)
}

function entriesOf(text: string): unknown {
  const document = parseDocument(text)
  const list = document.errors.length > 0 ? undefined : document.get('waivers')
  if (isScalar(list) && list.value === null) return []
  return list === undefined || list === null ? [] : (document.toJS().waivers ?? [])
}

/**
 * The text of a file of waivers with entries added at the end of the list. Comments, order and
 * writing of what is there stay; a file in JSON stays one. Line breaks are those of the file.
 *
 * @param text of a file without problems; empty for a new one
 * @param json whether a new file is to be one in JSON
 */
export function withAddedWaivers(text: string, added: readonly Waiver[], json = false): string {
  const entries = added.map(ordered)
  if (text.trim() === '' && json) return withJsonEntries('{}', entries)
  if (isJson(text)) return withJsonEntries(text, entries)
  const lines = text.replaceAll('\r\n', '\n')
  const before = entriesOf(lines)
  const wanted = JSON.stringify([...(Array.isArray(before) ? before : []), ...entries])
  const written = behindLastEntry(lines, entries)
  const result =
    written !== undefined && JSON.stringify(entriesOf(written)) === wanted
      ? written
      : withYamlEntries(lines, entries)
  return text.includes('\r\n') ? result.replaceAll('\n', '\r\n') : result
}
