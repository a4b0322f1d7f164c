/** How a request names its sender. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'authorization'; readonly value: string }
  | { readonly kind: 'query'; readonly parameter: string; readonly token: string }

export const anonymous: Credentials = { kind: 'none' }

/** `Authorization` with any scheme (RFC 9110, 11.6.2), the scheme in the given case. */
export function authorization(scheme: string, credentials: string): Credentials {
  return { kind: 'authorization', value: `${scheme} ${credentials}` }
}

/** Bearer token in the header (RFC 6750, 2.1). */
export function bearer(token: string): Credentials {
  return authorization('Bearer', token)
}

/** Basic authentication (RFC 7617), in UTF-8. */
export function basic(username: string, password: string): Credentials {
  return authorization('Basic', Buffer.from(`${username}:${password}`).toString('base64'))
}

/** Token in a query parameter. */
export function queryToken(parameter: string, token: string): Credentials {
  return { kind: 'query', parameter, token }
}
