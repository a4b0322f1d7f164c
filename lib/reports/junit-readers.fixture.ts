import { XmlDocument, XmlElement, XmlParseError } from 'libxml2-wasm'

export interface XmlNode {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
}

function toNode(element: XmlElement): XmlNode {
  const children: XmlNode[] = []
  for (let child = element.firstChild; child !== null; child = child.next) {
    if (child instanceof XmlElement) children.push(toNode(child))
  }
  const attributes = Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]))
  return { name: element.name, attributes, children, text: element.content }
}

/** Returns the root element. @throws XmlParseError for a text that is not well-formed */
export function readXml(xml: string): XmlNode {
  // In this thread: the test files of a pool share a process, which may crash when a thread with WebAssembly ends.
  const document = XmlDocument.fromString(xml)
  try {
    return toNode(document.root)
  } finally {
    document.dispose()
  }
}

/** Returns all descendants of that name in document order. */
export function elements(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elements(child, name),
  ])
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

/** Returns what is wrong with a junit.xml for Jenkins, or the error of libxml2 for a text that is not well-formed. */
export function junitProblems(xml: string): string[] {
  try {
    const root = readXml(xml)
    const all = Object.keys(grammar).flatMap((name) => elements(root, name))
    return [
      ...(root.name === 'testsuites' ? [] : [root.name]),
      ...[root, ...all].flatMap(problemsOf),
    ]
  } catch (error) {
    if (!(error instanceof XmlParseError)) throw error
    return [error.message]
  }
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
