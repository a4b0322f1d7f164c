import { XMLParser } from 'fast-xml-parser'

/** An element as the tests look at it. */
export interface XmlNode {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
}

/** What fast-xml-parser makes of a document when it keeps the order: a piece of text, or an element. */
export interface OrderedNode {
  [name: string]: OrderedNode[] | Record<string, string> | string
}

/** Keeps everything as it was written, but for entities, which `entities` decodes. */
export function orderedXml(xml: string, { entities }: { entities: boolean }): OrderedNode[] {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    processEntities: entities,
  })
  return parser.parse(xml, true)
}

/** The name of an element, and what is in it; `undefined` for a piece of text. */
export function elementOf(node: OrderedNode): [name: string, children: OrderedNode[]] | undefined {
  const [found] = Object.entries(node).filter(([name]) => name !== ':@')
  return found !== undefined && Array.isArray(found[1]) ? [found[0], found[1]] : undefined
}

function xmlNode([name, children]: [string, OrderedNode[]], node: OrderedNode): XmlNode {
  return {
    name,
    attributes: (node[':@'] ?? {}) as Record<string, string>,
    children: children.flatMap(xmlNodes),
    text: children.map((child) => child['#text'] ?? '').join(''),
  }
}

function xmlNodes(node: OrderedNode): XmlNode[] {
  const element = elementOf(node)
  return element === undefined ? [] : [xmlNode(element, node)]
}

/** The root element. Whether the text is well-formed XML in every respect is for `xmlProblems`. */
export function readXml(xml: string): XmlNode {
  const roots = orderedXml(xml, { entities: true })
    .flatMap(xmlNodes)
    .filter(({ name }) => !name.startsWith('?'))
  const [root] = roots
  if (root === undefined || roots.length > 1) throw new Error('not one root element')
  return root
}

/** Every element of that name below the node, in document order. */
export function elements(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elements(child, name),
  ])
}
