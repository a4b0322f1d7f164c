import { describe, expect, it } from 'vitest'
import { completeEnvironment, targetOf } from './complete-environment.fixture.ts'
import { secretSettings, secretsOf } from './secrets.ts'
import { type VariableName, variables } from './variables.ts'

describe('secretsOf', () => {
  it('lists every secret of the table with its value', () => {
    const secret = (Object.keys(variables) as VariableName[]).filter(
      (name) => variables[name].secret,
    )
    const expected = secret.map((name) => ({
      name,
      value: name === 'CODE_HOSTING_OTP_SECRET' ? 'JBSWY3DPEHPK3PXP' : completeEnvironment[name],
    }))
    expect(secretsOf(targetOf(completeEnvironment))).toEqual(expected)
  })

  it('lists nothing that is not configured', () => {
    expect(secretsOf(targetOf({}))).toEqual([])
    const baseUrl = 'http://127.0.0.1:1'
    const names = ['CODE_HOSTING', 'EVENT_PUBLISHING', 'INCIDENT_STATUS']
    const services = names.map((name) => [`${name}_BASE_URL`, baseUrl])
    expect(secretsOf(targetOf(Object.fromEntries(services)))).toEqual([])
  })

  it.each([
    ['http://maria:secret@proxy', ['secret']],
    ['maria:secret@proxy:3128', ['secret']],
    ['http://maria:s%C3%A9cret%40@proxy', ['sécret@', 's%C3%A9cret%40']],
    ['http://maria:s|cret@proxy', ['s|cret', 's%7Ccret']],
    ['http://maria:100%@proxy', ['100%']],
    ['http://:secret@proxy', ['secret']],
    ['http://maria@proxy', []],
    ['http://proxy:3128', []],
  ])('lists the password of the proxy %s', (text, values) => {
    const of = (name: string) => values.map((value) => ({ name, value }))
    expect(secretsOf(targetOf({ https_proxy: text }))).toEqual(of('HTTPS_PROXY'))
    expect(secretsOf(targetOf({ HTTP_PROXY: text }))).toEqual(of('HTTP_PROXY'))
  })
})

describe('secretSettings', () => {
  it('lists the secret variables that are set, even where the target is not valid', () => {
    const environment = {
      CODE_HOSTING_PASSWORD: 'a\nb',
      CODE_HOSTING_TOKEN: '',
      CODE_HOSTING_USERNAME: 'maria',
      PASSWORD: 'x',
    }
    expect(secretSettings(environment)).toEqual([{ name: 'CODE_HOSTING_PASSWORD', value: 'a\nb' }])
  })
})
