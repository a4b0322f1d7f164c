import type { TestCase } from 'junit-report-builder'
import { printableText } from './printable.ts'

type XmlElement = ReturnType<TestCase['build']>

/** What the library builds an element from: a suite or a case. */
interface Buildable {
  build(parent: XmlElement): XmlElement
}

// Readers take what these marks enclose for the path of a file to attach, or for a property: text
// from a deployment could have a file of the CI server published.
const markOfReader = /\[\[(?=(?:ATTACHMENT|PROPERTY)\b)/gi

/** As `printableText`; what a reader of JUnit XML would obey is written out as well. */
export function inertText(text: string): string {
  return printableText(text).replace(markOfReader, '[\\u005b')
}

/**
 * Finishes an element that the library builds. It gives `skipped` no message and ends a CDATA section
 * at the second `]]>` of its text; text that xmlbuilder escapes needs neither.
 */
export function onceBuilt(node: Buildable, finish: (element: XmlElement) => void): void {
  const build = node.build.bind(node)
  node.build = (parent) => {
    const element = build(parent)
    finish(element)
    return element
  }
}

/** The element of a case that was added last: its outcome. */
export function outcomeOf(element: XmlElement): XmlElement['children'][number] | undefined {
  return element.children.at(-1)
}

/** Has a case skipped, with a message on one line. */
export function skipCase(testCase: TestCase, message: string): void {
  testCase.skipped()
  onceBuilt(testCase, (element) => outcomeOf(element)?.attribute('message', message))
}

/** Has a case failed, with a message on one line and a text behind it. */
export function failCase(testCase: TestCase, message: string, type: string, text: string): void {
  testCase.failure(message, type)
  onceBuilt(testCase, (element) => outcomeOf(element)?.text(inertText(text)))
}
