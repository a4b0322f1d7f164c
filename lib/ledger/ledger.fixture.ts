import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CreatedResource } from './ledger.ts'

export const run = '20261120t1448-a1b2c3'

export const creation: CreatedResource = {
  kind: 'access token',
  name: `plumbline-${run}-all`,
  account: 'maria',
  service: 'code-hosting',
  baseUrl: 'https://git.example.com',
}

/** Creates a directory for the ledger of the run, which is deleted after the test; returns the ledger's path. */
export function ledgerPath(): string {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, `ledger-${run}.ndjson`)
}
