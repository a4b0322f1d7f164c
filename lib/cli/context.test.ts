import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { formatCommand } from '../reports/report-text.ts'
import { styleOf } from '../reports/terminal-document.ts'
import { COMMAND, cleanEnvironment, plumbline, resultOf } from './command.fixture.ts'
import { programOf, waitForInterruption } from './context.ts'

it('waitForInterruption resolves on a signal; another one ends the process unless npm repeats it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  const on = vi.spyOn(process, 'on').mockReturnThis()
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const interrupted = waitForInterruption('Coming to an end.')
  expect(on.mock.calls.map(([signal]) => signal)).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP'])
  const signal = () => on.mock.calls[0]?.[1]('SIGINT')
  signal()
  await interrupted
  expect(write).toHaveBeenCalledExactlyOnceWith('\nComing to an end.\n')
  vi.advanceTimersByTime(50)
  signal()
  expect(exit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  signal()
  expect(exit.mock.calls).toEqual([[3]])
})

const npm = { npm_package_name: 'plumbline', npm_lifecycle_event: 'start' }
const npx = { npm_command: 'exec', npm_lifecycle_event: 'npx' }

it.each<[NodeJS.ProcessEnv, script: string, program: string]>([
  [npm, '/here/lib/cli/plumbline.js', 'npm run plumbline --'],
  // The command of another script is unknown.
  [{ ...npm, npm_lifecycle_event: 'test' }, '/here/x/plumbline.js', 'node -- x/plumbline.js'],
  [{ ...npm, npm_package_name: 'own' }, '/here/bin/plumbline', 'bin/plumbline'],
  [npx, '/here/node_modules/.bin/plumbline', 'npx -- plumbline'],
  [{}, '/opt/bin/plumbline', '/opt/bin/plumbline'],
  [{}, '/opt/plumbline/lib/cli/plumbline.js', 'node -- /opt/plumbline/lib/cli/plumbline.js'],
  [{}, "/here/it's/plumbline.js", "node -- 'it'\\''s/plumbline.js'"],
  [npx, '/here/node_modules/vitest/vitest.mjs', 'npm run plumbline --'],
])('programOf %j with %s is %s', (environment, script, program) => {
  expect(programOf(environment, script, '/here')).toBe(program)
})

it.each([
  ['run', 'npm start'],
  ['sweep', 'npm run plumbline -- sweep'],
  ['run --format json > run.json', 'npm start --silent -- --format json > run.json'],
  ['compare a b --format markdown', 'npm run --silent plumbline -- compare a b --format markdown'],
])('a checkout has %s as %s', (command, text) => {
  expect(formatCommand(command, 'npm run plumbline --')).toBe(text)
})

it('a printed command can be pasted where the run was started', async () => {
  const requirement = 'incident-status/updates/accepted'
  const fault = 'incident-update-redirected'
  const words = ['run', '--service', 'incident-status', '--requirement', requirement]
  const { status, output, directory, report } = await plumbline([...words, '--fault', fault])
  const [, printed = ''] = /^ {5}(\S.* run --requirement .*)$/m.exec(output) ?? []
  const again = spawnSync('sh', ['-c', printed], { cwd: directory, env: cleanEnvironment() })
  const text = readFileSync(join(directory, 'reports/reference/again/report.json'), 'utf8')

  expect([status, again.status]).toEqual([1, 1])
  expect(report.run.program).toBe(`node -- ${COMMAND}`)
  expect(resultOf({ report: JSON.parse(text) }, requirement).verdict).toBe('fail')
})

it.each([
  [{ isTTY: true, columns: 90 }, undefined, 90],
  [{ isTTY: true }, '', 80],
  [{ isTTY: true, columns: 90 }, '70', 70],
  [{}, 'many', Number.POSITIVE_INFINITY],
])('a stream %j with COLUMNS=%s has %d columns', (stream, COLUMNS, columns) => {
  const output = { write() {}, ...stream }
  expect(styleOf({ output, environment: { COLUMNS } }).width).toBe(columns)
})
