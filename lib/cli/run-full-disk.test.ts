import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMAND, temporaryDirectory } from './command.fixture.ts'

const mayMount =
  spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt']).status === 0

/** Runs a shell script with the command `run` and a file system `disk` of this size, and returns the output. */
function reported(size: string, script: string, directory = temporaryDirectory()): string {
  const run = `NO_COLOR=1 '${process.execPath}' -- '${COMMAND}' run`
  const shell = `
    run() { ${run} --reports disk/reports "$@" >>output 2>&1 && status=0 || status=$?; }
    mkdir disk
    mount -t tmpfs -o size=${size} none disk
    mkdir disk/reports
    ${script}
    echo "status $status" >>output
    cp -r disk/reports after`
  execFileSync('unshare', ['-rm', 'sh', '-ec', shell], { cwd: directory, stdio: 'pipe' })
  return readFileSync(join(directory, 'output'), 'utf8')
}

describe.skipIf(!mayMount)('a disk that is full', () => {
  it('keeps the previous reports and the exit status 1', () => {
    const directory = temporaryDirectory()
    const text = reported(
      '16m',
      `
        for name in report.json junit.xml report.html; do echo before >disk/reports/$name; done
        # The remaining space is enough for one file only.
        free=$(df --output=avail -k disk | tail -1)
        head -c $(( (free - 48) * 1024 )) /dev/zero >disk/filler
        run --service incident-status --fault incident-update-redirected`,
      directory,
    )
    const after = join(directory, 'after')

    expect(text).toMatch(/\nstatus 1\n$/)
    expect(text).toContain('nonconformant: ')
    expect(text).toMatch(/plumbline: .*disk\/reports\/\S+: .*\(ENOSPC\)\. .*--reports/)
    expect(text).not.toMatch(/\n\s+at .*:\d+:\d+/)
    expect(readdirSync(after).sort()).toEqual(['junit.xml', 'report.html', 'report.json'])
    for (const name of readdirSync(after)) {
      expect(readFileSync(join(after, name), 'utf8')).toBe('before\n')
    }
  })

  it('from the start prevents resources that the ledger cannot record', () => {
    const text = reported(
      '64k',
      'cat /dev/zero >disk/filler 2>/dev/null || true; run --requirement tokens',
    )

    expect(text).toMatch(/\nstatus 3\n$/)
    expect(text).toMatch(/ created .* noted /)
    expect(text).not.toContain('internal error')
  })
})

it('a limit on file size is reported like a full disk, and no temporary file remains', () => {
  const directory = temporaryDirectory()
  const outcome = spawnSync(
    'bash',
    [
      '-c',
      `ulimit -f 20; exec '${process.execPath}' -- '${COMMAND}' run --service incident-status`,
    ],
    { cwd: directory, encoding: 'utf8' },
  )

  expect(outcome.status).toBe(3)
  expect(outcome.stderr).toMatch(/ \S+: .*\(EFBIG\)/)
  expect(outcome.stdout).toContain('conformant: ')
  expect(readdirSync(join(directory, 'reports/reference'))).toEqual([])
})
