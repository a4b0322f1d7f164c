import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from './command.fixture.ts'

const COMMAND = fileURLToPath(new URL('plumbline.js', import.meta.url))
const LONGEST_MS = 120_000

/** A file system of its own needs rights that not everybody has. */
const mayMount =
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt']).status === 0

function contents(directory: string): Map<string, string> {
  const names = readdirSync(directory).sort()
  return new Map(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]))
}

/** Runs a shell script; `$RUN` is the command, and each call of it adds what it told to `told`. */
function shell(script: string, directory: string): { told: string } {
  const run = `NO_COLOR=1 '${process.execPath}' -- '${COMMAND}' run`
  execFileSync(
    'unshare',
    ['-rm', 'sh', '-ec', `run() { ${run} "$@" >>told 2>&1 && status=0 || status=$?; }\n${script}`],
    {
      cwd: directory,
      stdio: 'pipe',
    },
  )
  return { told: readFileSync(join(directory, 'told'), 'utf8') }
}

describe.skipIf(!mayMount)('a disk that is full', () => {
  it.each([
    ['that passes', '', '3', 'conformant: '],
    ['that fails', '--fault limit-not-lowered', '1', 'nonconformant: '],
  ])(
    'leaves the reports of the run before as they were, after a run %s',
    (_, args, status, verdict) => {
      const directory = temporaryDirectory()
      for (const name of ['disk', 'before', 'after']) mkdirSync(join(directory, name))
      const { told } = shell(
        `
          mount -t tmpfs -o size=16m none disk
          run --reports disk/reports --requirement code-hosting/settings
          cp disk/reports/* before
          # What is left is enough for one file, and not for all of them.
          free=$(df --output=avail -k disk | tail -1)
          head -c $(( (free - 200) * 1024 )) /dev/zero >disk/filler
          run --reports disk/reports ${args}
          echo "status $status" >>told
          cp disk/reports/* after
        `,
        directory,
      )

      expect(told).toContain(`status ${status}`)
      expect(told).toContain(verdict)
      expect(told).toMatch(
        /plumbline: Cannot write .*disk\/reports\/\S+: no space left on device \(ENOSPC\)\. .*--reports/,
      )
      expect(contents(join(directory, 'before')).size).toBeGreaterThan(3)
      expect(contents(join(directory, 'after'))).toEqual(contents(join(directory, 'before')))
      expect(told).not.toMatch(/\n\s+at .*:\d+:\d+/)
    },
    LONGEST_MS,
  )

  it(
    'from the beginning keeps the run from making what it could not note',
    () => {
      const directory = temporaryDirectory()
      mkdirSync(join(directory, 'disk'))
      const { told } = shell(
        `
          mount -t tmpfs -o size=64k none disk
          mkdir disk/reports
          cat /dev/zero >disk/filler 2>/dev/null || true
          run --reports disk/reports
          echo "status $status" >>told
          ls disk/reports >>told
        `,
        directory,
      )

      expect(told).toMatch(/status 3\n$/)
      expect(told).toContain('nothing is created that cannot be noted in')
      expect(told).not.toContain('defect of Plumbline')
    },
    LONGEST_MS,
  )
})

describe('a limit on the size of files', () => {
  it(
    'is told like a full disk, and no temporary file stays',
    () => {
      const directory = temporaryDirectory()
      const outcome = spawnSync(
        'bash',
        ['-c', `ulimit -f 100; exec '${process.execPath}' -- '${COMMAND}' run --reports reports`],
        { cwd: directory, encoding: 'utf8' },
      )

      expect(outcome.status).toBe(3)
      expect(outcome.stderr).toMatch(/Cannot write \S+: file too large \(EFBIG\)/)
      expect(outcome.stdout).toContain('conformant: ')
      expect(readdirSync(join(directory, 'reports'))).toEqual([])
    },
    LONGEST_MS,
  )
})
