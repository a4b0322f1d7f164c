import { afterEach, describe, expect, it } from 'vitest'
import { closeAll, startServer } from '../probe/server.fixture.ts'
import {
  type CommandOutcome,
  referenceEnvironment,
  resultOf,
  withVerdict,
} from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

afterEach(closeAll)

const account = { CODE_HOSTING_USERNAME: 'maria', CODE_HOSTING_PASSWORD: 'a-password' }

/** Nothing failed, and the output is one message with each of these, whose start the last line repeats, and no stack trace. */
function expectOneMessage(outcome: CommandOutcome, ...texts: string[]): void {
  const rows = outcome.output.trimEnd().split('\n')
  const reported = rows.slice(0, -1).join(' ') + outcome.errors
  expect(texts.some((part) => rows.at(-1)?.includes(part))).toBe(true)
  expect(outcome.status).toBe(3)
  expect(withVerdict(outcome, 'fail')).toEqual([])
  for (const part of texts)
    expect(reported.split(part).length, `"${part}" is reported once`).toBe(2)
  expect(outcome.output + outcome.errors).not.toMatch(/\n\s+at .*:\d+:\d+/)
}

describe('a wrong target', () => {
  it('is reported once if every response is a page', async () => {
    const server = await startServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Hello</title>'),
    )
    const outcome = await enclosedRun({ CODE_HOSTING_BASE_URL: server.url.origin, ...account })
    expectOneMessage(outcome, 'hosting service', 'CODE_HOSTING_BASE_URL')
    expect(outcome.report.run.requests).toBeLessThan(6)
  })

  it('with a wrong password is reported once, after few requests', async () => {
    const environment = await referenceEnvironment()
    const outcome = await enclosedRun({ ...environment, CODE_HOSTING_PASSWORD: 'not-the-password' })
    const creations = outcome.exchanges.filter(
      ({ request }) => request.method === 'POST' && request.url.endsWith('/users/maria/tokens'),
    )
    expectOneMessage(outcome, 'CODE_HOSTING_USERNAME and CODE_HOSTING_PASSWORD')
    expect(creations).toHaveLength(1)
    expect(outcome.output + outcome.reportText).not.toContain('not-the-password')
  })

  it('fails nothing, and names the variables to check', async () => {
    const environment = {
      ...(await referenceEnvironment()),
      CODE_HOSTING_OTHER_PASSWORD: 'wrong',
      CODE_HOSTING_ADMIN_PASSWORD: 'wrong',
      CODE_HOSTING_PUBLIC_REPOSITORY: 'maria/nowhere',
    }
    const variables = {
      'code-hosting/tokens/name-unique-per-user': 'CODE_HOSTING_OTHER_PASSWORD',
      'code-hosting/authentication/sudo-header': 'CODE_HOSTING_ADMIN_PASSWORD',
      'code-hosting/resources/repository': 'CODE_HOSTING_PUBLIC_REPOSITORY',
    }
    const outcome = await enclosedRun(environment, { requirement: Object.keys(variables) })
    expect(outcome.status).toBe(3)
    expect(withVerdict(outcome, 'fail')).toEqual([])
    for (const [requirement, variable] of Object.entries(variables)) {
      expect(resultOf(outcome, requirement)).toMatchObject({
        verdict: 'inconclusive',
        reason: expect.stringMatching(`check .*${variable}`),
      })
    }
  })
})
