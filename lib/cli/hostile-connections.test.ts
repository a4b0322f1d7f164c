import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examineEnvironment } from '../doctor/examination.fixture.ts'
import { closeAll, startServer } from '../probe/server.fixture.ts'
import { startHostile } from '../reference/hostile/index.fixture.ts'
import { type CertificateOptions, selfSigned } from './certificates.fixture.ts'
import {
  atTheEnd,
  type CommandOutcome,
  plumbline,
  resultOf,
  temporaryDirectory,
} from './command.fixture.ts'
import { enclosedRun, reasonsOf } from './enclosed-run.fixture.ts'

const settings = 'code-hosting/settings/record'
const onlySettings = ['run', '--requirement', settings]
const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1')
const quick = { PROBE_RETRIES: '0', PROBE_TIMEOUT_MS: '5000' }

atTheEnd(closeAll)

async function secureHostile(options: CertificateOptions, behaviour = 'sets-cookies') {
  const certificate = await selfSigned(options)
  const elsewhere = await startServer((_, response) => response.end())
  const hostile = await startHostile({
    behaviour,
    tls: certificate,
    elsewhere: elsewhere.url.origin,
  })
  atTheEnd(() => hostile.close())
  const authority = join(temporaryDirectory(), 'authority.pem')
  writeFileSync(authority, certificate.cert)
  return { ...hostile, authority, elsewhere }
}

/** The run has come to no verdict, for one reason that it tells once. */
function expectReason(outcome: CommandOutcome, reason: RegExp): void {
  expect(resultOf(outcome, settings)).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(reason),
  })
  expect(outcome.status).toBe(3)
  expect(outcome.errors).not.toMatch(/^plumbline: /m)
  expect(outcome.output + outcome.errors).not.toMatch(/undefined|\n\s+at /)
}

describe.concurrent('a certificate of an authority that is named', () => {
  it.each<[string, CertificateOptions, RegExp]>([
    ['that has expired', { validForDays: -1 }, /the certificate of the server has expired/],
    [
      'for another host',
      { address: '127.0.0.2' },
      /the certificate of the server is for another host name/,
    ],
  ])('%s is told of', async (_, options, reason) => {
    const { environment, authority } = await secureHostile(options)
    const outcome = await plumbline(onlySettings, {
      ...environment,
      ...quick,
      NODE_EXTRA_CA_CERTS: authority,
    })
    expectReason(outcome, reason)
  })

  it('is trusted, and a redirect to http is not followed', async () => {
    const { environment, authority, elsewhere, requests } = await secureHostile(
      {},
      'redirects-elsewhere-307',
    )
    const outcome = await plumbline(['run'], {
      ...environment,
      ...quick,
      NODE_EXTRA_CA_CERTS: authority,
    })

    expect(elsewhere.connections()).toBe(0)
    expect(requests.length).toBeGreaterThan(5)
    expectReason(outcome, /gave status 307 .* a redirect to http:\/\/127\.0\.0\.1/)
  })
})

describe('a way to the server', () => {
  /** A run in this process: it reads no authorities at its start. */
  async function reasonFor(environment: Record<string, string>): Promise<string> {
    const outcome = await enclosedRun({ ...environment, ...quick }, { requirement: [settings] })
    expect(outcome.status).toBe(3)
    expect(outcome.errors).not.toMatch(/^plumbline: /m)
    return reasonsOf(outcome, 'inconclusive').join()
  }

  it('that shows a certificate which signs itself is told of', async () => {
    const { environment } = await secureHostile({})
    const reason = await reasonFor(environment)
    expect(reason).toMatch(/the certificate of the server is self-signed/)
    expect(reason).toMatch(/NODE_EXTRA_CA_CERTS .*it has to be in the environment of the process/)
    expect(reason).not.toContain('Is the server up')
  })

  it('that shows such a certificate is told of by doctor, for each service', async () => {
    const { environment } = await secureHostile({})
    const baseUrl = environment.CODE_HOSTING_BASE_URL ?? ''
    const { findings } = await examineEnvironment({
      ...quick,
      CODE_HOSTING_BASE_URL: baseUrl,
      EVENT_PUBLISHING_BASE_URL: baseUrl,
      INCIDENT_STATUS_BASE_URL: baseUrl,
    })
    expect(findings.map(({ service, kind, text }) => `${service} ${kind}: ${text}`)).toEqual(
      ['code-hosting', 'event-publishing', 'incident-status'].map((service) =>
        expect.stringMatching(
          `^${service} target: .* is self-signed .*\\(DEPTH_ZERO_SELF_SIGNED_CERT\\)\\.$`,
        ),
      ),
    )
  })

  it.skipIf(!hasIpv6)('over IPv6 alone is gone', async () => {
    const server = await startServer(
      (_, response) => response.writeHead(404, { 'Content-Type': 'application/json' }).end('{}'),
      '::1',
    )
    expect(await reasonFor({ CODE_HOSTING_BASE_URL: server.url.origin })).toMatch(
      /does not answer like a code hosting service: .*\[::1\].* status 404/,
    )
    expect(server.connections()).toBeGreaterThan(0)
  })
})
