import 'reflect-metadata'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { expect, it } from 'vitest'
import { examineEnvironment } from '../doctor/examination.fixture.ts'
import { closeAll, startServer } from '../probe/server.fixture.ts'
import { startHostile } from '../reference/hostile/index.fixture.ts'
import { atTheEnd, plumbline, reasonsOf, temporaryDirectory } from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

const DAY_MS = 86_400_000
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A certificate for 127.0.0.1 that signs itself, and its key, in PEM. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=plumbline test',
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    extensions: [
      new BasicConstraintsExtension(true),
      new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { key: PemConverter.encode(key, 'PRIVATE KEY'), cert: certificate.toString('pem') }
}

/** A server with a certificate that signs itself, and leads to http elsewhere. */
async function secureServer() {
  const certificate = await selfSigned()
  const elsewhere = await startServer((_, response) => response.end())
  const hostile = await startHostile({
    behaviour: 'redirects-elsewhere-307',
    tls: certificate,
    elsewhere: elsewhere.url.origin,
  })
  atTheEnd(() => Promise.all([hostile.close(), closeAll()]))
  const authority = join(temporaryDirectory(), 'authority.pem')
  writeFileSync(authority, certificate.cert)
  const environment = {
    ...hostile.environment,
    PROBE_RETRIES: '0',
    NODE_EXTRA_CA_CERTS: authority,
  }
  return { environment, elsewhere, requests: hostile.requests }
}

it('a certificate of an authority that is named is trusted, and a redirect to http not followed', async () => {
  const { environment, elsewhere, requests } = await secureServer()
  const outcome = await plumbline(['run'], environment)

  expect(outcome.status).toBe(3)
  expect(elsewhere.connections()).toBe(0)
  expect(requests.length).toBeGreaterThan(5)
  expect(reasonsOf(outcome, 'inconclusive')[0]).toMatch(
    /gave status 307 .* a redirect to http:\/\/127\.0\.0\.1/,
  )
})

it('a certificate which signs itself is told of, by doctor too', async () => {
  // In this process, which has read no authorities at its start.
  const { environment } = await secureServer()
  const [reason] = reasonsOf(await enclosedRun(environment), 'inconclusive')
  expect(reason).toMatch(/the certificate of the server is self-signed/)
  expect(reason).toMatch(/NODE_EXTRA_CA_CERTS .*it has to be in the environment of the process/)
  const { findings } = await examineEnvironment(environment)
  expect(findings.map(({ service, kind, text }) => `${service} ${kind}: ${text}`)).toEqual(
    ['code-hosting', 'event-publishing', 'incident-status'].map((service) =>
      expect.stringMatching(
        `^${service} target: .* is self-signed .*\\(DEPTH_ZERO_SELF_SIGNED_CERT\\)\\.$`,
      ),
    ),
  )
})
