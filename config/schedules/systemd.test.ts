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
  /** What systemd says of the units of a deployment named staging; an empty text when all is well. */
  function verify(serviceText: string, timerText: string): string {
    const directory = temporaryDirectory()
    // The program need not be where it will be.
    const text = serviceText.replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`)
    writeFileSync(join(directory, 'plumbline@staging.service'), text)
    writeFileSync(join(directory, 'plumbline@staging.timer'), timerText)
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', './plumbline@staging.service', './plumbline@staging.timer'],
      { cwd: directory, encoding: 'utf8' },
    )
    // It looks at the units of the machine too that these name.
    const said = `${stdout}${stderr}`.split('\n')
    return said.filter((line) => line.includes('plumbline')).join('\n')
  }

  it('are right', () => {
    expect(verify(service, timer)).toBe('')
  })

  it('would not be with a name or a value that it does not know', () => {
    expect(verify(service.replace('PrivateTmp=', 'PrivateTemp='), timer)).toContain('PrivateTemp')
    expect(verify(service, timer.replace('02:17', '25:17'))).toContain('25:17')
  })
})

it('the units hand over secrets in a file of root, and not in the environment', () => {
  expect(service).toMatch(/^LoadCredential=deployment\.env:/m)
  expect(service).not.toMatch(/^(Environment=(?!MIN_JUDGED=)|EnvironmentFile=)/m)
})
