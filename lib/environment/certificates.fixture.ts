import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Certificates of one authority, valid until 2119, of use for nothing else: for the server 127.0.0.1 and for a client. */
export const authority = `-----BEGIN CERTIFICATE-----
MIIBajCCARCgAwIBAgICEAAwCgYIKoZIzj0EAwIwIzEhMB8GA1UEAwwYcGx1bWJs
aW5lIHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMTkxMjMxMDAw
MDAwWjAjMSEwHwYDVQQDDBhwbHVtYmxpbmUgdGVzdCBhdXRob3JpdHkwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQ2WsG6YfXNxuf1odlYXTlxFcqNi9mwT8J8uv6N
T90wyIs/RnUm+T9Ayq6wsCrNRYWggrEp4epPRZkNguIvV3MbozIwMDAPBgNVHRMB
Af8EBTADAQH/MB0GA1UdDgQWBBQN70QapYadQ28HD10K2sQGUcq3LTAKBggqhkjO
PQQDAgNIADBFAiA82izRL+h4BEbac0jS5/xKE/Z6znYXMXnJv7toB6SQVAIhAIUc
43mZvbaJAbpJROc3JVAk/ZgPhgiKl/grIxfI9tyC
-----END CERTIFICATE-----
`

export const serverIdentity = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBpzCCAU6gAwIBAgICEAEwCgYIKoZIzj0EAwIwIzEhMB8GA1UEAwwYcGx1bWJs
aW5lIHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMTkxMjMxMDAw
MDAwWjAgMR4wHAYDVQQDDBVwbHVtYmxpbmUgdGVzdCBzZXJ2ZXIwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAARO/fkU5gbQz3oyC1a4WiyMqQoid0P/yWeKm7YNkl5J
CsuB99K08JFvJhEFk7tgjeOswGlatQbiPIp1gE0XoLxto3MwcTAaBgNVHREEEzAR
hwR/AAABgglsb2NhbGhvc3QwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0OBBYE
FIw7rWxj8ilWqULrmGc2wsDrTomYMB8GA1UdIwQYMBaAFA3vRBqlhp1DbwcPXQra
xAZRyrctMAoGCCqGSM49BAMCA0cAMEQCIHyWEDNP8rhVqB7pZTI6VXXAFU6hkzFq
sEKJt2ouqQ5fAiB3CWKo6vE1ziNczuizTL98v3R/ANHoThTUwtdzncOSnw==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNPRhjdCi9Y/6vUZu
r+LLB47DkokeuT6VD3E2NpCo5vOhRANCAARO/fkU5gbQz3oyC1a4WiyMqQoid0P/
yWeKm7YNkl5JCsuB99K08JFvJhEFk7tgjeOswGlatQbiPIp1gE0XoLxt
-----END PRIVATE KEY-----
`,
}

export const clientIdentity = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBjDCCATKgAwIBAgICEAIwCgYIKoZIzj0EAwIwIzEhMB8GA1UEAwwYcGx1bWJs
aW5lIHRlc3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMTkxMjMxMDAw
MDAwWjAgMR4wHAYDVQQDDBVwbHVtYmxpbmUgdGVzdCBjbGllbnQwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAATwhPsjxMeP9GHDiH0On+R+oYll5BCW+gOmTvAQzUxJ
+DVQ/WZ+JJDxdQaiLn6DqdOUbK8I82XGq0Loab4lBXUgo1cwVTATBgNVHSUEDDAK
BggrBgEFBQcDAjAdBgNVHQ4EFgQU5/d1IUpqnezMSQqQ8/+g2tKY6HAwHwYDVR0j
BBgwFoAUDe9EGqWGnUNvBw9dCtrEBlHKty0wCgYIKoZIzj0EAwIDSAAwRQIgCSDK
qX76A6DPUlw2ED/71sGrhbH+jobWjw7DiEvxyx4CIQDdNtrhhOgiGsxYUqqO/x8q
/aUvY9omoFQl1rbl/pGV8w==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvg99Jk+/pazdIdY/
9opvdTjCMrNQUb/ze9JZf6S5rPShRANCAATwhPsjxMeP9GHDiH0On+R+oYll5BCW
+gOmTvAQzUxJ+DVQ/WZ+JJDxdQaiLn6DqdOUbK8I82XGq0Loab4lBXUg
-----END PRIVATE KEY-----
`,
}

export const passphrase = 'passphrase-of-the-client-key-0123'

/** Writes the files of a client to a directory, with an encrypted key, and returns their variables. */
export function writeClientFiles(directory: string) {
  const encryption = { cipher: 'aes-256-cbc', passphrase }
  const key = createPrivateKey(clientIdentity.key)
  const files = {
    PROBE_TLS_CA: ['authority.pem', authority],
    PROBE_TLS_CERT: ['client.pem', clientIdentity.cert],
    PROBE_TLS_KEY: [
      "client's key.pem",
      key.export({ type: 'pkcs8', format: 'pem', ...encryption }).toString(),
    ],
  } as const
  const paths = Object.entries(files).map(([variable, [name, content]]) => {
    const path = join(directory, name)
    writeFileSync(path, content)
    return [variable, path]
  })
  const variables = { ...Object.fromEntries(paths), PROBE_TLS_KEY_PASSPHRASE: passphrase }
  return variables as Record<keyof typeof files | 'PROBE_TLS_KEY_PASSPHRASE', string>
}

/** Files that remain until the process ends, for environments that several tests share. */
const shared = mkdtempSync(join(tmpdir(), 'plumbline-tls-'))
process.once('exit', () => rmSync(shared, { recursive: true, force: true }))
export const clientFiles = writeClientFiles(shared)

/** Returns a private key that belongs to no certificate. */
export const otherKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
