import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Language, Parser } from 'web-tree-sitter'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { template } from './template.fixture.ts'

const text = template('Jenkinsfile')

describe('the Jenkinsfile', () => {
  it('is Groovy', async () => {
    await Parser.init()
    const grammar = createRequire(import.meta.url).resolve(
      'tree-sitter-groovy/tree-sitter-groovy.wasm',
    )
    const parser = new Parser().setLanguage(await Language.load(grammar))
    const hasError = (source: string) => parser.parse(source)?.rootNode.hasError
    expect(hasError(text)).toBe(false)
    expect(hasError(text.replace("cron('H 2 * * *')", "cron('H 2 * * *'"))).toBe(true)
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
