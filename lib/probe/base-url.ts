/** How often in a row the gateways and servers on the way may undo percent escapes. */
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
 * Returns true if a URL has the origin of the base URL and is below its path, whichever server reads it:
 * that path has to be there letter by letter, and no `..` behind it, as `..%2F` or `..;` neither.
 *
 * @param baseUrl without a trailing slash
 */
export function isBelow(url: URL, baseUrl: string): boolean {
  const base = new URL(baseUrl)
  if (url.origin !== base.origin) return false
  const path = base.pathname.replace(/\/$/, '')
  // Without a path the whole origin is the service's.
  if (path === '') return true
  const rest = url.pathname.slice(path.length)
  const isWithin = url.pathname.startsWith(path) && (rest === '' || rest.startsWith('/'))
  return isWithin && !/[/\\]\.\.(?![\w-])/.test(decoded(rest))
}

/**
 * Returns where a link of a list leads. A target at the origin of the base URL is taken as written.
 * Another origin is the server's own idea of its address: if it ends in the path of the list, the list
 * is requested below the base URL. Any other path, and a target that is no URL reference, is taken at
 * the origin of the base URL: the response shows that it leads nowhere.
 *
 * @param baseUrl without a trailing slash
 * @param path of the list, below the base URL
 */
export function linkedUrl(target: string, baseUrl: string, path: string): URL {
  const list = new URL(`${baseUrl}${path}`)
  const linked = URL.canParse(target, list.href) ? new URL(target, list) : undefined
  if (linked?.origin === list.origin) {
    // The server does not choose which credentials are sent.
    linked.username = ''
    linked.password = ''
    return linked
  }
  if (linked?.pathname.endsWith(path)) {
    list.search = linked.search
    return list
  }
  const url = new URL(baseUrl)
  // Assigned, since a path such as `//host/path` would be resolved to another origin.
  url.pathname = linked?.pathname ?? target
  url.search = linked?.search ?? ''
  return url
}
