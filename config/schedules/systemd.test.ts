import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { template } from './template.fixture.ts'

const service = template('plumbline@.service')
const timer = template('plumbline@.timer')

const probe = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' })

describe.skipIf(probe.status !== 0)('the units, to systemd', () => {
  /** Returns the messages of systemd about the units; an empty text if they are valid. */
  function verify(serviceText: string, timerText: string): string {
    const directory = temporaryDirectory()
    // The program is not installed at its path here.
    const text = serviceText.replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`)
    writeFileSync(join(directory, 'plumbline@staging.service'), text)
    writeFileSync(join(directory, 'plumbline@staging.timer'), timerText)
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', './plumbline@staging.service', './plumbline@staging.timer'],
      { cwd: directory, encoding: 'utf8' },
    )
    // It also checks units of the machine that these name.
    const lines = `${stdout}${stderr}`.split('\n')
    return lines.filter((line) => line.includes('plumbline')).join('\n')
  }

  it('are valid, also with a certificate authority', () => {
    const withAuthority = service.replace('# Environment=NODE_EXTRA', 'Environment=NODE_EXTRA')
    expect(withAuthority).toMatch(/^Environment=NODE_EXTRA_CA_CERTS=\//m)
    expect(verify(service, timer)).toBe('')
    expect(verify(withAuthority, timer)).toBe('')
  })

  it('are invalid with an unknown name or value', () => {
    expect(verify(service.replace('PrivateTmp=', 'PrivateTemp='), timer)).toContain('PrivateTemp')
    expect(verify(service, timer.replace('02:17', '25:17'))).toContain('25:17')
  })
})

it('the units pass secrets in a file of root, not in the environment', () => {
  expect(service).toMatch(/^LoadCredential=deployment\.env:/m)
  expect(service).not.toMatch(/^(Environment=(?!MIN_JUDGED=)|EnvironmentFile=)/m)
})
