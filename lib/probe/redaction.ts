import { base64Pattern, textPattern } from './secret-forms.ts'

const LONGEST_REMEMBERED = 512

const BASIC_CREDENTIALS = /\b(?<scheme>basic +)(?<token>[\w+/-]+={0,2})/gi

interface SecretForm {
  /** Decides which of two forms that begin at the same place counts. */
  length: number
  /** Source of a regular expression without groups that capture. */
  pattern: string
  replacement: () => string
}

/**
 * The one place where secrets are taken out of text. Every secret is registered with the name that
 * stands for it; `redact` then replaces it by `$NAME` wherever it occurs: raw, escaped as in JSON or
 * HTML, URL-encoded, in base64 or inside a Basic header.
 */
export class Redactor {
  readonly #forms = new Map<string, SecretForm>()
  readonly #names = new Set<string>()
  #pattern: RegExp | undefined
  /** Most texts come again and again: header values, paths, messages. */
  readonly #redacted = new Map<string, string>()
  #ordered: SecretForm[] = []

  /** Registers a secret. An empty value is ignored; the first name of a value wins. */
  add(name: string, value: string): void {
    if (value === '') return
    this.#names.add(name)
    const replacement = () => `$${name}`
    this.#register({ length: value.length, pattern: textPattern(value), replacement })
    this.#register({ length: value.length, pattern: base64Pattern(value), replacement })
  }

  /** Registers the credentials of basic authentication (RFC 7617), whose base64 joins name and password. */
  addBasic(username: string, name: string, password: string): void {
    if (password === '') return
    this.add(name, password)
    const credentials = `${username}:${password}`
    this.#register({
      length: credentials.length,
      pattern: base64Pattern(credentials),
      replacement: () => `base64(${this.redact(credentials)})`,
    })
  }

  #register(form: SecretForm): void {
    if (this.#forms.has(form.pattern)) return
    this.#forms.set(form.pattern, form)
    this.#pattern = undefined
    this.#redacted.clear()
  }

  redact(text: string): string {
    if (this.#forms.size === 0) return text
    const known = this.#redacted.get(text)
    if (known !== undefined) return known
    this.#pattern ??= this.#compile()
    const redacted = this.#replace(text, this.#pattern)
    if (text.length <= LONGEST_REMEMBERED) this.#redacted.set(text, redacted)
    return redacted
  }

  #replace(text: string, pattern: RegExp): string {
    return this.#redactBasic(text).replace(pattern, (match: string, ...groups: unknown[]) => {
      const index = groups.slice(0, this.#ordered.length).findIndex((group) => group !== undefined)
      return this.#ordered[index]?.replacement() ?? match
    })
  }

  // Credentials are looked into, since not every pair of a name and a password is registered.
  #redactBasic(text: string): string {
    return text.replace(BASIC_CREDENTIALS, (match: string, scheme: string, token: string) => {
      const credentials = Buffer.from(token, 'base64').toString('utf8')
      const redacted = this.redact(credentials)
      return redacted === credentials ? match : `${scheme}base64(${redacted})`
    })
  }

  // One alternation, placeholders first: they are never searched for secrets again. Then the longest
  // form first: a secret that is part of another does not break the longer one apart.
  #compile(): RegExp {
    this.#ordered = [...this.#forms.values()].sort((a, b) => b.length - a.length)
    const names = [...this.#names].sort((a, b) => b.length - a.length)
    const placeholders = names.map((name) => `\\$${textPattern(name)}`)
    const secrets = this.#ordered.map(({ pattern }) => `(${pattern})`)
    return new RegExp([...placeholders, ...secrets].join('|'), 'g')
  }
}
