import { expect, it } from 'vitest'
import { examineEnvironment } from '../doctor/examination.fixture.ts'
import {
  authority,
  clientFiles,
  clientIdentity,
  serverIdentity,
} from '../environment/certificates.fixture.ts'
import { problemsOf } from '../environment/complete-environment.fixture.ts'
import { proxyFields } from '../probe/credentials.ts'
import { traceOf } from '../probe/recorder.ts'
import { startHostile } from '../test-bed/reference/hostile/index.fixture.ts'
import { responseParts } from '../test-bed/reference/http.ts'
import { atTheEnd, referenceEnvironment, withVerdict } from './command.fixture.ts'
import { version } from './context.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

const KEY = 'key-of-the-gateway/0123'
const AGENT = 'Mozilla/5.0 (x)'
const PROBE_HEADERS = JSON.stringify({ 'X-Gateway-Key': KEY, 'x-tenant': 'eu' })
const variables = {
  PROBE_HEADERS,
  PROBE_USER_AGENT: AGENT,
  PROBE_TRACE: 'true',
  PROBE_TRACE_URL: 'https://traces.example.com/{traceId}',
}

/** Starts the reference server behind a gateway that requires two header fields and a known program. */
async function gateway() {
  const agents: (string | null)[] = []
  const traces: (string | null)[] = []
  const environment = await referenceEnvironment({
    intermediary: () => async (request, respond) => {
      const { headers } = request
      agents.push(headers.get('user-agent'))
      traces.push(headers.get('traceparent'))
      const isAdmitted =
        headers.get('x-gateway-key') === KEY &&
        headers.get('x-tenant') === 'eu' &&
        headers.get('user-agent')?.startsWith(`${AGENT} plumbline/`)
      return isAdmitted ? respond(request) : responseParts(403, {}, 'forbidden by the gateway')
    },
  })
  return { environment, agents, traces }
}

it('a run behind a gateway with rules for header fields is conformant, and names its exchanges to it', async () => {
  const { environment, agents, traces } = await gateway()
  const requirement = ['*/pagination/link-t*', 'event-publishing', 'incident-status']
  const outcome = await enclosedRun({ ...environment, ...variables }, { requirement })
  const direct = await enclosedRun(await referenceEnvironment(), { requirement })
  const { exchanges } = outcome
  const { run, settings } = outcome.report

  expect(outcome.status).toBe(0)
  expect(withVerdict(outcome, 'pass')).toEqual(withVerdict(direct, 'pass'))
  expect(traces.sort()).toEqual(exchanges.map(({ id }) => traceOf(run.id, id).traceparent).sort())
  for (const { id, traceId } of outcome.report.exchanges)
    expect(traceId).toBe(traceOf(run.id, id).traceId)
  expect(direct.report.exchanges.filter(({ traceId }) => traceId !== undefined)).toEqual([])
  expect(exchanges.length).toBeGreaterThan(100)
  const agentOf = (id: string) => `${AGENT} plumbline/${version} (${run.id}; ${id})`
  expect(agents.sort()).toEqual(exchanges.map(({ id }) => agentOf(id)).sort())
  const fields = direct.exchanges.flatMap(({ request }) => request.headers)
  // A gateway sets fields that tell who sends a request.
  const set = Object.keys(proxyFields('')).map((name) => name.toLowerCase())
  const own = new Set(fields.map(({ name }) => name.toLowerCase()))
  for (const field of [...own].filter((name) => !set.includes(name))) {
    const problems = problemsOf({ ...environment, PROBE_HEADERS: JSON.stringify({ [field]: 'a' }) })
    expect(problems, field).toMatchObject([{ variable: 'PROBE_HEADERS' }])
  }
  for (const { id, request } of exchanges) {
    expect(request.headers).toEqual(
      expect.arrayContaining([
        { name: 'User-Agent', value: agentOf(id) },
        { name: 'X-Gateway-Key', value: '$HEADER_X_GATEWAY_KEY' },
        { name: 'x-tenant', value: '$HEADER_X_TENANT' },
      ]),
    )
  }
  expect(settings).toMatchObject({
    ...variables,
    PROBE_TRACE: true,
    PROBE_HEADERS: '{"X-Gateway-Key":"$HEADER_X_GATEWAY_KEY","x-tenant":"$HEADER_X_TENANT"}',
  })
})

it('doctor sends PROBE_HEADERS, and without them the gateway is reported', async () => {
  const { environment, agents } = await gateway()
  const problems = async (further: Record<string, string>) => {
    const { findings } = await examineEnvironment({ ...environment, ...further })
    return findings.filter(({ kind }) => kind === 'configuration' || kind === 'target')
  }
  expect(await problems(variables)).toEqual([])
  expect(agents[0]).toBe(`${AGENT} plumbline/test (test; e1)`)
  const named = (await problems({})).filter(({ text }) => text.includes('(PROBE_HEADERS)'))
  expect(named.map(({ service }) => service)).toEqual(['code-hosting', 'event-publishing'])
})

it('a run with a private authority and a client certificate is conformant', async () => {
  const { close, environment, requests } = await startHostile({
    behaviour: 'never-answers',
    at: () => false,
    tls: { ...serverIdentity, ca: authority },
  })
  atTheEnd(close)
  const requirement = ['*/scopes/m*', 'event-publishing', 'incident-status']
  const outcome = await enclosedRun({ ...environment, ...clientFiles }, { requirement })

  expect(outcome.status).toBe(0)
  expect(withVerdict(outcome, 'inconclusive')).toEqual([])
  expect(requests.length).toBeGreaterThan(100)
  const { settings } = outcome.report
  expect(settings).toMatchObject({
    ...clientFiles,
    PROBE_TLS_KEY_PASSPHRASE: '$PROBE_TLS_KEY_PASSPHRASE',
  })
  const pem = [clientIdentity.key, clientIdentity.cert].map((text) => text.split('\n')[1])
  for (const line of pem) expect(outcome.reportText).not.toContain(line)
})
