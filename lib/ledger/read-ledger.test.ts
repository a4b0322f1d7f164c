import { symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { creation, ledgerPath, run } from './ledger.fixture.ts'
import { appendLine, openLedger, UNNAMED } from './ledger.ts'
import { findOpenLedgers, ledgerRunId, readLedger, readOutstanding } from './read-ledger.ts'

const now = Date.parse('2026-11-20T15:00:00Z')
const otherRun = '20261120t1448-ffffff'

/** Resource without a confirmation. */
const unconfirmed = { ...creation, unconfirmed: true }

const intended = { run, at: '2026-11-20T14:48:00Z', event: 'intended', ...creation }

const { service, kind, name, account } = creation
const creationsOf = new Map([[service, { kinds: [kind] }]])

let file = ''

beforeEach(() => {
  file = ledgerPath()
})

function read(...lines: (object | string)[]) {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(file, texts.join('\n'))
  return readLedger(file, creationsOf, now)
}

describe('readLedger', () => {
  it('returns the outstanding resources and their accounts', () => {
    const ledger = openLedger(file, run, true)
    const [one, other] = [{ ...creation }, { ...creation, name: `plumbline-${run}-read-user` }]
    ledger.recordIntent(one)
    ledger.recordIntent(other)
    ledger.recordDeleted(one)
    expect(readLedger(file, creationsOf)).toEqual({
      run,
      outstanding: [{ ...other, unconfirmed: true }],
      unknownLines: 0,
      embedded: true,
      obstacle: expect.stringContaining(` ${process.pid} `),
    })
    appendLine(file, run, 'swept', other)
    expect(readLedger(file, creationsOf).outstanding).toEqual([])
  })

  it.each<[number, object | string]>([
    ...['\n\n', '{"run":"2026', 'null', '17', '\u0000\u001b[31m', '{'.repeat(100_000)].map(
      (text): [number, string] => [0, text],
    ),
    ...[
      { name: 'deploy-key' },
      { name: `plumbline-${otherRun}-all` },
      { name: `plumbline-${run}-` },
      { name: `plumbline-${run}-/../../other` },
      { name: `plumbline-${run}-all\nx` },
      { name: 7 },
      { run: otherRun },
      { kind: 'repository' },
      { service: 'incident-status' },
      { baseUrl: 'git.example.com' },
      { account: '' },
      { account: { toString: 'maria' } },
      { event: 'delete' },
    ].map((parts): [number, object] => [1, { ...intended, ...parts }]),
    [1, JSON.parse('{"__proto__":{"run":"x"}}')],
  ])('counts %i unknown lines, and takes no harm from %j', (count, line) => {
    const { outstanding, unknownLines } = read(line, intended)
    expect([outstanding, unknownLines]).toEqual([[unconfirmed], count])
  })

  it('distinguishes base URLs and accounts of the same name', () => {
    const elsewhere = { ...unconfirmed, baseUrl: 'https://other.example.com' }
    const otto = { ...unconfirmed, account: 'otto' }
    const deleted = { ...intended, event: 'deleted' }
    const lines = [intended, { ...intended, ...elsewhere }, { ...intended, ...otto }, deleted]
    expect(read(...lines).outstanding).toEqual([elsewhere, otto])
  })

  it.each(['ledger-../x.ndjson', `ledger-${run}.ndjson.bak`])('is none by the name %s', (name) => {
    expect(ledgerRunId(name)).toBeUndefined()
    expect(readLedger(join(dirname(file), name), creationsOf).obstacle).toBeDefined()
  })

  it('rejects a missing and a too large file', () => {
    expect(readLedger(file, creationsOf).obstacle).toContain('does not exist')
    writeFileSync(file, 'x'.repeat(33_000_000))
    expect(readLedger(file, creationsOf).obstacle).toBeDefined()
  })
})

it('readOutstanding returns resources that were not deleted; unconfirmed until a response', () => {
  const resource = { kind, name, account }
  const ledger = openLedger(file, run)
  const [one, same, other] = [{ ...creation }, { ...creation }, { ...creation, account: 'otto' }]
  ledger.recordIntent(one)
  ledger.recordCreated(one)
  for (const each of [same, other]) ledger.recordIntent(each)
  expect(readOutstanding(file, creationsOf)).toEqual([
    resource,
    { ...resource, unconfirmed: true },
    { ...resource, account: 'otto', unconfirmed: true },
  ])
  ledger.recordDeleted(same)
  ledger.recordDeleted(other)
  expect(readOutstanding(file, creationsOf)).toEqual([resource])
})

it('readOutstanding returns each name of a run, and no name that others may use', () => {
  const ledger = openLedger(file, run)
  const names = [`plumbline-${run}-a-b`, `plumbline-${run}-token-`, '1234567890', 'deploy-key']
  for (const name of names) ledger.recordIntent({ ...creation, name })
  expect(readOutstanding(file, creationsOf).map((one) => one.name)).toEqual([
    ...names.slice(0, 2),
    UNNAMED,
    UNNAMED,
  ])
})

describe('a run', () => {
  const begun = { run, at: intended.at, event: 'started', host: hostname() }
  const activeReason = (line: object) => read(line, intended).obstacle
  // Larger than any process id.
  const unusedId = 2 ** 30

  it('is active while its process is running', () => {
    expect(activeReason({ ...begun, process: process.pid })).toContain(`${process.pid}`)
    expect(activeReason({ ...begun, process: unusedId })).toBeUndefined()
  })

  it.each([
    ['on another machine', { host: 'elsewhere.example', process: unusedId }],
    ['without a process id', { process: '../../1' }],
    ['with an invalid process id', { process: -1 }],
  ])('is active %s until an hour after its last line', (_, parts) => {
    expect(activeReason({ ...begun, ...parts })).toMatch(/ hour /)
    const earlier = { ...intended, at: '2026-11-20T13:00:00Z' }
    expect(read({ ...begun, ...parts, at: earlier.at }, earlier).obstacle).toBeUndefined()
  })
})

describe('findOpenLedgers', () => {
  const find = () =>
    findOpenLedgers(dirname(file), 'shown', creationsOf).map((one) => [one.file, one.resources])
  const name = `ledger-${run}.ndjson`

  it('returns the ledgers of ended runs with their resources', () => {
    const line = JSON.stringify(intended)
    const other = JSON.stringify({ ...intended, name: `plumbline-${run}-other` })
    writeFileSync(file, `${line}\n${other}`)
    symlinkSync(name, join(dirname(file), 'ledger-20260203t0405-abcdef.ndjson'))
    expect(find()).toEqual([[`shown/${name}`, 2]])
  })

  it('returns no ledger of an active run, of the reference server, or without a resource', () => {
    openLedger(file, run).recordIntent({ ...creation })
    expect(find()).toEqual([])
    const start = { run, at: intended.at, event: 'started', embedded: true }
    const local = { ...intended, baseUrl: 'http://127.0.0.1:1' }
    for (const lines of [[start, local], [intended, { ...intended, event: 'deleted' }], ['{']]) {
      read(...lines)
      expect(find()).toEqual([])
    }
    read(start, intended)
    expect(find()).toHaveLength(1)
  })
})
