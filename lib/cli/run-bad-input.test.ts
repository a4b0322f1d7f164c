import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type RunningReference, startReference } from '../reference/index.ts'
import {
  atTheEnd,
  type CommandOutcome,
  plumbline,
  resultOf,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'

const account = { CODE_HOSTING_USERNAME: 'maria', CODE_HOSTING_PASSWORD: 'a-password' }

async function serve(listener: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(listener as never)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atTheEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function reference(): Promise<RunningReference> {
  const running = await startReference()
  atTheEnd(() => running.close())
  return running
}

async function environmentWith(changes: Record<string, string>): Promise<Record<string, string>> {
  const { environment } = await reference()
  return { ...environment, ...changes }
}

/** The whole output is one message, and none of it a stack trace. */
function expectOneMessage({ text: output, errors }: CommandOutcome, ...texts: string[]): void {
  for (const part of texts) {
    expect((output + errors).split(part).length, `"${part}" is told once`).toBe(2)
  }
  expect(output + errors).not.toMatch(/\n\s+at .*:\d+:\d+/)
}

describe.concurrent('bad input', () => {
  it('tells every wrong variable by name and not by value, and sends nothing', async () => {
    let requests = 0
    const baseUrl = await serve((_, response) => {
      requests += 1
      response.end()
    })
    const outcome = await plumbline(['run'], {
      CODE_HOSTING_BASE_URL: baseUrl,
      CODE_HOSTING_USERNAM: 'a-secret-value',
      CODE_HOSTING_MAX_RESPONSE_ITEMS: 'a-secret-value',
      PROBE_CONCURRENCY: '0',
    })

    expect(outcome.status).toBe(2)
    expectOneMessage(outcome, 'CODE_HOSTING_USERNAM ', 'CODE_HOSTING_MAX_RESPONSE_ITEMS')
    expect(outcome.errors).toContain('CODE_HOSTING_USERNAME')
    expect(outcome.errors).toContain('PROBE_CONCURRENCY')
    expect(outcome.errors).not.toContain('a-secret-value')
    expect(outcome.reportText).toBe('')
    expect(requests).toBe(0)
  })

  it('tells of a host that cannot be reached in one message', async () => {
    const started = performance.now()
    const outcome = await plumbline(['run'], {
      CODE_HOSTING_BASE_URL: 'http://127.0.0.1:9',
      ...account,
    })

    expect(outcome.status).toBe(3)
    expectOneMessage(outcome, 'cannot be reached', 'CODE_HOSTING_BASE_URL right')
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'inconclusive').length).toBeGreaterThan(80)
    expect(performance.now() - started).toBeLessThan(30_000)
  })

  it('tells of a host that answers every path with a page', async () => {
    const baseUrl = await serve((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Hello</title>')
    })
    const outcome = await plumbline(['run'], { CODE_HOSTING_BASE_URL: baseUrl, ...account })

    expect(outcome.status).toBe(3)
    expectOneMessage(
      outcome,
      'does not answer like a code hosting service',
      'CODE_HOSTING_BASE_URL',
    )
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(outcome.report.exchanges.length).toBeLessThan(6)
  })

  it('tells of a wrong password, and does not try it a dozen times', async () => {
    const environment = await environmentWith({ CODE_HOSTING_PASSWORD: 'not-the-password' })
    const outcome = await plumbline(['run'], environment)
    const creations = outcome.report.exchanges.filter(
      ({ request }) => request.method === 'POST' && request.url.endsWith('/users/maria/tokens'),
    )

    expect(outcome.status).toBe(3)
    expectOneMessage(outcome, 'check CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD')
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(creations).toHaveLength(1)
    expect(outcome.output + outcome.reportText).not.toContain('not-the-password')
  })

  it('fails nothing where the main account is not there, whom no admin can act as', async () => {
    const environment = await environmentWith({ CODE_HOSTING_USERNAME: 'nobody-of-that-name' })
    const outcome = await plumbline(['run'], environment)

    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'inconclusive')).toContain(
      'code-hosting/authentication/sudo-header',
    )
  })

  it('tells of a refused token', async () => {
    const environment = await environmentWith({ CODE_HOSTING_TOKEN: 'f'.repeat(40) })
    const outcome = await plumbline(['run'], environment)

    expect(outcome.status).toBe(3)
    expect(outcome.text).toContain('check CODE_HOSTING_TOKEN')
    expect(withVerdict(outcome, 'fail')).toEqual([])
  })

  it.each([
    ['CODE_HOSTING_OTHER_PASSWORD', 'code-hosting/tokens/name-unique-per-user'],
    ['CODE_HOSTING_ADMIN_PASSWORD', 'code-hosting/authentication/sudo-header'],
  ])('tells of a wrong %s', async (variable, requirement) => {
    const outcome = await plumbline(['run'], await environmentWith({ [variable]: 'wrong' }))

    expect(outcome.status).toBe(3)
    expect(resultOf(outcome, requirement).reason).toContain(variable)
    expect(withVerdict(outcome, 'fail')).toEqual([])
  })

  it.each([
    ['CODE_HOSTING_PRIVATE_REPOSITORY', 'code-hosting/errors/hidden-repository'],
    ['CODE_HOSTING_PUBLIC_REPOSITORY', 'code-hosting/resources/repository'],
  ])('tells of a %s that is not there', async (variable, requirement) => {
    const outcome = await plumbline(['run'], await environmentWith({ [variable]: 'maria/nowhere' }))

    expect(outcome.status).toBe(3)
    expect(resultOf(outcome, requirement).reason).toContain(`check ${variable}`)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(outcome.text).toContain(`check ${variable}`)
  })

  it.each([
    [['run', '--fault', 'no-such-fault'], 'no-such-fault'],
    [['run', '--service', 'no-such-service'], 'no-such-service'],
    [['run', '--requirement', 'code-hosting/nothing'], 'code-hosting/nothing'],
    [['run', '--env-file', 'no-such-file'], '--env-file'],
    [['run', '--requirement', ''], '--requirement'],
    [['run', '--reports', ''], '--reports'],
    [['run', '--reports', '/dev/null'], 'is a file'],
    [
      ['run', '--baseline', 'x1', '--update-baseline', '--history', 'x1'],
      '--baseline and --history lead to the same file, x1; nothing was sent.',
    ],
    [
      ['run', '--history', 'reports/report.json'],
      '--reports and --history lead to the same file, reports/report.json; nothing was sent.',
    ],
    [['run', '--reports', '/proc/plumbline'], 'cannot be written to'],
    [['run', '--reports', '/dev/null/reports'], 'cannot be written to: not a directory (ENOTDIR)'],
    [['run', '--no-such-option'], '--no-such-option'],
    [['run', '--no-embedded'], 'set one of CODE_HOSTING_BASE_URL'],
    [['run', '--no-embedded', '--fault', 'limit-not-lowered'], 'contradict each other'],
    [['no-such-command'], 'no-such-command'],
  ])('ends %j with status 2 and a message', async (args, text) => {
    const outcome = await plumbline(args)

    expect(outcome.status).toBe(2)
    expect(outcome.errors).toContain(text)
    expect(outcome.errors).not.toMatch(/\n\s+at .*:\d+:\d+/)
    expect(outcome.reportText).toBe('')
  })

  it('does not give a configured deployment a fault', async () => {
    const outcome = await plumbline(['run', '--fault', 'limit-not-lowered'], {
      CODE_HOSTING_BASE_URL: 'http://127.0.0.1:9',
    })

    expect(outcome.status).toBe(2)
    expect(outcome.errors).toContain('--fault')
  })

  it('does not probe the embedded deployment with an environment file that names none', async () => {
    const file = join(temporaryDirectory(), 'staging.env')
    writeFileSync(file, 'CODEHOSTING_BASE_URL=https://git.example.com\n')
    const outcome = await plumbline(['run', '--env-file', file])

    expect(outcome.status).toBe(2)
    expect(outcome.errors).toContain('CODE_HOSTING_BASE_URL')
    expect(outcome.reportText).toBe('')
  })

  it('probes what is configured with --no-embedded', async () => {
    const { environment } = await reference()
    const outcome = await plumbline(
      ['run', '--no-embedded', '--requirement', 'code-hosting/settings'],
      environment,
    )

    expect(outcome.status).toBe(0)
    expect(outcome.output).not.toContain('embedded')
  })

  it('says at the very end when the embedded deployment was probed', async () => {
    const outcome = await plumbline(['run', '--requirement', 'code-hosting/settings'])

    expect(outcome.output.trimEnd().split('\n').at(-1)).toContain('embedded reference deployment')
  })

  it('has no verdict where public and private repository are mixed up', async () => {
    const { environment } = await reference()
    const outcome = await plumbline(['run'], {
      ...environment,
      CODE_HOSTING_PUBLIC_REPOSITORY: environment.CODE_HOSTING_PRIVATE_REPOSITORY ?? '',
      CODE_HOSTING_PRIVATE_REPOSITORY: environment.CODE_HOSTING_PUBLIC_REPOSITORY ?? '',
    })

    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(outcome.text).toContain('check CODE_HOSTING_PRIVATE_REPOSITORY')
  })
})
