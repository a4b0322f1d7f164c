import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { template } from './template.fixture.ts'

const text = template('Jenkinsfile')

/** Returns the brackets and quotes of Groovy that have no partner. */
function unclosed(groovy: string): string {
  const strings = /'''.*?'''|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*/gs
  let rest = groovy.replace(strings, '').replace(/[^()[\]{}'"]/g, '')
  const isPair = /\(\)|\[\]|\{\}/g
  while (isPair.test(rest)) rest = rest.replace(isPair, '')
  return rest
}

describe('the Jenkinsfile', () => {
  it('closes every string and bracket that it opens', () => {
    expect(unclosed(text)).toBe('')
    expect(unclosed(text.replace("cron('H 2 * * *')", "cron('H 2 * * *'"))).not.toBe('')
    expect(unclosed(text.replace("'staging', ", "'staging, "))).not.toBe('')
  })

  it('deletes the reports of earlier runs, and keeps ledgers', () => {
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

  it('creates the page of all deployments although one has no report', () => {
    const [, run = '', fleet = ''] = text.split(/\bstage\('(?:Run|Fleet)'\)/)
    expect(run.indexOf('catchError')).toBeLessThan(run.indexOf('npm ci'))
    expect(fleet.match(/\bunstash\b/g)).toEqual(
      fleet.match(/catchError\([^)]*\) \{ unstash\b/g)?.map(() => 'unstash'),
    )
    expect(fleet).toContain('merge --allow-missing ')
  })
})
