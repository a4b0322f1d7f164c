import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { creation, ledgerPath, run } from '../conformance/ledger.fixture.ts'
import { appendLine, openLedger } from '../conformance/ledger.ts'
import { ledgerRunId, readLedger, readOutstanding, UnreadableLedgerError } from './read-ledger.ts'

const now = Date.parse('2026-11-20T15:00:00Z')

/** Resource without a confirmation. */
const unconfirmed = { ...creation, unconfirmed: true }

const intended = { run, at: '2026-11-20T14:48:00Z', event: 'intended', ...creation }

const catalogues = [
  {
    service: creation.service,
    document: '',
    requirements: [],
    needs: {},
    creations: [creation.kind],
  },
]

let file = ''

beforeEach(() => {
  file = ledgerPath()
})

function read(...lines: (object | string)[]) {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(file, texts.join('\n'))
  return readLedger(file, catalogues, now)
}

describe('readLedger', () => {
  it('returns the outstanding resources and their accounts', () => {
    const ledger = openLedger(file, run, true)
    const [one, other] = [{ ...creation }, { ...creation, name: `plumbline-${run}-read-user` }]
    ledger.recordIntent(one)
    ledger.recordIntent(other)
    ledger.recordDeleted(one)
    expect(readLedger(file, catalogues)).toEqual({
      run,
      outstanding: [{ ...other, unconfirmed: true }],
      foreignLines: 0,
      embedded: true,
      activeReason: expect.stringContaining(` ${process.pid} `),
    })
    appendLine(file, run, 'swept', other)
    expect(readLedger(file, catalogues).outstanding).toEqual([])
  })

  it.each(['\n\n', '{"run":"2026', 'null', '17', '\u0000\u001b[31m', '{'.repeat(100_000)])(
    'takes no harm from %j',
    (text) => {
      const { outstanding, foreignLines } = read(text, intended, text)
      expect(outstanding).toEqual([unconfirmed])
      expect(foreignLines).toBe(0)
    },
  )

  it.each<[string, object]>([
    ['a name of another user', { ...intended, name: 'deploy-key' }],
    ['a name of another run', { ...intended, name: 'plumbline-20261120t1448-ffffff-all' }],
    ['only the prefix of a name', { ...intended, name: `plumbline-${run}-` }],
    ['a path', { ...intended, name: `plumbline-${run}-/../../other` }],
    ['a line break', { ...intended, name: `plumbline-${run}-all\nx` }],
    ['a number for a name', { ...intended, name: 7 }],
    ['the line of another run', { ...intended, run: '20261120t1448-ffffff' }],
    ['another kind of thing', { ...intended, kind: 'repository' }],
    ['another service', { ...intended, service: 'incident-status' }],
    ['no base URL', { ...intended, baseUrl: 'git.example.com' }],
    ['no account', { ...intended, account: '' }],
    ['an account of another type', { ...intended, account: { toString: 'maria' } }],
    ['another event', { ...intended, event: 'delete' }],
    ['keys of the prototype', JSON.parse('{"__proto__":{"run":"x"}}')],
  ])('counts a foreign line: %s', (_, line) => {
    const { outstanding, foreignLines } = read(line, intended)
    expect(outstanding).toEqual([unconfirmed])
    expect(foreignLines).toBe(1)
  })

  it('distinguishes base URLs and accounts of the same name', () => {
    const elsewhere = { ...unconfirmed, baseUrl: 'https://other.example.com' }
    const otto = { ...unconfirmed, account: 'otto' }
    const gone = { ...intended, event: 'gone' }
    expect(read(intended, { ...intended, ...elsewhere }, { ...intended, ...otto }, gone)).toEqual(
      expect.objectContaining({ outstanding: [elsewhere, otto] }),
    )
  })

  it.each(['ledger-x.ndjson', 'ledger-../x.ndjson', `ledger-${run}.ndjson.bak`, 'report.json'])(
    'is none by the name %s',
    (name) => {
      expect(ledgerRunId(name)).toBeUndefined()
      expect(() => readLedger(join(dirname(file), name), catalogues)).toThrow(UnreadableLedgerError)
    },
  )

  it('rejects a missing and a too large file', () => {
    expect(() => readLedger(file, catalogues)).toThrow('(ENOENT)')
    writeFileSync(file, 'x'.repeat(5_000_000))
    expect(() => readLedger(file, catalogues)).toThrow(UnreadableLedgerError)
  })
})

describe('readOutstanding', () => {
  const { kind, name, account } = creation
  const resource = { kind, name, account }

  it('returns requested resources that were not deleted; unconfirmed until a response arrived', () => {
    const ledger = openLedger(file, run)
    const [one, same, other] = [{ ...creation }, { ...creation }, { ...creation, account: 'otto' }]
    ledger.recordIntent(one)
    ledger.recordCreated(one)
    ledger.recordIntent(same)
    ledger.recordIntent(other)
    expect(readOutstanding(file, catalogues)).toEqual([
      resource,
      { ...resource, unconfirmed: true },
      { ...resource, account: 'otto', unconfirmed: true },
    ])
    ledger.recordDeleted(same)
    ledger.recordDeleted(other)
    expect(readOutstanding(file, catalogues)).toEqual([resource])
  })
})

describe('a run', () => {
  const begun = { run, at: '2026-11-20T14:48:00Z', event: 'started', host: hostname() }
  // Larger than any process id.
  const unusedId = 2 ** 30

  it('is active while its process is running', () => {
    expect(read({ ...begun, process: process.pid }, intended).activeReason).toContain(
      `${process.pid}`,
    )
    expect(read({ ...begun, process: unusedId }, intended).activeReason).toBeUndefined()
  })

  it('has ended if its process is a zombie', async () => {
    // The shell kills its child and becomes a program that never reads its status.
    const shell = spawn('sh', ['-c', 'sleep 60 & kill -9 $! && echo $! && exec sleep 60'])
    const [reported] = (await once(shell.stdout, 'data')) as [Buffer]
    try {
      await expect
        .poll(() => read({ ...begun, process: Number(String(reported)) }, intended).activeReason)
        .toBeUndefined()
    } finally {
      shell.kill('SIGKILL')
    }
  })

  it.each([
    ['on another machine', { ...begun, host: 'elsewhere.example', process: unusedId }],
    ['without a process id', { ...begun, process: '../../1' }],
    ['with an invalid process id', { ...begun, process: -1 }],
  ])('is active %s until an hour after its last line', (_, line) => {
    expect(read(line, intended).activeReason).toMatch(/ hour /)
    const earlier = { ...intended, at: '2026-11-20T13:00:00Z' }
    expect(read({ ...line, at: earlier.at }, earlier).activeReason).toBeUndefined()
  })
})
