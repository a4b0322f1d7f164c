const MAX_DECODINGS = 4

function decoded(path: string): string {
  let result = path
  for (let count = 0; count < MAX_DECODINGS; count += 1) {
    result = result.replace(/%([0-7][\da-f])/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  }
  return result
}

/**
 * Returns true if a URL has the origin of the base URL and is below its path on any server: the path must
 * match exactly, and no `..`, `..%2F` or `..;` may follow. The base URL has no trailing slash.
 */
export function isBelow(url: URL, baseUrl: string): boolean {
  const base = new URL(baseUrl)
  if (url.origin !== base.origin) return false
  const path = base.pathname.replace(/\/$/, '')
  // Without a path, the service owns the whole origin.
  if (path === '') return true
  const rest = url.pathname.slice(path.length)
  const isWithin = url.pathname.startsWith(path) && (rest === '' || rest.startsWith('/'))
  return isWithin && !/[/\\]\.\.(?![\w-])/.test(decoded(rest))
}

/**
 * Returns the URL to request for a link of a list. A target at another origin is resolved below the base URL
 * if it ends with the path of the list. Any other target is requested at the origin of the base URL.
 * The base URL has no trailing slash, and `path` is below it.
 */
export function linkedUrl(target: string, baseUrl: string, path: string): URL {
  const list = new URL(`${baseUrl}${path}`)
  const linked = URL.canParse(target, list.href) ? new URL(target, list) : undefined
  if (linked?.origin === list.origin) {
    // The server must not choose credentials.
    linked.username = ''
    linked.password = ''
    return linked
  }
  if (linked?.pathname.endsWith(path)) {
    list.search = linked.search
    return list
  }
  const url = new URL(baseUrl)
  // Assigned: resolving `//host/path` would change the origin.
  url.pathname = linked?.pathname ?? target
  url.search = linked?.search ?? ''
  return url
}
