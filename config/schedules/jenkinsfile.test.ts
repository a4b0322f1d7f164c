import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import { Language, type Node, Parser } from 'web-tree-sitter'
import { template } from './template.fixture.ts'

const text = template('Jenkinsfile')

/** The calls in a node, with and without parentheses, from the outside in: `pipeline/stages/stage`. */
function callsBelow(node: Node, path = ''): string[] {
  const isCall = ['method_invocation', 'juxt_function_call'].includes(node.type)
  const name = isCall ? node.childForFieldName('name')?.text : undefined
  const own = name === undefined ? path : `${path}/${name}`
  const below = node.namedChildren.flatMap((child) => (child ? callsBelow(child, own) : []))
  return name === undefined ? below : [own.slice(1), ...below]
}

describe('the Jenkinsfile', () => {
  let parse: (source: string) => Node

  beforeAll(async () => {
    await Parser.init()
    const grammar = createRequire(import.meta.url).resolve(
      'tree-sitter-groovy/tree-sitter-groovy.wasm',
    )
    const parser = new Parser().setLanguage(await Language.load(grammar))
    parse = (source) => {
      const tree = parser.parse(source)
      if (tree === null) throw new Error('the parser gave up')
      return tree.rootNode
    }
  })

  it('is Groovy', () => {
    expect(parse(text).hasError).toBe(false)
    expect(parse(text.replace("cron('H 2 * * *')", "cron('H 2 * * *'")).hasError).toBe(true)
    expect(parse(text.trimEnd().slice(0, -1)).hasError).toBe(true)
  })

  it('is a declarative pipeline', () => {
    const calls = callsBelow(parse(text))

    for (const path of [
      'pipeline/triggers/cron',
      'pipeline/options/timeout',
      'pipeline/stages/stage/matrix/axes/axis',
      'pipeline/stages/stage/matrix/agent/docker/image',
      'pipeline/stages/stage/matrix/stages/stage/steps/catchError/withCredentials/sh',
      'pipeline/stages/stage/matrix/stages/stage/post/always/junit',
      'pipeline/stages/stage/matrix/stages/stage/post/always/archiveArtifacts',
      'pipeline/stages/stage/steps/unstash',
    ]) {
      expect(calls).toContain(path)
    }
  })

  it('fetches the results of every deployment', () => {
    const [, deployments = ''] = /\bvalues (.*)/.exec(text) ?? []
    const fetched = [...text.matchAll(/\bunstash ('\w+')/g)].map(([, name]) => name)

    expect(fetched.join(', ')).toBe(deployments)
  })
})
