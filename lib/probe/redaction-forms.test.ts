import { describe, expect, it } from 'vitest'
import { type CanaryForm, canaryForms, oneTimeSecretForms } from './canary-forms.fixture.ts'
import { Redactor } from './redaction.ts'

const oneTimeSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

const secrets = {
  'a token': '0f4c096bbf1e344129093fa9160a01cba6605283',
  'a password with everything': 'pä ss/w+ö"r\\d\'&<€>%41=!~*()😀$HOME{x}',
  'a password of quotes': `it's "so" ''many''`,
  'a password of backslashes': 'a\\\\\\b\\"c\\n',
  'a password in Cyrillic': 'пароль-номер-один',
  'a password of words': 'correct horse battery staple',
  'an API key': 'k-+/=&%3D"<key>:1,2;[x]_~',
}

const PIECE = 5

function pieces(text: string): string[] {
  return Array.from({ length: text.length - PIECE + 1 }, (_, at) => text.slice(at, at + PIECE))
}

function expectReplaced(secret: string, { text, core }: CanaryForm): void {
  const redactor = new Redactor()
  redactor.add('THE_SECRET', secret)
  const redacted = redactor.redact(`{"a":"${text}","ж":1} ${text}`)

  expect(redacted.match(/\$THE_SECRET/g)?.length).toBeGreaterThanOrEqual(2)
  const remaining = new Set(pieces(redacted.replaceAll('$THE_SECRET', '\n\n')))
  expect(pieces(core).filter((piece) => remaining.has(piece))).toEqual([])
  expect(redacted).toMatch(/^\{"a":".*","ж":1\} /s)
}

describe.each(Object.entries(secrets))('%s', (_, secret) => {
  it.each(canaryForms(secret))('is replaced $label', (form) => expectReplaced(secret, form))

  it.each(canaryForms(secret))('is replaced $label, within JSON', (form) => {
    const text = form.json ? form.text : JSON.stringify(form.text).slice(1, -1)
    const core = form.json ? form.core : JSON.stringify(form.core).slice(1, -1)
    expectReplaced(secret, { ...form, text, core })
  })
})

/** Returns prefixes of a secret: half, more, and all except the last character. */
function prefixesOf(secret: string): string[] {
  const half = Math.max(8, Math.ceil(secret.length / 2))
  const lengths = [half, Math.ceil((half + secret.length) / 2), secret.length - 1]
  return lengths.map((length) => secret.slice(0, length).replace(/[\uD800-\uDBFF]$/, ''))
}

describe.each(Object.entries(secrets))('a prefix of %s', (_, secret) => {
  const forms = prefixesOf(secret).flatMap(canaryForms)
  // With an escaped quote, the core extends to the end of the JSON.
  it.each(forms.filter(({ core }) => !core.endsWith('ifQ==')))('is replaced $label', (form) =>
    expectReplaced(secret, { ...form, text: `${form.text}…` }),
  )
})

describe('a secret of one-time codes', () => {
  it.each(oneTimeSecretForms(oneTimeSecret))('is replaced $label', (form) =>
    expectReplaced(oneTimeSecret, form),
  )

  it.each(prefixesOf(oneTimeSecret).flatMap(oneTimeSecretForms))(
    'of which only a prefix is shown is replaced $label',
    (form) => expectReplaced(oneTimeSecret, form),
  )
})
