import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Creation, openLedger } from './ledger.ts'
import { Inconclusive } from './outcome.ts'

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

function allLines(): Record<string, unknown>[] {
  const text = readFileSync(file, 'utf8').trimEnd()
  return text.split('\n').map((line) => JSON.parse(line))
}

/** Those about what is created. */
function lines(): Record<string, unknown>[] {
  return allLines().slice(1)
}

describe('the ledger', () => {
  it('has a creation on disk as soon as it is intended', () => {
    openLedger(file, 'run7').intend({ ...creation })
    expect(lines()).toEqual([
      { run: 'run7', at: expect.stringMatching(/^\d{4}-.*Z$/), event: 'intended', ...creation },
    ])
  })

  it('says first whose it is', () => {
    openLedger(file, 'run7').intend({ ...creation })
    expect(allLines()[0]).toEqual({
      run: 'run7',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      event: 'begun',
      process: process.pid,
      host: hostname(),
    })
    rmSync(file)
    openLedger(file, 'run7', true).intend({ ...creation })
    expect(allLines()[0]).toMatchObject({ event: 'begun', embedded: true })
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
})

describe('a ledger that cannot be written', () => {
  it('lets nothing be made that it could not note', () => {
    writeFileSync(join(directory, 'reports'), 'a file where the directory should be')
    const ledger = openLedger(file, 'run7')
    expect(() => ledger.intend({ ...creation })).toThrow(Inconclusive)
    expect(() => ledger.intend({ ...creation })).toThrow(`cannot be noted in ${file} first: E`)
    expect(ledger.outstanding()).toEqual([])
  })

  it('does not keep anything from being taken away', () => {
    const ledger = openLedger(file, 'run7')
    const one = { ...creation }
    ledger.intend(one)
    rmSync(file)
    mkdirSync(file)
    ledger.settle(one)
    expect(ledger.outstanding()).toEqual([])
  })
})
