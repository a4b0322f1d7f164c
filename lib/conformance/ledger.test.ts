import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Creation, openLedger } from './ledger.ts'

const creation: Creation = {
  kind: 'access token',
  name: 'plumbline-run7-all',
  account: 'maria',
  service: 'code-hosting',
  baseUrl: 'https://git.example.com',
}

let directory = ''
let file = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'))
  file = join(directory, 'reports', 'ledger.ndjson')
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

function lines(): Record<string, unknown>[] {
  const text = readFileSync(file, 'utf8').trimEnd()
  return text.split('\n').map((line) => JSON.parse(line))
}

describe('the ledger', () => {
  it('leaves no file when nothing is created', () => {
    openLedger(file, 'run7').close()
    expect(existsSync(file)).toBe(false)
  })

  it('has a creation on disk as soon as it is intended', () => {
    openLedger(file, 'run7').intend({ ...creation })
    expect(lines()).toEqual([
      { run: 'run7', at: expect.stringMatching(/^\d{4}-.*Z$/), event: 'intended', ...creation },
    ])
  })

  it('holds no credentials, whatever else the creation carries', () => {
    const owner = { username: 'maria', credentials: 'Basic bWFyaWE6c2VjcmV0' }
    const carrying = { ...creation, owner, value: 'secret-value' }
    const ledger = openLedger(file, 'run7')
    ledger.intend(carrying)
    ledger.settle(carrying)
    expect(readFileSync(file, 'utf8')).not.toMatch(/bWFyaWE6|secret|credentials/)
  })

  it('goes when everything has gone', () => {
    const ledger = openLedger(file, 'run7')
    const [one, other] = [{ ...creation }, { ...creation, name: 'other' }]
    ledger.intend(one)
    ledger.intend(other)
    ledger.settle(one)
    expect(ledger.outstanding()).toEqual([other])
    ledger.settle(other)
    expect(lines().map(({ event, name }) => [event, name])).toEqual([
      ['intended', creation.name],
      ['intended', 'other'],
      ['gone', creation.name],
      ['gone', 'other'],
    ])
    ledger.close()
    expect(existsSync(file)).toBe(false)
  })

  it('stays when something is left behind', () => {
    const ledger = openLedger(file, 'run7')
    ledger.intend({ ...creation })
    ledger.close()
    expect(lines()).toHaveLength(1)
  })

  it('tells creations of the same name apart, and notes that one has gone only once', () => {
    const ledger = openLedger(file, 'run7')
    const [one, other] = [{ ...creation }, { ...creation }]
    ledger.intend(one)
    ledger.intend(other)
    ledger.settle(one)
    ledger.settle(one)
    expect(ledger.outstanding()).toEqual([other])
    expect(lines()).toHaveLength(3)
  })

  it('keeps count without a file', () => {
    const ledger = openLedger(undefined, 'run7')
    const one = { ...creation }
    ledger.intend(one)
    expect(ledger.outstanding()).toEqual([one])
    ledger.settle(one)
    ledger.close()
    expect(ledger.outstanding()).toEqual([])
  })
})
