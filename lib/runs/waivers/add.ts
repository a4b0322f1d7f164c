import { isSeq, parseDocument } from 'yaml'
import { isJson } from '../../environment/json.ts'
import type { Waiver } from '../../results/run-report.ts'

function withJsonEntries(text: string, added: readonly Waiver[]): string {
  const content = JSON.parse(text)
  const indentation = /^\s*{\s*\n([ \t]+)/.exec(text)?.[1] ?? '  '
  const waivers = [...(content.waivers ?? []), ...added]
  return `${JSON.stringify({ ...content, waivers }, null, indentation)}\n`
}

function withYamlEntries(text: string, added: readonly Waiver[]): string {
  const document = parseDocument(text)
  const list = document.get('waivers', true)
  if (isSeq(list)) {
    list.flow = false
    for (const waiver of added) list.add(document.createNode(waiver))
  } else {
    document.set('waivers', document.createNode(added))
  }
  // A long reason stays on one line.
  return document.toString({ lineWidth: 0, indentSeq: !/^- /m.test(text) })
}

/** Adds entries to a file and keeps its comments, order, and line breaks. @param json true if a new file must be JSON */
export function withAddedWaivers(text: string, added: readonly Waiver[], json = false): string {
  if (text.trim() === '' && json) return withJsonEntries('{}', added)
  if (isJson(text)) return withJsonEntries(text, added)
  const result = withYamlEntries(text.replaceAll('\r\n', '\n'), added)
  return text.includes('\r\n') ? result.replaceAll('\n', '\r\n') : result
}
