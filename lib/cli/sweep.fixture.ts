import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type RunningReference, startReference } from '../reference/index.ts'
import { atTheEnd, temporaryDirectory } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { sweep } from './sweep.ts'

/** The run whose ledger is swept. */
export const run = '20260120t1448-a1b2c3'
/** A deployment that tells what was asked of it. */
export interface Deployment extends RunningReference {
  /** Names of the access tokens of an account. */
  tokensOf(account?: 'main' | 'other'): Promise<string[]>
  /** Login name of the other account. */
  other: string
  make(name: string, account?: 'main' | 'other'): Promise<void>
  /** `DELETE /path` of each deletion that came. */
  deletions: string[]
}

/** Ends with the tests. */
export async function deployment(variant?: string, latencyMs = 0): Promise<Deployment> {
  const deletions: string[] = []
  const reference = await startReference({
    variant,
    latencyMs,
    intermediary: () => (request, answer) => {
      if (request.method === 'DELETE') deletions.push(request.url.pathname)
      return answer(request)
    },
  })
  atTheEnd(() => reference.close())
  const { environment, baseUrl } = reference
  async function ask(account: 'main' | 'other', name?: string): Promise<unknown> {
    const prefix = account === 'main' ? 'CODE_HOSTING' : 'CODE_HOSTING_OTHER'
    const username = environment[`${prefix}_USERNAME`]
    const password = environment[`${prefix}_PASSWORD`]
    const credentials = Buffer.from(`${username}:${password}`).toString('base64')
    const response = await fetch(`${baseUrl}/api/v1/users/${username}/tokens?limit=50`, {
      headers: { Authorization: `Basic ${credentials}`, 'Content-Type': 'application/json' },
      ...(name === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify({ name, scopes: ['read:user'] }) }),
    })
    expect(response.ok).toBe(true)
    return response.json()
  }
  const other = environment.CODE_HOSTING_OTHER_USERNAME ?? ''
  return {
    ...reference,
    deletions,
    other,
    async tokensOf(account = 'main') {
      return ((await ask(account)) as { name: string }[]).map(({ name }) => name)
    },
    async make(name, account = 'main') {
      await ask(account, name)
    },
  }
}

/** The line of a ledger of a token that was asked for. */
export function lineFor({ baseUrl }: { baseUrl: string }, name: string, account = 'maria'): object {
  return {
    run,
    at: '2026-01-20T14:48:00.000Z',
    event: 'intended',
    service: 'code-hosting',
    baseUrl,
    kind: 'access token',
    name,
    account,
  }
}

/** A directory with a ledger of these lines, whose run has ended. */
export function withLedger(...lines: (object | string)[]): { directory: string; ledger: string } {
  const directory = temporaryDirectory()
  const ledger = join(directory, 'reports', `ledger-${run}.ndjson`)
  mkdirSync(join(directory, 'reports'))
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(ledger, `${texts.join('\n')}\n`)
  return { directory, ledger }
}

/** What `sweep` told, on one line. */
export async function swept(
  directory: string,
  environment: Record<string, string>,
  options: { reports?: string } = {},
): Promise<{ status: number; output: string }> {
  const context = enclosedContext(directory)
  const status = await sweep({ reports: 'reports', ...options }, { ...context, environment })
  return { status, output: context.told.output.replace(/\s+/g, ' ') }
}

/** The name of a token of that run. */
export const ours = (label: string) => `plumbline-${run}-${label}`
