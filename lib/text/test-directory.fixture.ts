import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a directory that exists until the end of the test. */
export function testDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
