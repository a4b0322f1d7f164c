import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { Language, type Node, Parser } from 'web-tree-sitter'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
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

  it('clears the workspace of what could pass for the reports of a run, and keeps ledgers', () => {
    const [, script = ''] = /sh '''\n(\s+mkdir .*?)'''/s.exec(text) ?? []
    const directory = temporaryDirectory()
    const env = { ...process.env, DEPLOYMENT: 'staging' }
    const clear = () => execFileSync('sh', ['-ec', script], { cwd: directory, env })

    clear()
    expect(readdirSync(directory)).toEqual(['staging'])
    for (const name of ['report.json', 'junit.xml', 'ledger-20260105t0300-a1.ndjson']) {
      writeFileSync(join(directory, 'staging', name), '')
    }
    mkdirSync(join(directory, 'waivers'))
    writeFileSync(join(directory, 'waivers', 'staging.yaml'), '')
    clear()
    expect(readdirSync(directory, { recursive: true }).toSorted()).toEqual([
      'staging',
      'staging/ledger-20260105t0300-a1.ndjson',
      'waivers',
      'waivers/staging.yaml',
    ])
  })

  it('fetches the results of every deployment', () => {
    const [, deployments = ''] = /\bvalues (.*)/.exec(text) ?? []
    const fetched = [...text.matchAll(/\bunstash ('\w+')/g)].map(([, name]) => name)

    expect(fetched.join(', ')).toBe(deployments)
  })
})
