import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { template } from './template.fixture.ts'

const jenkins = template('Jenkinsfile')
it('the Jenkinsfile deletes the reports of earlier runs, and keeps ledgers', () => {
  const [, script = ''] = /sh '''\n(\s+mkdir .*?)'''/s.exec(jenkins) ?? []
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
