/** The message of a rejection because of a missing scope. */
const FORM =
  /^token does not have at least one of required scope\(s\), required=\[([^\]]*)\], token scope=(.*)$/

const SCOPE_IN_TEXT = /\b(?:(?:read|write):[a-z]+|all|public-only)\b/g

const SCOPE = /^(?:(?:read|write):[a-z]+|all|public-only)$/

/** Parses the message of a missing scope; returns undefined for an undocumented form. */
export function parseScopeMessage(message: string) {
  const lists = FORM.exec(message)?.slice(1)
  const [required = [], granted = []] = (lists ?? []).map((list) =>
    list.split(/[\s,]+/).filter(Boolean),
  )
  const areScopes = [...required, ...granted].every((scope) => SCOPE.test(scope))
  return required.length > 0 && areScopes ? { required, granted } : undefined
}

/** Returns the scopes in a message. In an undocumented form, all of them count as required and granted. */
export function scopesNamed(message: string) {
  const named: string[] = message.match(SCOPE_IN_TEXT) ?? []
  return parseScopeMessage(message) ?? { required: named, granted: named }
}
