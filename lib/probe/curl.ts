import type { ExchangeRecord, HeaderField } from './exchange-record.ts'
import { splitAtPlaceholders } from './placeholders.ts'

const framing =
  /^(?:host|user-agent|connection|content-length|transfer-encoding|accept-encoding):|^accept: \*\/\*$/i

/** Whether a header is about the request, rather than about who carries it. */
export function isTellingRequestHeader({ name, value }: HeaderField): boolean {
  return !framing.test(`${name}: ${value}`)
}

/**
 * One argument for a POSIX shell. The placeholders of `secrets` become variables that the shell expands;
 * everything else reaches the command as it is written, but NUL, which a shell cannot pass.
 */
export function shellArgument(argument: string, secrets: readonly string[] = []): string {
  const parts = splitAtPlaceholders(argument.replaceAll('\0', ''), secrets)
  if (parts.length === 1) return `'${parts.join('').replaceAll("'", "'\\''")}'`
  const quoted = parts.map((part, index) =>
    // Interactive shells expand `!` between double quotes too.
    index % 2 === 0 ? part.replace(/["\\`]/g, '\\$&').replace(/[!$]+/g, `"'$&'"`) : `\${${part}}`,
  )
  return `"${quoted.join('')}"`
}

function headerArguments(
  { name, value }: HeaderField,
  { user, secrets = [] }: ExchangeRecord['request'],
): string[] {
  if (user !== undefined && name.toLowerCase() === 'authorization') {
    return ['--user', shellArgument(user, secrets)]
  }
  // curl takes `Name:` for "do not send it"; `Name;` sends the header without a value.
  return ['--header', shellArgument(value === '' ? `${name};` : `${name}: ${value}`, secrets)]
}

function methodArguments(method: string, hasBody: boolean): string[] {
  if (method === 'HEAD') return ['--head']
  if (method === 'GET' && !hasBody) return []
  return ['--request', /^[A-Z]+$/.test(method) ? method : shellArgument(method)]
}

/** Where the report does not have the body, a shell says so in place of a request without it. */
const bodyLeftOut = `"\${REQUEST_BODY:?set it: the report has no bodies (PROBE_EVIDENCE=headers)}"`

function bodyArguments(request: ExchangeRecord['request']): string[] {
  const { method, headers, body, bodyBytes = 0, secrets } = request
  // curl refuses to send a body with `--head`, the one way in which it does not wait for one.
  if (method === 'HEAD' || (body === null && bodyBytes === 0)) return []
  const typed = headers.some(({ name }) => name.toLowerCase() === 'content-type')
  // Without this curl would call any body a form.
  const type = typed ? [] : ['--header', shellArgument('Content-Type:')]
  return [...type, '--data-raw', body === null ? bodyLeftOut : shellArgument(body, secrets)]
}

function urlArguments({ url, secrets }: ExchangeRecord['request']): string[] {
  const path = url.replace(/^[^:]+:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '')
  const dotSegment = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))
  return [
    ...(dotSegment ? ['--path-as-is'] : []),
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    shellArgument(url, secrets),
  ]
}

/** A command for a POSIX shell that repeats the exchange. Secrets are variables of the shell. */
export function curlCommand({ request }: ExchangeRecord): string {
  const body = bodyArguments(request)
  return [
    'curl',
    '--include',
    ...methodArguments(request.method, body.length > 0),
    ...request.headers
      .filter(isTellingRequestHeader)
      .flatMap((field) => headerArguments(field, request)),
    ...body,
    ...urlArguments(request),
  ].join(' ')
}
