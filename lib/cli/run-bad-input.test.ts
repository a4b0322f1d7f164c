import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startReference } from '../reference/index.ts'
import {
  atTheEnd,
  plumbline,
  resultOf,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'
import { type EnclosedOutcome, enclosedRun } from './enclosed-run.fixture.ts'

const account = { CODE_HOSTING_USERNAME: 'maria', CODE_HOSTING_PASSWORD: 'a-password' }

async function reference(): Promise<Record<string, string>> {
  const { environment, close } = await startReference()
  atTheEnd(close)
  return environment
}

/** Nothing failed, and the whole output is one message with each of these, and no stack trace. */
function expectOneMessage(outcome: EnclosedOutcome, ...texts: string[]): void {
  const told = outcome.text + outcome.errors
  expect(outcome.status).toBe(3)
  expect(withVerdict(outcome, 'fail')).toEqual([])
  for (const part of texts) expect(told.split(part).length, `"${part}" is told once`).toBe(2)
  expect(outcome.output + outcome.errors).not.toMatch(/\n\s+at .*:\d+:\d+/)
}

describe('a configuration that is wrong', () => {
  it('is told by name and not by value, all at once, and nothing is sent', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atTheEnd(() => server.close())
    const { status, errors, reportText } = await plumbline(['run'], {
      CODE_HOSTING_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CODE_HOSTING_USERNAM: 'a-secret-value',
      CODE_HOSTING_MAX_RESPONSE_ITEMS: 'a-secret-value',
      PROBE_CONCURRENCY: '0',
    })

    expect(status).toBe(2)
    expect(errors).toMatch(/CODE_HOSTING_USERNAM .*CODE_HOSTING_USERNAME/)
    expect(errors).toContain('CODE_HOSTING_MAX_RESPONSE_ITEMS')
    expect(errors).toContain('PROBE_CONCURRENCY')
    expect(errors).not.toMatch(/a-secret-value|\n\s+at .*:\d+:\d+/)
    expect([reportText, requests]).toEqual(['', 0])
  })

  it('does not probe the embedded deployment with an environment file that names none', async () => {
    const envFile = join(temporaryDirectory(), 'staging.env')
    writeFileSync(envFile, 'CODEHOSTING_BASE_URL=https://git.example.com\n')
    await expect(enclosedRun({}, { envFile })).rejects.toThrow('CODE_HOSTING_BASE_URL')
  })

  it('does not give a configured deployment a fault', async () => {
    const environment = { CODE_HOSTING_BASE_URL: 'http://127.0.0.1:9' }
    const given = enclosedRun(environment, { fault: 'limit-not-lowered' })
    await expect(given).rejects.toThrow('--fault')
  })
})

describe('a deployment that is not what was meant', () => {
  it('is told of once where nobody answers', async () => {
    const outcome = await enclosedRun({ CODE_HOSTING_BASE_URL: 'http://127.0.0.1:9', ...account })
    expectOneMessage(outcome, 'cannot be reached', 'CODE_HOSTING_BASE_URL right')
    expect(withVerdict(outcome, 'inconclusive').length).toBeGreaterThan(80)
  })

  it('is told of once where every path is answered with a page', async () => {
    const server = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Hello</title>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atTheEnd(() => server.close())
    const { port } = server.address() as AddressInfo
    const environment = { CODE_HOSTING_BASE_URL: `http://127.0.0.1:${port}`, ...account }
    const outcome = await enclosedRun(environment)
    expectOneMessage(
      outcome,
      'does not answer like a code hosting service',
      'CODE_HOSTING_BASE_URL',
    )
    expect(outcome.report.exchanges.length).toBeLessThan(6)
  })

  it('is told of once for a wrong password, which is not tried a dozen times', async () => {
    const environment = { ...(await reference()), CODE_HOSTING_PASSWORD: 'not-the-password' }
    const outcome = await enclosedRun(environment)
    const creations = outcome.report.exchanges.filter(
      ({ request }) => request.method === 'POST' && request.url.endsWith('/users/maria/tokens'),
    )
    expectOneMessage(outcome, 'check CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD')
    expect(creations).toHaveLength(1)
    expect(outcome.output + outcome.reportText).not.toContain('not-the-password')
  })

  const wrong = {
    sudo: 'code-hosting/authentication/sudo-header',
    unique: 'code-hosting/tokens/name-unique-per-user',
    hidden: 'code-hosting/errors/hidden-repository',
    shown: 'code-hosting/resources/repository',
  }

  it.each<[Record<string, string>, string, string]>([
    [{ CODE_HOSTING_TOKEN: 'f'.repeat(40) }, wrong.shown, 'check CODE_HOSTING_TOKEN'],
    [{ CODE_HOSTING_USERNAME: 'nobody-of-that-name' }, wrong.sudo, 'CODE_HOSTING_USERNAME'],
    [{ CODE_HOSTING_OTHER_PASSWORD: 'wrong' }, wrong.unique, 'CODE_HOSTING_OTHER_PASSWORD'],
    [{ CODE_HOSTING_ADMIN_PASSWORD: 'wrong' }, wrong.sudo, 'CODE_HOSTING_ADMIN_PASSWORD'],
    [
      { CODE_HOSTING_PRIVATE_REPOSITORY: 'maria/nowhere' },
      wrong.hidden,
      'check CODE_HOSTING_PRIVATE_REPOSITORY',
    ],
    [
      { CODE_HOSTING_PUBLIC_REPOSITORY: 'maria/nowhere' },
      wrong.shown,
      'check CODE_HOSTING_PUBLIC_REPOSITORY',
    ],
  ])('fails nothing, and says what to look at: %j', async (changes, requirement, reason) => {
    const outcome = await enclosedRun({ ...(await reference()), ...changes })
    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(resultOf(outcome, requirement)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining(reason),
    })
  })

  it('has no verdict where public and private repository are mixed up', async () => {
    const environment = await reference()
    const outcome = await enclosedRun({
      ...environment,
      CODE_HOSTING_PUBLIC_REPOSITORY: environment.CODE_HOSTING_PRIVATE_REPOSITORY ?? '',
      CODE_HOSTING_PRIVATE_REPOSITORY: environment.CODE_HOSTING_PUBLIC_REPOSITORY ?? '',
    })
    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(outcome.text).toContain('check CODE_HOSTING_PRIVATE_REPOSITORY')
  })
})
