import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { examineEnvironment } from '../doctor/examination.fixture.ts'
import { closeAll, startServer } from '../probe/server.fixture.ts'
import { startHostile } from '../reference/hostile/index.fixture.ts'
import { atTheEnd, plumbline, reasonsOf, temporaryDirectory } from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import { catalogues } from './services.ts'

/** A certificate for 127.0.0.1 that signs itself, valid until 2120, and its key, of use for nothing else. */
const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6svJFLqfPTtiK8Gn
NYwIrYz6hDxcZ3zNe4Tyerfh4uqhRANCAAQmlgJXdLPMMVtZ9VflYYkaGXhbkDum
X0iGOODL238lmzvnuHcVE0Qez+E9Xq8XvsJ/oGiDFw4LGqTtYxHc706z
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBUjCB+aADAgECAhA1FVbX0e45zKj782LhfMvHMAoGCCqGSM49BAMCMBkxFzAV
BgNVBAMTDnBsdW1ibGluZSB0ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
MDAwMDAwWjAZMRcwFQYDVQQDEw5wbHVtYmxpbmUgdGVzdDBZMBMGByqGSM49AgEG
CCqGSM49AwEHA0IABCaWAld0s8wxW1n1V+VhiRoZeFuQO6ZfSIY44MvbfyWbO+e4
dxUTRB7P4T1erxe+wn+gaIMXDgsapO1jEdzvTrOjITAfMAwGA1UdEwQFMAMBAf8w
DwYDVR0RBAgwBocEfwAAATAKBggqhkjOPQQDAgNIADBFAiEAnNwYJHGbpjrKMnds
+1hmWwMR9Vddin7/sTD3cCbvW1ECIEhUIrAd4HsCm2gwXq/z+B4nSmTIWPHJWrnk
PQ21pYgZ
-----END CERTIFICATE-----`,
}

/** A server with a certificate that signs itself, and leads to http elsewhere. */
async function secureServer() {
  const elsewhere = await startServer((_, response) => response.end())
  const hostile = await startHostile({
    behaviour: 'redirects-elsewhere-307',
    tls: certificate,
    elsewhere: elsewhere.url.origin,
  })
  atTheEnd(() => Promise.all([hostile.close(), closeAll()]))
  const authority = join(temporaryDirectory(), 'authority.pem')
  writeFileSync(authority, certificate.cert)
  const environment: Record<string, string> = {
    ...hostile.environment,
    PROBE_RETRIES: '0',
    NODE_EXTRA_CA_CERTS: authority,
    PROBE_HEADERS: '{"X-Gateway-Key":"abcd1234"}',
  }
  return { environment, elsewhere, requests: hostile.requests }
}

it('a certificate of a configured authority is trusted, and a redirect to http is not followed', async () => {
  const { environment, elsewhere, requests } = await secureServer()
  const outcome = await plumbline(['run'], environment)

  expect(outcome.status).toBe(3)
  expect(elsewhere.connections()).toBe(0)
  expect(requests.length).toBeGreaterThan(5)
  expect(reasonsOf(outcome, 'inconclusive')[0]).toMatch(/ 307 .* http:\/\/127\.0\.0\.1/)
})

it('a certificate is verified for the host of the URL, also at another address', async () => {
  const { environment, requests } = await secureServer()
  const { host, port } = new URL(environment.CODE_HOSTING_BASE_URL ?? '')
  const ofPort1 = JSON.parse(JSON.stringify(environment).replaceAll(host, '127.0.0.1:1'))
  const elsewhere = { ...ofPort1, PROBE_CONNECT_TO: `127.0.0.1:1:localhost:${port}` }
  const { output } = await plumbline(['doctor', '--format', 'json'], elsewhere)

  expect(JSON.parse(output).target.codeHosting.connectedTo).toBe(`localhost:${port}`)
  expect(requests.length).toBeGreaterThan(2)
  const ofName = JSON.parse(JSON.stringify(environment).replaceAll(host, 'node.invalid'))
  const misnamed = { ...ofName, PROBE_CONNECT_TO: `node.invalid:443:127.0.0.1:${port}` }
  const { status, text } = await plumbline(['doctor'], misnamed)
  expect(status).toBe(3)
  expect(text).toContain('(ERR_TLS_CERT_ALTNAME_INVALID)')
})

it('a self-signed certificate is reported, also by doctor', async () => {
  // In this process, which has read no authorities at its start.
  const { environment } = await secureServer()
  const { report, text } = await enclosedRun(environment)
  const noVerdict = report.results.find(({ verdict }) => verdict === 'inconclusive')?.noVerdict
  expect(noVerdict).toMatchObject({ kind: 'no service', instead: 'certificate' })
  expect(text).toContain('PROBE_TLS_CA')
  const { findings } = await examineEnvironment(environment)
  expect(findings.map(({ service, kind, text }) => `${service} ${kind}: ${text}`)).toEqual(
    catalogues.map(({ service }) =>
      expect.stringMatching(
        `^${service} target: .* is self-signed .*\\(DEPTH_ZERO_SELF_SIGNED_CERT\\)\\.$`,
      ),
    ),
  )
})
