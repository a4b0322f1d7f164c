import 'reflect-metadata'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const DAY_MS = 86_400_000
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Key and certificate in PEM. */
export interface Certificate {
  key: string
  cert: string
}

export interface CertificateOptions {
  /** The address that it is for; 127.0.0.1 by default. */
  address?: string
  /** Days from today; 30 by default. */
  validForDays?: number
}

/** A certificate for an address that signs itself. */
export async function selfSigned({
  address = '127.0.0.1',
  validForDays = 30,
}: CertificateOptions = {}): Promise<Certificate> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=plumbline test',
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - 60 * DAY_MS),
    notAfter: new Date(Date.now() + validForDays * DAY_MS),
    extensions: [
      new BasicConstraintsExtension(true),
      new SubjectAlternativeNameExtension([{ type: 'ip', value: address }]),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { key: PemConverter.encode(key, 'PRIVATE KEY'), cert: certificate.toString('pem') }
}
