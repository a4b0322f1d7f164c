/** An element as the tests look at it. */
export interface XmlNode {
  name: string
  attributes: Record<string, string>
  children: XmlNode[]
  text: string
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

// What a document may hold by XML 1.0, section 2.2. The `u` flag keeps pairs of surrogates together.
const legal = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u

function decoded(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const character = name.startsWith('#x')
      ? String.fromCodePoint(Number.parseInt(name.slice(2), 16))
      : entities[name]
    if (character === undefined || !whole.endsWith(';')) throw new Error(`bad reference ${whole}`)
    return character
  })
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  const rest = text.replace(/\s+([\w-]+)="([^"<]*)"/g, (_whole, name: string, value: string) => {
    if (name in attributes) throw new Error(`attribute ${name} twice`)
    attributes[name] = decoded(value)
    return ''
  })
  if (rest.trim() !== '') throw new Error(`not an attribute: ${rest}`)
  return attributes
}

/**
 * Reads the part of XML that a JUnit report needs: elements, attributes and text.
 *
 * @throws Error where the text is not well-formed, or uses more than that
 */
export function readXml(xml: string): XmlNode {
  if (!legal.test(xml)) throw new Error('a character that XML 1.0 excludes')
  const root: XmlNode = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (const [, tag, text] of xml
    .replace(/^<\?xml[^>]*\?>/, '')
    .matchAll(/<((?:"[^"]*"|[^">])*)>|([^<]+)/g)) {
    const parent = open.at(-1)
    if (parent === undefined) throw new Error('more than one root')
    if (text !== undefined) {
      if (text.includes(']]>')) throw new Error(']]> in text')
      parent.text += decoded(text)
    } else if (tag?.startsWith('/')) {
      if (open.pop()?.name !== tag.slice(1)) throw new Error(`unexpected </${tag.slice(1)}>`)
    } else {
      const [, name = '', attributes = '', end] = /^([\w-]+)(.*?)(\/?)$/s.exec(tag ?? '') ?? []
      const node: XmlNode = { name, attributes: attributesOf(attributes), children: [], text: '' }
      parent.children.push(node)
      if (end !== '/') open.push(node)
    }
  }
  const [document] = root.children
  if (open.length !== 1 || root.children.length !== 1 || document === undefined) {
    throw new Error('not one closed root element')
  }
  return document
}

/** Every element of that name below the node, in document order. */
export function elements(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elements(child, name),
  ])
}
