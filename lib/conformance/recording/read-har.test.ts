import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UnsupportedFileError } from '../../text/read-file.ts'
import { harEntry, harText } from './har-entry.fixture.ts'
import { readEntries, recordingFiles } from './read-har.ts'

const directory = mkdtempSync(join(tmpdir(), 'plumbline-har-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let count = 0

function fileWith(content: string | Buffer): string {
  count += 1
  const path = join(directory, `${count}.har`)
  writeFileSync(path, content)
  return path
}

const read = (content: string | Buffer) => [...readEntries(fileWith(content))]

/** Returns the position in the message of the error, and the number of entries before it. */
function damageOf(content: string | Buffer): [byte: number, entries: number] {
  const path = fileWith(content)
  try {
    return [-1, [...readEntries(path)].length]
  } catch (error) {
    if (!(error instanceof UnsupportedFileError)) throw error
    const [, byte, entries] = /byte (\d+), after (\d+)/.exec(error.message) ?? []
    return [Number(byte), Number(entries)]
  }
}

describe('readEntries', () => {
  const entries = [
    harEntry({ body: { text: 'a " and a \\ and }]' } }),
    // Longer than what is read at a time.
    harEntry({ body: 'ünïcödé {'.repeat(40_000), at: 1 }),
    harEntry({ status: 204, at: 2 }, { _initiator: { stack: [{ frames: [{}] }] } }),
  ]

  it.each([undefined, 2])('returns the entries of an archive indented by %s', (indent) => {
    // Only what is judged is kept.
    const kept = entries.map(({ startedDateTime, request, response }) => ({
      startedDateTime,
      request: expect.objectContaining({ url: request.url, headers: request.headers }),
      response: expect.objectContaining({ status: response.status, content: response.content }),
    }))
    const texts = [harText(entries, indent), `\ufeff${harText(entries, indent)}\r\n`]
    for (const text of texts) {
      const found = read(Buffer.from(text))
      expect(found).toEqual(kept.map((one) => expect.objectContaining(one)))
      expect(JSON.stringify(found)).not.toContain('_initiator')
    }
  })

  it('returns nothing for JSON without entries', () => {
    expect(read(harText([]))).toEqual([])
    expect(read('{"results":[{"a":[1]}]}')).toEqual([])
  })

  const text = harText(entries)
  const first = text.indexOf('{"startedDateTime"')
  const second = text.indexOf('{"startedDateTime"', first + 1)

  it('rejects an archive that ends early, with the position', () => {
    expect(damageOf(text.slice(0, second + 10))).toEqual([second + 11, 1])
    expect(damageOf('')).toEqual([1, 0])
    expect(damageOf(text.slice(0, -2))[1]).toBe(3)
  })

  it('rejects text that is no JSON, with the position in an entry', () => {
    expect(damageOf(text.replace('"method":"GET"', '"method":GET'))).toEqual([first + 1, 0])
    expect(damageOf('<html>')).toEqual([1, 0])
    expect(damageOf('  \0{}')).toEqual([3, 0])
    expect(damageOf('{}}')).toEqual([3, 0])
  })

  it.each([
    ['no response', { response: undefined }],
    ['no header fields', { response: { status: 200 } }],
    ['a URL that is none', { request: { ...harEntry().request, url: '/api' } }],
    ['a time that is none', { startedDateTime: 'yesterday' }],
  ])('rejects an entry with %s, with its position', (_, parts) => {
    const damaged = harText([harEntry(), harEntry({}, parts)])
    expect(damageOf(damaged)).toEqual([damaged.lastIndexOf('{"startedDateTime"') + 1, 1])
  })
})

describe('recordingFiles', () => {
  it('returns files, and the archives of folders in their order', () => {
    const folder = join(directory, 'folder')
    mkdirSync(folder)
    for (const name of ['b.har', 'a.HAR', 'c.json']) writeFileSync(join(folder, name), '')
    const file = fileWith('')
    expect(recordingFiles([file, folder])).toEqual([
      file,
      join(folder, 'a.HAR'),
      join(folder, 'b.har'),
    ])
  })

  it('rejects what is missing, too large, or no file', () => {
    const [one, other] = [fileWith(''), fileWith('')]
    truncateSync(one, 60_000_000)
    expect(recordingFiles([one])).toEqual([one])
    truncateSync(other, 40_000_001)
    expect(() => recordingFiles([one, other])).toThrow(UnsupportedFileError)
    expect(() => recordingFiles([join(directory, 'missing')])).toThrow(/ENOENT/)
    expect(() => recordingFiles(['/dev/zero'])).toThrow(UnsupportedFileError)
  })
})
