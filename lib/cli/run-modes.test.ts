import { describe, expect, it } from 'vitest'
import { type RunningReference, startReference } from '../reference/index.ts'
import { atTheEnd, plumbline, resultOf, withVerdict } from './command.fixture.ts'

async function reference(latencyMs = 0): Promise<RunningReference> {
  const running = await startReference({ latencyMs })
  atTheEnd(() => running.close())
  return running
}

function without(environment: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)))
}

describe.concurrent('modes of a run', () => {
  it('sends nothing but GET in read-only mode', async () => {
    const outcome = await plumbline(['run'], { PROBE_READ_ONLY: 'true' })

    expect(new Set(outcome.report.exchanges.map(({ request }) => request.method))).toEqual(
      new Set(['GET']),
    )
    expect(withVerdict(outcome, 'fail')).toEqual([])
    expect(withVerdict(outcome, 'pass').length).toBeGreaterThan(30)
    expect(resultOf(outcome, 'code-hosting/tokens/created').reason).toContain('PROBE_READ_ONLY')
    expect(outcome.status).toBe(0)
  })

  it('creates nothing with a given token', async () => {
    const outcome = await plumbline(['run', '--variant', 'given-token'])
    const creations = outcome.report.exchanges.filter(({ request }) =>
      request.url.endsWith('/tokens'),
    )

    expect(creations).toEqual([])
    expect(outcome.status).toBe(0)
  })

  it('lists what it could not take away, and keeps the ledger', async () => {
    const { environment } = await reference()
    const outcome = await plumbline(['run'], without(environment, 'CODE_HOSTING_TOKEN_DELETE_PATH'))

    expect(outcome.report.leftBehind.length).toBeGreaterThan(5)
    for (const { kind, name } of outcome.report.leftBehind) {
      expect(kind).toBe('access token')
      expect(name).toMatch(/^plumbline-/)
    }
    expect(outcome.output).toContain(outcome.report.leftBehind[0]?.name)
  })

  it('sends a payload as the operator wrote it, whatever can be made of it here', async () => {
    const { environment } = await reference()
    const deep = `${'{"a":'.repeat(6000)}{}${'}'.repeat(6000)}`
    const payload = `{"__proto__": {"size": 12345678901234567890}, "deep": ${deep}}`
    const outcome = await plumbline(['run', '--service', 'event-publishing'], {
      ...environment,
      EVENT_PUBLISHING_EVENT_PAYLOAD: payload,
    })
    const bodies = outcome.report.exchanges.map(({ request }) => request.body ?? '')

    expect(outcome.errors).not.toContain('Cannot provide')
    expect(outcome.status).toBe(0)
    expect(bodies.filter((body) => body.endsWith(`,"payload":${payload}}`))).not.toEqual([])
    const varied = bodies.filter((body) => body.includes(`${payload.slice(0, -1)},"plumbline":`))
    expect(varied).toHaveLength(2)
  })

  it('judges what is selected, and says of the rest that it was not', async () => {
    const outcome = await plumbline(['run', '--requirement', 'code-hosting/settings'])
    const judged = outcome.report.results.filter(({ verdict }) => verdict === 'pass')

    expect(judged.map(({ requirement }) => requirement)).toEqual([
      'code-hosting/settings/readable-by-any-client',
      'code-hosting/settings/record',
      'code-hosting/settings/values',
      'code-hosting/settings/agree-with-pagination',
    ])
    expect(resultOf(outcome, 'code-hosting/errors/body').reason).toBe('not selected')
    expect(outcome.report.exchanges.length).toBeLessThan(25)
    expect(outcome.status).toBe(0)
  })

  it('is not green when nothing was judged', async () => {
    const outcome = await plumbline(['run', '--requirement', 'code-hosting/limits/*'])

    expect(outcome.report.verdict).toBe('inconclusive')
    expect(outcome.status).toBe(3)
  })

  it('keeps every secret out of the reports and the output', async () => {
    const { environment } = await reference()
    const outcome = await plumbline(['run'], environment)
    const everything = outcome.output + outcome.errors + outcome.reportText + outcome.junit
    const secrets = Object.entries(environment).filter(([name]) => /PASSWORD|SECRET$/.test(name))

    expect(secrets.length).toBeGreaterThan(4)
    for (const [name, value] of secrets) {
      expect(everything, name).not.toContain(value)
      expect(everything, name).not.toContain(Buffer.from(value).toString('base64'))
    }
    const values = outcome.reportText.match(/"sha1\\":\\?"[^"]*"/g) ?? []
    expect(values.length).toBeGreaterThan(5)
    for (const value of values) expect(value).toMatch(/\$[A-Z_]+_TOKEN/)
  })

  it('probes the embedded deployment without a proxy', async () => {
    const outcome = await plumbline(['run', '--requirement', 'code-hosting/settings'], {
      HTTP_PROXY: 'http://127.0.0.1:9',
      http_proxy: 'http://127.0.0.1:9',
    })

    expect(outcome.status).toBe(0)
  })
})
