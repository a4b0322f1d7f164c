import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
