import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Inconclusive, inconclusive } from '../conformance/check-errors.ts'
import { creation, ledgerPath, run } from './ledger.fixture.ts'
import { appendLine, openLedger } from './ledger.ts'

let directory = ''
let file = ''

beforeEach(() => {
  file = ledgerPath()
  directory = dirname(file)
})

/** Returns the events of the ledger after its first line. */
function events(): unknown[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.slice(1).map((line) => JSON.parse(line).event)
}

describe('openLedger', () => {
  it('writes the intent to disk immediately, without secrets', () => {
    const detailed = { ...creation, value: 'secret-value', credentials: 'Basic bWFyaWE6c2VjcmV0' }
    openLedger(file, run).recordIntent(detailed)
    const [begun, line] = readFileSync(file, 'utf8').split('\n')
    const at = expect.stringMatching(/^\d{4}-.*Z$/)
    const writer = { process: process.pid, host: hostname() }
    expect(JSON.parse(begun ?? '')).toEqual({ run, at, event: 'started', ...writer })
    expect(JSON.parse(line ?? '')).toEqual({ run, at, event: 'intended', ...creation })
  })

  it('deletes the file when all resources are deleted, also of the same name', () => {
    const ledger = openLedger(file, run)
    const [one, other] = [{ ...creation }, { ...creation }]
    ledger.recordIntent(one)
    ledger.recordIntent(other)
    ledger.recordDeleted(one)
    ledger.recordDeleted(one)
    ledger.close()
    expect(ledger.outstanding(creation.service)).toEqual([other])
    expect(events()).toEqual(['intended', 'intended', 'deleted'])
    ledger.recordDeleted(other)
    ledger.close()
    expect(existsSync(file)).toBe(false)
  })

  it('is inconclusive if it cannot record an intent, and creates no directory', () => {
    const elsewhere = join(directory, 'misspelt', 'ledger.ndjson')
    const ledger = openLedger(elsewhere, run, false, inconclusive)
    expect(() => ledger.recordIntent({ ...creation })).toThrow(Inconclusive)
    expect(() => ledger.recordIntent({ ...creation })).toThrow(elsewhere)
    expect(ledger.outstanding(creation.service)).toEqual([])
    expect(existsSync(join(directory, 'misspelt'))).toBe(false)
  })

  it('rejects a symbolic link, which another user may have created', () => {
    const own = join(directory, 'own')
    const ledger = openLedger(file, run, false, inconclusive)
    const one = { ...creation }
    ledger.recordIntent(one)
    writeFileSync(own, 'mine')
    rmSync(file)
    symlinkSync(own, file)
    expect(() => ledger.recordIntent({ ...creation })).toThrow(Inconclusive)
    expect(() => appendLine(file, run, 'swept', creation)).toThrow(/ELOOP/)
    expect(readFileSync(own, 'utf8')).toBe('mine')
  })

  it('lets a resource be deleted although that cannot be written', () => {
    const ledger = openLedger(file, run)
    const one = { ...creation }
    ledger.recordIntent(one)
    rmSync(file)
    mkdirSync(file)
    ledger.recordDeleted(one)
    expect(ledger.outstanding(creation.service)).toEqual([])
  })
})
