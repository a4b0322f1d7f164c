import type { ExchangeRecord, HeaderField, Placeholder } from './exchange-record.ts'

type RecordedRequest = ExchangeRecord['request']

const framing =
  /^(?:host|user-agent|connection|content-length|transfer-encoding|accept-encoding):|^accept: \*\/\*$/i

/** Whether a header is about the request, rather than about who carries it. */
export function isRelevantRequestHeader({ name, value }: HeaderField): boolean {
  return !framing.test(`${name}: ${value}`)
}

/**
 * Returns one argument for a POSIX shell. The placeholders become variables that the shell expands;
 * everything else reaches the command as it is written, but NUL, which a shell cannot pass.
 */
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
    shell += `${quoted(argument.slice(end, at))}\${${name}}`
    end = at + 1 + name.length
  }
  return `"${shell}${quoted(argument.slice(end))}"`
}

/** Returns an argument that holds a part of a request, behind a text. */
function partArgument(
  { placeholders = [] }: RecordedRequest,
  part: Placeholder['in'],
  text: string,
  before = '',
): string {
  const own = placeholders.filter((one) => one.in === part)
  return shellArgument(
    before + text,
    own.map(({ at, name }) => ({ at: at + before.length, name })),
  )
}

function headerArguments(request: RecordedRequest): string[] {
  return request.headers.flatMap((field, index) => {
    const { name, value } = field
    if (!isRelevantRequestHeader(field)) return []
    if (name.toLowerCase() === 'authorization' && request.user !== undefined) {
      return ['--user', partArgument(request, 'user', request.user)]
    }
    // curl takes `Name:` for "do not send it"; `Name;` sends the header without a value.
    if (value === '') return ['--header', shellArgument(`${name};`)]
    return ['--header', partArgument(request, index, value, `${name}: `)]
  })
}

function methodArguments(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head']
  if (method === 'GET' && !hasBody) return []
  return ['--request', /^[A-Z]+$/.test(method) ? method : shellArgument(method)]
}

/** Where the report does not have the body, a shell says so in place of a request without it. */
const bodyLeftOut = `"\${REQUEST_BODY:?set it: the report has no bodies (PROBE_EVIDENCE=headers)}"`

function bodyArguments(request: RecordedRequest): string[] {
  const { method, headers, body, bodyBytes = 0 } = request
  // curl refuses to send a body with `--head`, the one way in which it does not wait for one.
  if (method === 'HEAD' || (body === null && bodyBytes === 0)) return []
  const typed = headers.some(({ name }) => name.toLowerCase() === 'content-type')
  // Without this curl would call any body a form.
  const type = typed ? [] : ['--header', shellArgument('Content-Type:')]
  return [...type, '--data-raw', body === null ? bodyLeftOut : partArgument(request, 'body', body)]
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

/** A command for a POSIX shell that repeats the exchange. Secrets are variables of the shell. */
export function curlCommand({ request }: ExchangeRecord): string {
  const body = bodyArguments(request)
  return [
    'curl',
    '--include',
    ...methodArguments(request.method, body.length > 0),
    ...headerArguments(request),
    ...body,
    ...urlArguments(request),
  ].join(' ')
}
