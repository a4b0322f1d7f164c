import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faults, variants } from '../reference/index.ts'
import { terminalStyle } from '../reports/terminal-style.ts'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { referenceList } from './reference-names.ts'

const style = terminalStyle({ color: false, width: 80 })

/** Serves until something was told on standard error, and hands over what was done then. */
async function served(args: readonly string[], listening: () => void) {
  return plumbline(['reference', ...args], {}, (child) => {
    child.stderr?.once('data', () => {
      listening()
      // As of a terminal and of npm, which hands it on.
      child.kill('SIGINT')
      child.kill('SIGINT')
    })
  })
}

describe.concurrent('plumbline reference --output', () => {
  it('has the environment in a file of its owner while it serves', async () => {
    const file = join(temporaryDirectory(), 'reference.env')
    writeFileSync(file, 'of another run')
    chmodSync(file, 0o644)
    let text = ''
    let mode = 0
    const { status, output, errors } = await served(['--output', file, '--overwrite'], () => {
      text = readFileSync(file, 'utf8')
      mode = statSync(file).mode & 0o777
    })
    expect(text).toMatch(/^CODE_HOSTING_BASE_URL=http:\/\/127\.0\.0\.1:\d+\n/)
    expect(mode).toBe(0o600)
    expect([status, output]).toEqual([0, ''])
    expect(errors).toContain(`npm start -- --env-file ${file}`)
    expect(existsSync(file)).toBe(false)
  })

  it('leaves alone what somebody else has written there', async () => {
    const file = join(temporaryDirectory(), 'reference.env')
    const { status } = await served(['--output', file], () => writeFileSync(file, 'mine'))
    expect(status).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})

describe('plumbline reference --list', () => {
  it('has below each fault the requirements that it breaks', () => {
    const text = referenceList([], style)
    expect(text).toContain(`Faults, each with the requirements that it breaks (${faults.length})\n`)
    expect(text).toContain(`Variants, which break none (${variants.length})\n`)
    for (const { name, requirements } of faults) {
      expect(text).toContain(`\n  ${[name, ...requirements].join('\n      ')}\n`)
    }
    for (const { name } of variants) expect(text).toContain(`\n  ${name}\n`)
  })

  it('lists those that names and globs match, each once', () => {
    expect(referenceList(['base-path', 'base-p*'], style)).toBe(
      'Variants, which break none (1)\n  base-path\n',
    )
    const text = referenceList(['next-link-*', 'limit-not-lowered'], style)
    const listed = text.match(/^ {2}\S+/gm)?.map((name) => name.trim())
    expect(listed).toEqual(
      faults.map(({ name }) => name).filter((name) => /^next-link-|^limit-not-lowered$/.test(name)),
    )
  })

  it('takes no pattern that matches nothing', () => {
    expect(() => referenceList(['base-path', 'nope'], style)).toThrow('--list nope names no fault')
    expect(() => referenceList([' '], style)).toThrow('--list names nothing.')
  })
})
