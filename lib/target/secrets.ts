import type { Target } from './target.ts'
import { isVariableName, variables } from './variables.ts'

/** A value that must not be seen, and the name that stands for it. */
export interface Secret {
  name: string
  value: string
}

/**
 * Every configured secret of the target: passwords, the token, the secret of the one-time codes,
 * API keys, and passwords in the URLs of proxies. A proxy password that is percent-encoded in its URL is
 * listed both decoded and as it is written there.
 */
export function secretsOf({
  codeHosting,
  eventPublishing,
  incidentStatus,
  probe,
}: Target): Secret[] {
  const values: readonly (readonly [string, string | undefined])[] = [
    ['CODE_HOSTING_PASSWORD', codeHosting?.password],
    ['CODE_HOSTING_TOKEN', codeHosting?.token],
    ['CODE_HOSTING_OTHER_PASSWORD', codeHosting?.other?.password],
    ['CODE_HOSTING_OTP_PASSWORD', codeHosting?.otp?.password],
    ['CODE_HOSTING_OTP_SECRET', codeHosting?.otp?.secret],
    ['CODE_HOSTING_ADMIN_PASSWORD', codeHosting?.admin?.password],
    ['EVENT_PUBLISHING_API_KEY', eventPublishing?.apiKey],
    ['INCIDENT_STATUS_API_KEY', incidentStatus?.apiKey],
    ...passwordsIn(probe.proxy.https).map((value) => ['HTTPS_PROXY', value] as const),
    ...passwordsIn(probe.proxy.http).map((value) => ['HTTP_PROXY', value] as const),
  ]
  return values.flatMap(([name, value]) => (value ? [{ name, value }] : []))
}

/** The secret variables that are set, whether what they belong to is valid or not. */
export function secretSettings(environment: NodeJS.ProcessEnv): Secret[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    isVariableName(name) && variables[name].secret && value ? [{ name, value }] : [],
  )
}

function passwordsIn(proxy: string | undefined): string[] {
  if (proxy === undefined || !URL.canParse(proxy)) return []
  // Taken from the text as well, since a URL re-encodes what it was given.
  const written = /^[^/]*\/\/[^/@:]*:([^/]*)@/.exec(proxy)?.[1] ?? ''
  const { password } = new URL(proxy)
  return [...new Set([decoded(password), password, written])]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that stands for itself.
    return text
  }
}
