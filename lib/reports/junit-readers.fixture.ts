import { XMLParser } from 'fast-xml-parser'
import { XmlDocument, XmlParseError } from 'libxml2-wasm'

export interface XmlNode {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
}

type OrderedNode = Record<string, OrderedNode[] | Record<string, string> | string>

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
})

function xmlNodes(node: OrderedNode): XmlNode[] {
  const [found] = Object.entries(node).filter(([name]) => name !== ':@')
  if (found === undefined || !Array.isArray(found[1])) return []
  const [name, children] = found
  return [
    {
      name,
      attributes: (node[':@'] ?? {}) as Record<string, string>,
      children: children.flatMap(xmlNodes),
      text: children.map((child) => child['#text'] ?? '').join(''),
    },
  ]
}

/** Returns the root element. Only `xmlProblems` checks that the text is well-formed. */
export function readXml(xml: string): XmlNode {
  const nodes: OrderedNode[] = parser.parse(xml, true)
  const [root, ...others] = nodes.flatMap(xmlNodes).filter(({ name }) => !name.startsWith('?'))
  if (root === undefined || others.length > 0) throw new Error('not one root element')
  return root
}

/** Returns all descendants of that name in document order. */
export function elements(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elements(child, name),
  ])
}

/**
 * Returns the errors of libxml2 for a text that is not well-formed XML. It runs in this thread: the test files of a pool
 * share a process, which may crash when a thread with WebAssembly ends.
 */
export function xmlProblems(xml: string): string[] {
  try {
    XmlDocument.fromString(xml).dispose()
    return []
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error
    return [error.message]
  }
}

/** Ordered children and attributes (`!`: required) of each element, as Jenkins reads them. */
const grammar: Readonly<Record<string, readonly [children: RegExp, attributes: string]>> = {
  testsuites: [/^(testsuite )*$/, 'name time tests failures errors skipped disabled'],
  testsuite: [
    /^(properties )?(testcase )*(system-out )?(system-err )?$/,
    'name! tests! failures errors skipped disabled time timestamp hostname id package',
  ],
  testcase: [
    /^(properties )?(skipped )?(error )*(failure )*(system-out )*(system-err )*$/,
    'name! classname time assertions status',
  ],
  properties: [/^(property )+$/, ''],
  property: [/^$/, 'name! value!'],
  skipped: [/^$/, 'message'],
  error: [/^$/, 'type message'],
  failure: [/^$/, 'type message'],
  'system-out': [/^$/, ''],
  'system-err': [/^$/, ''],
}

export function junitProblems(xml: string): string[] {
  const root = readXml(xml)
  const problems = Object.keys(grammar).flatMap((name) => elements(root, name).flatMap(problemsOf))
  return [...(root.name === 'testsuites' ? [] : [root.name]), ...problemsOf(root), ...problems]
}

function problemsOf({ name, attributes, children }: XmlNode): string[] {
  const [order = /^/, known = ''] = grammar[name] ?? []
  const names = Object.keys(attributes)
  const required = [...known.matchAll(/(\S+)!/g)].map(([, attribute = '']) => attribute)
  const unknown = names.filter((attribute) => !known.split(/!? |!$/).includes(attribute))
  const missing = required.filter((attribute) => !names.includes(attribute))
  const inside = children.map((child) => `${child.name} `).join('')
  return [
    ...(order.test(inside) ? [] : [`${name} has ${inside}`]),
    ...[...unknown, ...missing].map((attribute) => `${name} ${attribute}`),
  ]
}
