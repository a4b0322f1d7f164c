import { describe, expect, it } from 'vitest'
import { type CanaryForm, canaryForms, oneTimeSecretForms } from './canary-forms.fixture.ts'
import { Redactor } from './redaction.ts'

const oneTimeSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const knownSecrets = {
  'a token': '0f4c096bbf1e344129093fa9160a01cba6605283',
  'a password with everything': 'pä ss/w+ö"r\\d\'&<€>%41=!~*()😀$HOME{x}',
  'a password of quotes': `it's "so" ''many''`,
  'a password of backslashes': 'a\\\\\\b\\"c\\n',
  'a password in Cyrillic': 'пароль-номер-один',
  'a password of words': 'correct horse battery staple',
  'an API key': 'k-+/=&%3D"<key>:1,2;[x]_~',
}

function redactorOf(secret: string): Redactor {
  const redactor = new Redactor()
  redactor.add('THE_SECRET', secret)
  return redactor
}

/** Returns the pieces of a text that identify a leaked part. */
function pieces(text: string, length: number): string[] {
  const count = Math.max(0, text.length - length + 1)
  return Array.from({ length: count }, (_, at) => text.slice(at, at + length))
}

/** Returns the pieces of a secret text that a redacted text still contains. */
function leaked(secretText: string, redacted: string, length: number): string[] {
  const remaining = new Set(pieces(redacted.replaceAll('$THE_SECRET', '\n\n\n'), length))
  return pieces(secretText, length).filter((piece) => remaining.has(piece))
}

function expectReplaced(redactor: Redactor, { label, text, core }: CanaryForm): void {
  const redacted = redactor.redact(`{"a":"${text}","ж":1} ${text}`)
  expect(redacted.match(/\$THE_SECRET/g)?.length, label).toBeGreaterThanOrEqual(2)
  expect(leaked(core, redacted, 5), label).toEqual([])
  expect(redacted, label).toMatch(/^\{"a":".*","ж":1\} /s)
}

/** Returns the form as a part of a JSON string. */
function withinJson({ label, text, core, json }: CanaryForm): CanaryForm {
  const quote = (part: string) => (json ? part : JSON.stringify(part).slice(1, -1))
  return { label: `${label}, within JSON`, text: quote(text), core: quote(core), json: true }
}

/** Returns prefixes of a secret: half, more, and all except the last character. */
function prefixesOf(secret: string): string[] {
  const half = Math.max(8, Math.ceil(secret.length / 2))
  const lengths = [half, Math.ceil((half + secret.length) / 2), secret.length - 1]
  return lengths.map((length) => secret.slice(0, length).replace(/[\uD800-\uDBFF]$/, ''))
}

it.each(Object.entries(knownSecrets))(
  '%s is replaced in each form, also within JSON',
  (_, secret) => {
    const redactor = redactorOf(secret)
    const forms = canaryForms(secret)
    for (const form of [...forms, ...forms.map(withinJson)]) expectReplaced(redactor, form)
  },
)

it.each(Object.entries(knownSecrets))('of %s, a prefix is replaced in each form', (_, secret) => {
  const redactor = redactorOf(secret)
  for (const { text, core, ...form } of prefixesOf(secret).flatMap(canaryForms)) {
    // With an escaped quote, the core extends to the end of the JSON.
    if (!core.endsWith('ifQ==')) expectReplaced(redactor, { ...form, core, text: `${text}…` })
  }
})

it('a secret of one-time codes, or its prefix, is replaced in each form', () => {
  const redactor = redactorOf(oneTimeSecret)
  const shown = [oneTimeSecret, ...prefixesOf(oneTimeSecret)]
  for (const form of shown.flatMap(oneTimeSecretForms)) expectReplaced(redactor, form)
})

describe('a text designed for slow searches', () => {
  const redactorWith = (secrets: Record<string, string>) =>
    new Redactor({ secrets: Object.entries(secrets).map(([name, value]) => ({ name, value })) })
  const backslashes = '\\'.repeat(40)

  it.each([
    ['of backslashes, which may be literal or escaped', `${backslashes}x`, '\\', 5_000],
    ['of quotes, which may be doubled', `${'"'.repeat(40)}x`, '"', 5_000],
    ['of a repeated long secret', 'a1'.repeat(2048).concat('!'), 'a1', 20_000],
    ['of a repeated longer secret', 'a1'.repeat(30_000).concat('!'), 'a1', 20_000],
    ['of escapes of escapes', `${'%'.repeat(60)}x`, '%25', 5_000],
  ])('%s, is searched in linear time', (_, value, unit, count) => {
    const redactor = redactorWith({ KEY: value })
    expect(redactor.redact(unit.repeat(count)).length).toBeLessThan(10)
    expect(redactor.redact(`${unit.repeat(2_000)} ${value}`)).toContain('$KEY')
  })

  it('of the common beginning of many secrets takes the time of a few', () => {
    const beginning = 'forge_0123456789abcdef0123456789abcdef'
    const text = `${beginning} `.repeat(4000)
    const costWith = (count: number) => {
      const numbers = Array.from({ length: count }, (_, number) => number)
      const entries = numbers.map((number) => [`K${number}`, `${beginning}${number}${number}`])
      const redactor = redactorWith(Object.fromEntries(entries))
      const before = process.cpuUsage()
      expect(redactor.redact(text)).not.toContain(beginning)
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    costWith(4)
    expect(costWith(256)).toBeLessThan(8 * costWith(4))
  })

  it('of repeated prefixes is searched in linear time', () => {
    const redactor = redactorWith({ KEY: `${'a'.repeat(60)}!` })
    const text = 'a'.repeat(50_000)
    expect(redactor.redact(text) === text).toBe(true)
  })
})
