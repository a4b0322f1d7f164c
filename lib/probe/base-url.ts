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
