import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { request } from 'undici'
import { expect, it } from 'vitest'
import type { RunReport } from '../results/run-report.ts'
import { startReference } from '../test-bed/reference/index.ts'
import { atTheEnd, temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { createNestedContext, redactorFor } from './context.ts'
import { sharedSuites } from './enclosed-run.fixture.ts'

const hasMore = 'code-hosting/pagination/has-more-header'
const user = ['--requirement', 'code-hosting/resources/user']

/**
 * Starts the reference server at 127.0.0.1, and nodes at other addresses with the same port, which serve the same
 * content without X-HasMore. `received` has the number of requests by address.
 */
async function startNodes(...faulty: string[]) {
  const { origin, environment, requests, close } = await startReference()
  atTheEnd(close)
  const received: Record<string, number> = {}
  for (const address of faulty) {
    received[address] = 0
    const node = createServer(async (incoming, response) => {
      received[address] = (received[address] ?? 0) + 1
      const { method = 'GET', url, headers } = incoming
      const body = method === 'GET' ? null : Buffer.concat(await incoming.toArray())
      const proxied = await request(`${origin}${url}`, { method, headers, body })
      const { 'x-hasmore': _, connection: __, 'keep-alive': ___, ...kept } = proxied.headers
      response.writeHead(proxied.statusCode, kept)
      response.end(Buffer.from(await proxied.body.arrayBuffer()))
    })
    await once(node.listen(Number(new URL(origin).port), address), 'listening')
    atTheEnd(() => node.close().closeAllConnections())
  }
  return { environment, received, requests }
}

/** Runs the command with a resolver; `hosts` has the hosts that it resolved. */
async function runWith(
  args: readonly string[],
  environment: Record<string, string>,
  addresses: readonly string[] | Error,
  parts: Partial<ReturnType<typeof createNestedContext>> = {},
) {
  const directory = temporaryDirectory()
  const context = createNestedContext(directory, sharedSuites)
  const hosts: string[] = []
  const resolveHost = async (host: string) => {
    hosts.push(host)
    if (addresses instanceof Error) throw addresses
    return [...addresses]
  }
  const redactor = redactorFor(environment)
  const whole = { ...context, environment, redactor, resolveHost, ...parts }
  const status = await runCommandLine(['run', '--each-address', ...args], whole)
  const reportOf = (address: string): RunReport =>
    JSON.parse(readFileSync(join(directory, 'reports', address, 'report.json'), 'utf8'))
  return { status, hosts, directory, reportOf, ...context.reported }
}

it('probes each address once, and prints differences first', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
  const { environment, received, requests } = await startNodes('127.0.0.2', '127.0.0.3')
  const args = [...user, hasMore]
  const outcome = await runWith(args, environment, [...addresses, '127.0.0.1'])
  const { status, hosts, output, reportOf, directory } = outcome

  expect([status, hosts]).toEqual([1, ['127.0.0.1']])
  const [first = '', ...rows] = output.split('\n')
  expect(first).toMatch(/^2 of 3 .*\(127\.0\.0\.2, 127\.0\.0\.3\): .*X-HasMore.*has-more-header\)$/)
  expect(rows[0]).toBe('')
  expect(rows.filter((row) => addresses.includes(row))).toHaveLength(3)
  const { port } = new URL(environment.CODE_HOSTING_BASE_URL ?? '')
  for (const address of addresses) {
    const { target, results, run, exchanges } = reportOf(address)
    expect(target.codeHosting?.connectedTo).toBe(`${address}:${port}`)
    expect(run.program).toBe(`PROBE_CONNECT_TO=127.0.0.1::${address}: plumbline`)
    expect(results.find((one) => one.requirement === hasMore)?.verdict).toBe(
      address === '127.0.0.1' ? 'pass' : 'fail',
    )
    expect(exchanges.length).toBeGreaterThan(0)
  }
  const sent = addresses.map((address) => reportOf(address).exchanges.length)
  expect(received).toEqual({ '127.0.0.2': sent[1], '127.0.0.3': sent[2] })
  expect(requests()).toBe((sent[0] ?? 0) + (sent[1] ?? 0) + (sent[2] ?? 0))
  const page = readFileSync(join(directory, 'reports', 'addresses.html'), 'utf8')
  for (const address of addresses) expect(page).toContain(`href="${address}/report.html`)
})

it('reports no difference of equal nodes', async () => {
  const { environment } = await startNodes('127.0.0.2', '127.0.0.3')
  const { status, output } = await runWith(user, environment, ['127.0.0.2', '127.0.0.3'])
  expect(status).toBe(0)
  expect(output).not.toMatch(/^\d of 2 /m)
  expect(output.match(/^127\.0\.0\.[23]$/gm)).toHaveLength(2)
})

it('a node that is down is named, and differs in nothing else', async () => {
  const { environment } = await startNodes()
  const variables = { ...environment, PROBE_RETRIES: '0' }
  const outcome = await runWith(user, variables, ['127.0.0.1', '127.0.0.9'])
  expect(outcome.status).toBe(3)
  const [first = '', ...rows] = outcome.output.split('\n')
  expect(first).toMatch(/^1 of 2 .*\(127\.0\.0\.9\)/)
  expect(rows[0]).toBe('')
  expect(outcome.reportOf('127.0.0.9').verdict).toBe('inconclusive')
})

it('probes no further address after an interruption', async () => {
  const { environment, received, requests } = await startNodes('127.0.0.2')
  const interruption = () => Promise.resolve() as Promise<never>
  const addresses = ['127.0.0.1', '127.0.0.2']
  const { status, directory } = await runWith(user, environment, addresses, { interruption })
  expect(status).toBe(3)
  expect([requests(), received]).toEqual([0, { '127.0.0.2': 0 }])
  expect(existsSync(join(directory, 'reports', '127.0.0.2'))).toBe(false)
})

const target = { CODE_HOSTING_BASE_URL: 'http://[::1]:1' }
const several = { ...target, EVENT_PUBLISHING_BASE_URL: 'http://127.0.0.1:1' }

it.each<[name: string, environment: Record<string, string>, args: string[], status: number]>([
  ['no target', {}, [], 2],
  ['PROBE_CONNECT_TO', { ...target, PROBE_CONNECT_TO: ':::2' }, [], 2],
  ['several hosts', several, [], 2],
  ['an invalid variable', { ...target, PROBE_RETRIES: 'x' }, [], 2],
  ['metrics of one run', target, ['--metrics', 'm.prom'], 2],
  ['a host without an address', target, [], 3],
])('rejects %s, and sends nothing', async (_name, environment, args, expected) => {
  const error = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
  const { status, errors, directory } = await runWith(args, environment, error)
  expect(status).toBe(expected)
  expect(errors).toMatch(/^plumbline: /)
  expect(existsSync(join(directory, 'reports'))).toBe(false)
})

it('names an IPv6 address in brackets, and its folder without colons', async () => {
  const { status, hosts, reportOf } = await runWith(
    ['--service', 'code-hosting', '--requirement', 'code-hosting/resources/user'],
    { ...several, PROBE_RETRIES: '0' },
    ['::1'],
  )
  expect([status, hosts]).toEqual([3, ['[::1]']])
  expect(reportOf('--1').target.codeHosting?.connectedTo).toBe('[::1]:1')
})
