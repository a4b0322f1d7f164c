import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { template } from './template.fixture.ts'

const jenkins = template('Jenkinsfile')
const service = template('plumbline@.service')
const alert = template('plumbline-alert@.service')
/** The service with the settings that are comments. */
const withSettings = service.replaceAll(/^# (?=[A-Z]\w+=\S)/gm, '')

/** Runs the shell script of a unit as systemd reads it, with these programs of the folder. */
function runUnit(unit: string, programs: Record<string, string>, env: Record<string, string>) {
  const directory = temporaryDirectory()
  const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.*?)'$/ms.exec(unit) ?? []
  const script = command
    .replaceAll('\\\n', ' ')
    .replaceAll('\\\\', '\\')
    .replaceAll('%%', '%')
    .replaceAll('%i', 'staging')
    .replace(/\/usr\/s?bin\/(?=node|sendmail)/, './')
  for (const [name, code] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 })
  }
  const PATH = `${directory}:${process.env.PATH}`
  spawnSync('sh', ['-c', script], { cwd: directory, env: { PATH, ...env } })
  return readFileSync(join(directory, 'written.txt'), 'utf8').split('\n')
}

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

it('the units run no command with more rights than their own', () => {
  const commands = [withSettings, alert].flatMap((unit) => unit.match(/^Exec\w+=.*/gm) ?? [])
  expect(commands).toHaveLength(3)
  for (const command of commands) expect(command).toMatch(/^Exec\w+=\//)
})

it('a failure of the service starts the alert, which sends the journal to the address', () => {
  expect(service).toMatch(/^OnFailure=plumbline-alert@%i\.service$/m)
  const programs = {
    sendmail: 'echo "$@" > written.txt; cat >> written.txt',
    journalctl: 'echo "$@"',
  }
  const lines = runUnit(alert, programs, { MAIL_TO: 'a@example.com' })
  const [args, to, subject, , blank, journal] = lines
  expect([args, to, blank]).toEqual(['-t', 'To: a@example.com', ''])
  expect(subject).toMatch(/^Subject: .*staging/)
  expect(journal).toMatch(/^--unit plumbline@staging\.service /)
})
