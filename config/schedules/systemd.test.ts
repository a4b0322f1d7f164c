import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { enclosedCommand } from '../../lib/cli/enclosed-run.fixture.ts'
import { template } from './template.fixture.ts'

const service = template('plumbline@.service')
const timer = template('plumbline@.timer')
const alert = template('plumbline-alert@.service')
/** The service with the settings that are comments. */
const withAll = service.replaceAll(/^# (?=[A-Z]\w+=\S)/gm, '')

const judge = template('plumbline-judge@.service')

const probe = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' })

describe.skipIf(probe.status !== 0)('the units, to systemd', () => {
  /** Returns the messages of systemd about the units; an empty text if they are valid. */
  function verify(serviceText: string, timerText: string): string {
    const directory = temporaryDirectory()
    // The program is not installed at its path here.
    const text = serviceText.replace('ExecStart=/usr/bin/node', `ExecStart=${process.execPath}`)
    writeFileSync(join(directory, 'plumbline@staging.service'), text)
    writeFileSync(join(directory, 'plumbline@staging.timer'), timerText)
    writeFileSync(join(directory, 'plumbline-alert@staging.service'), alert)
    writeFileSync(join(directory, 'plumbline-judge@staging.service'), judge)
    writeFileSync(
      join(directory, 'plumbline-judge@staging.timer'),
      template('plumbline-judge@.timer'),
    )
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      [
        'verify',
        '--man=no',
        ...['@', '-alert@', '-judge@'].map((part) => `./plumbline${part}staging.service`),
        './plumbline@staging.timer',
        './plumbline-judge@staging.timer',
      ],
      { cwd: directory, encoding: 'utf8' },
    )
    // It verifies units of the machine too, which these name.
    const lines = `${stdout}${stderr}`.split('\n')
    return lines.filter((line) => line.includes('plumbline')).join('\n')
  }

  it('are valid, also with the settings that are comments', () => {
    for (const setting of ['PING_URL', '^ExecStopPost', '^ReadWritePaths']) {
      expect(withAll).toMatch(new RegExp(`${setting}=`, 'm'))
    }
    expect(verify(service, timer)).toBe('')
    expect(verify(withAll, timer)).toBe('')
  })

  it('are invalid with an unknown name or value', () => {
    expect(verify(service.replace('PrivateTmp=', 'PrivateTemp='), timer)).toContain('PrivateTemp')
    expect(verify(service, timer.replace('02:17', '25:17'))).toContain('25:17')
  })
})

it('the units run no command with more rights than their own', () => {
  const commands = [withAll, alert].flatMap((unit) => unit.match(/^Exec\w+=.*/gm) ?? [])
  expect(commands).toHaveLength(3)
  for (const command of commands) expect(command).toMatch(/^Exec\w+=\//)
})

it('the units pass secrets in a file of root, and not in the environment', () => {
  expect(service).toMatch(/^LoadCredential=deployment\.env:/m)
  expect(service).not.toMatch(/^(Environment=(?!MIN_JUDGED=)|EnvironmentFile=)/m)
})

it('a failure of the service starts the alert, which sends the journal to the address', () => {
  expect(service).toMatch(/^OnFailure=plumbline-alert@%i\.service$/m)
  const directory = temporaryDirectory()
  const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/ms.exec(alert) ?? []
  // systemd reads it in this way.
  const script = command
    .replaceAll('\\\n', ' ')
    .replaceAll('\\\\', '\\')
    .replaceAll('%%', '%')
    .replaceAll('%i', 'staging')
    .replace('/usr/sbin/sendmail', './sendmail')
  for (const [name, code] of Object.entries({
    sendmail: 'echo "$@" > mail.txt; cat >> mail.txt',
    journalctl: 'echo "$@"',
  })) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${code}\n`, { mode: 0o755 })
  }
  const PATH = `${directory}:${process.env.PATH}`
  spawnSync('sh', ['-c', script], { cwd: directory, env: { PATH, MAIL_TO: 'a@example.com' } })
  const [args, to, subject, , blank, journal] = readFileSync(
    join(directory, 'mail.txt'),
    'utf8',
  ).split('\n')
  expect([args, to, blank]).toEqual(['-t', 'To: a@example.com', ''])
  expect(subject).toMatch(/^Subject: .*staging/)
  expect(journal).toMatch(/^--unit plumbline@staging\.service /)
})

it('the service for recorded traffic judges the file of the day before, and sends nothing', async () => {
  expect(judge).toMatch(/^PrivateNetwork=yes$/m)
  const directory = temporaryDirectory()
  const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.*?)'$/ms.exec(judge) ?? []
  const script = command
    .replaceAll('\\\n', ' ')
    .replaceAll('%%', '%')
    .replaceAll('%i', 'staging')
    .replace('/usr/bin/node', './node')
  writeFileSync(join(directory, 'node'), '#!/bin/sh\nprintf "%s\\n" "$@" > words.txt\n', {
    mode: 0o755,
  })
  const env = { PATH: process.env.PATH, CREDENTIALS_DIRECTORY: '/run/credentials' }
  spawnSync('sh', ['-c', script], { cwd: directory, env })
  const [, , name, file, ...words] = readFileSync(join(directory, 'words.txt'), 'utf8').split('\n')
  expect(name).toBe('judge')
  const yesterday = new Date(Date.now() - 86_400_000)
  const day = [yesterday.getFullYear(), yesterday.getMonth() + 1, yesterday.getDate()]
  const date = day.map((part) => String(part).padStart(2, '0')).join('-')
  expect(file).toBe(`/var/lib/recordings/staging/${date}.har`)
  const { output } = await enclosedCommand(['judge', '--help'])
  const options = words.filter((word) => word.startsWith('--'))
  expect(options).toHaveLength(4)
  for (const option of options) expect(output).toMatch(new RegExp(`^ +${option}\\b`, 'm'))
})
