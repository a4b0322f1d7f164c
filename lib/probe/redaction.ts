/** Digits alone occur everywhere, so a numeric secret counts only where no other digit touches it. */
const NUMERIC = /^\d+$/

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function encodedForms(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64')
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    new URLSearchParams({ value }).toString().slice('value='.length),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(value).toString('base64url'),
  ]
}

/**
 * The one place where secrets are taken out of text. Every secret is registered with the name that
 * stands for it; `redact` then replaces it by `$NAME` wherever it occurs, raw, JSON-escaped,
 * URL-encoded or in base64.
 */
export class Redactor {
  readonly #placeholders = new Map<string, string>()
  #pattern: RegExp | undefined

  /** Registers a secret. An empty value is ignored; the first name of a value wins. */
  add(name: string, value: string): void {
    if (value === '') return
    for (const form of encodedForms(value)) this.#register(form, `$${name}`)
  }

  /** Registers the credentials of basic authentication (RFC 7617), whose base64 joins name and password. */
  addBasic(username: string, name: string, password: string): void {
    this.add(name, password)
    const credentials = Buffer.from(`${username}:${password}`).toString('base64')
    this.#register(credentials, `base64(${username}:$${name})`)
    this.#register(encodeURIComponent(credentials), `base64(${username}:$${name})`)
  }

  #register(form: string, placeholder: string): void {
    if (this.#placeholders.has(form)) return
    this.#placeholders.set(form, placeholder)
    this.#pattern = undefined
  }

  redact(text: string): string {
    if (this.#placeholders.size === 0) return text
    this.#pattern ??= this.#compile()
    return text.replace(this.#pattern, (form) => this.#placeholders.get(form) ?? form)
  }

  // One alternation, longest form first: a placeholder is never searched for secrets again, and a
  // secret that is part of another does not break the longer one apart.
  #compile(): RegExp {
    const forms = [...this.#placeholders.keys()].sort((a, b) => b.length - a.length)
    const alternatives = forms.map((form) =>
      NUMERIC.test(form) ? `(?<!\\d)${form}(?!\\d)` : escapeRegExp(form),
    )
    return new RegExp(alternatives.join('|'), 'g')
  }
}
