import { join } from 'node:path'
import { testDirectory } from '../text/test-directory.fixture.ts'
import type { CreatedResource } from './ledger.ts'

export const run = '20261120t1448-a1b2c3'

export const creation: CreatedResource = {
  kind: 'access token',
  name: `plumbline-${run}-all`,
  account: 'maria',
  service: 'code-hosting',
  baseUrl: 'https://git.example.com',
}

/** Returns a path for the ledger of the run, in a directory of the test. */
export const ledgerPath = (): string => join(testDirectory(), `ledger-${run}.ndjson`)
