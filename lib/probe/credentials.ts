export type Credentials =
  | { readonly kind: 'none' }
  /** `user`: username and password of basic authentication. */
  | { readonly kind: 'authorization'; readonly value: string; readonly user?: string }
  | { readonly kind: 'header'; readonly names: readonly string[]; readonly value: string }
  /** `isFirst`: they precede the other parameters. */
  | {
      readonly kind: 'query'
      readonly parameters: readonly string[]
      readonly token: string
      readonly isFirst: boolean
    }
  | { readonly kind: 'body'; readonly members: readonly string[]; readonly value: string }

export const anonymous: Credentials = { kind: 'none' }

/** Returns an `Authorization` field (RFC 9110, 11.6.2); the scheme keeps its letter case. */
export function authorization(scheme: string, credentials: string): Credentials {
  return { kind: 'authorization', value: `${scheme} ${credentials}` }
}

export function bearer(token: string): Credentials {
  return authorization('Bearer', token)
}

/** Returns credentials of basic authentication (RFC 7617) in UTF-8. */
export function basic(username: string, password: string) {
  const user = `${username}:${password}`
  const value = `Basic ${Buffer.from(user).toString('base64')}`
  return { kind: 'authorization', value, user } satisfies Credentials
}

export function headerKey(names: string | readonly string[], value: string): Credentials {
  return { kind: 'header', names: [names].flat(), value }
}

/** Returns credentials in members of a JSON body; a body that is not a JSON object stays as it is. */
export function bodyMembers(members: readonly string[], value: string): Credentials {
  return { kind: 'body', members, value }
}

/** Returns the header fields in which a proxy names the sender of a request. They are not credentials. */
export const proxyFields = (user: string): Readonly<Record<string, string>> => ({
  'X-WEBAUTH-USER': user,
  'X-Remote-User': user,
  'X-Forwarded-User': user,
  'Remote-User': user,
  'X-Forwarded-For': '127.0.0.1',
  'X-Real-IP': '127.0.0.1',
  'X-Original-URL': '/',
})

export function queryToken(
  parameters: string | readonly string[],
  token: string,
  isFirst = false,
): Credentials {
  return { kind: 'query', parameters: [parameters].flat(), token, isFirst }
}

export function withQueryToken({ url, credentials }: { url: URL; credentials?: Credentials }): URL {
  if (credentials?.kind !== 'query') return url
  const { parameters, token, isFirst } = credentials
  const result = new URL(url)
  // A link may have them at another place, where they stay.
  for (const name of parameters) result.searchParams.set(name, token)
  if (!isFirst) return result
  const rank = ([name = '']: readonly string[]) => Number(!parameters.includes(name))
  const sorted = [...result.searchParams].sort((one, other) => rank(one) - rank(other))
  result.search = String(new URLSearchParams(sorted))
  return result
}
