import type { Settings } from '../environment/environment.ts'
import type { ExchangeRecord, Placeholder } from './exchange.ts'

export type RecordedRequest = ExchangeRecord['request']

/** Header fields that only concern the client or the connection. */
const framing =
  /^(?:host|user-agent|traceparent|connection|content-length|transfer-encoding):|^accept: \*\/\*$/i

/** Returns an argument for a POSIX shell. Placeholders become shell variables; NUL is removed. */
export function shellArgument(
  argument: string,
  placeholders: readonly Pick<Placeholder, 'at' | 'name'>[] = [],
): string {
  const withoutNul = (text: string) => text.replaceAll('\0', '')
  if (placeholders.length === 0) return `'${withoutNul(argument).replaceAll("'", "'\\''")}'`
  // Interactive shells expand `!` between double quotes too.
  const quoted = (text: string) =>
    withoutNul(text)
      .replace(/["\\`]/g, '\\$&')
      .replace(/[!$]+/g, `"'$&'"`)
  let [shell, end] = ['', 0]
  for (const { at, name } of placeholders) {
    shell += `${quoted(argument.slice(end, at))}\${${name}:?}`
    end = at + 1 + name.length
  }
  return `"${shell}${quoted(argument.slice(end))}"`
}

/** Returns a word for a POSIX shell, quoted only if it has to be. */
export const shellWord = (text: string) => (/^[\w./:@=-]+$/.test(text) ? text : shellArgument(text))

function partArgument(
  { placeholders = [] }: RecordedRequest,
  part: Placeholder['in'],
  text: string,
  before = '',
): string {
  const own = placeholders.filter((placeholder) => placeholder.in === part)
  const moved = own.map(({ at, name }) => ({ at: at + before.length, name }))
  return shellArgument(before + text, moved)
}

function headerArguments(request: RecordedRequest): string[] {
  return request.headers.flatMap(({ name, value }, index) => {
    if (framing.test(`${name}: ${value}`)) return []
    if (name.toLowerCase() === 'authorization' && request.user !== undefined) {
      return ['--user', partArgument(request, 'user', request.user)]
    }
    // Plumbline asks for gzip only; curl decodes what it asks for.
    if (name.toLowerCase() === 'accept-encoding') return ['--compressed']
    // `Name:` removes the field in curl; `Name;` sends it without a value.
    if (value === '') return ['--header', shellArgument(`${name};`)]
    return ['--header', partArgument(request, index, value, `${name}: `)]
  })
}

function methodArguments(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head']
  if (method === 'GET' && !hasBody) return []
  return ['--request', /^[A-Z]+$/.test(method) ? method : shellArgument(method)]
}

/** Variable that stops the shell with an error if the report has no body. */
const missingBody = `"\${REQUEST_BODY:?set it: the report has no bodies (PROBE_EVIDENCE=headers)}"`

function bodyArguments(request: RecordedRequest): string[] {
  const { method, headers, body, bodyBytes = 0 } = request
  // curl rejects a body with `--head`; without `--head`, it would wait for a response body.
  if (method === 'HEAD' || (body === null && bodyBytes === 0)) return []
  const typed = headers.some(({ name }) => name.toLowerCase() === 'content-type')
  // curl would add the media type of a form.
  const type = typed ? [] : ['--header', shellArgument('Content-Type:')]
  return [...type, '--data-raw', body === null ? missingBody : partArgument(request, 'body', body)]
}

function urlArguments(request: RecordedRequest): string[] {
  const { url } = request
  const path = url.replace(/^[^:]+:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '')
  const dotSegment = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
  return [
    ...(dotSegment ? ['--path-as-is'] : []),
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    partArgument(request, 'url', url),
  ]
}

const tlsOptions = { PROBE_TLS_CA: '--cacert', PROBE_TLS_CERT: '--cert', PROBE_TLS_KEY: '--key' }

export const PASSPHRASE = 'PROBE_TLS_KEY_PASSPHRASE'

function tlsArguments({ url }: RecordedRequest, settings: Settings): string[] {
  if (!url.startsWith('https:')) return []
  const files = Object.entries(tlsOptions).flatMap(([name, option]) => {
    if (!Object.hasOwn(settings, name)) return []
    const path = String(settings[name])
    // After a colon, `--cert` expects a passphrase.
    return [option, shellArgument(option === '--cert' ? path.replace(/[\\:]/g, '\\$&') : path)]
  })
  return Object.hasOwn(settings, PASSPHRASE) ? [...files, '--pass', `"\${${PASSPHRASE}:?}"`] : files
}

/** Without the `User-Agent` of the operator, a firewall may reject the command. */
const USER_AGENT = 'PROBE_USER_AGENT'

/** Returns a command for a POSIX shell that repeats the exchange. Secrets are shell variables. */
export function curlCommand({ request }: ExchangeRecord, settings: Settings = {}): string {
  const body = bodyArguments(request)
  const agent = Object.hasOwn(settings, USER_AGENT) ? String(settings[USER_AGENT]) : undefined
  return [
    'curl --include',
    ...tlsArguments(request, settings),
    ...(agent === undefined ? [] : ['--user-agent', shellArgument(agent)]),
    ...methodArguments(request.method, body.length > 0),
    ...headerArguments(request),
    ...body,
    ...(request.connectTo === undefined ? [] : ['--connect-to', shellArgument(request.connectTo)]),
    ...urlArguments(request),
  ].join(' ')
}
