/**
 * Where a key is in a request. `bare` is an `Authorization` header that holds nothing else, `token`
 * one with that prefix; `header` is any other header.
 */
export type KeyPlace =
  | 'header'
  | 'query'
  | 'bearer'
  | 'token'
  | 'bare'
  | 'basic-username'
  | 'basic-password'

/** Something in a request that might be a key. */
export interface PresentedKey {
  readonly place: KeyPlace
  /** Name of the header in lower case or of the query parameter; the prefix as it is written. */
  readonly name: string
  /** Never empty. */
  readonly key: string
}

function basicKeys(prefix: string, encoded: string): PresentedKey[] {
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) return []
  return [
    { place: 'basic-username', name: prefix, key: decoded.slice(0, colon) },
    { place: 'basic-password', name: prefix, key: decoded.slice(colon + 1) },
  ]
}

function authorizationKeys(field: string): PresentedKey[] {
  const [, prefix = '', rest = ''] = /^(\S+) +(.*)$/.exec(field) ?? []
  switch (prefix.toLowerCase()) {
    case '':
      return [{ place: 'bare', name: '', key: field }]
    case 'bearer':
      return [{ place: 'bearer', name: prefix, key: rest }]
    case 'token':
      return [{ place: 'token', name: prefix, key: rest }]
    case 'basic':
      return basicKeys(prefix, rest)
    default:
      return []
  }
}

/** Everything in the request that might be a key, wherever it is. */
export function presentedKeys(headers: Headers, url: URL): readonly PresentedKey[] {
  const presented: PresentedKey[] = []
  for (const [name, field] of headers) {
    if (name === 'authorization') presented.push(...authorizationKeys(field))
    else presented.push({ place: 'header', name, key: field })
  }
  for (const [name, value] of url.searchParams) presented.push({ place: 'query', name, key: value })
  return presented.filter(({ key }) => key !== '')
}
