import { describe, expect, it } from 'vitest'
import { junitXml } from './junit.ts'
import { exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'
import { elements, readXml, type XmlNode } from './xml.fixture.ts'

const document = readXml(junitXml(reportFixture()))
const suites = elements(document, 'testsuite')

function testCase(requirement: string, within: XmlNode = document): XmlNode {
  const found = elements(within, 'testcase').find((node) =>
    elements(node, 'property').some(
      ({ attributes }) => attributes.name === 'requirement' && attributes.value === requirement,
    ),
  )
  if (found === undefined) throw new Error(`no test case for ${requirement}`)
  return found
}

describe('suites and cases', () => {
  it('has a suite for each section, in order of appearance', () => {
    expect(suites.map(({ attributes }) => attributes.name)).toEqual([
      'code-hosting/resources',
      'code-hosting/pagination',
      'code-hosting/tokens',
      'code-hosting/authentication',
      'incident-status/updates',
      'code-hosting/scopes',
    ])
  })

  it('names a case by its id alone, times it in seconds', () => {
    expect(testCase('code-hosting/pagination/limit-lowered').attributes).toEqual({
      classname: 'code-hosting.pagination',
      name: 'limit-lowered',
      time: '1.234',
    })
  })

  it('counts what the elements say', () => {
    for (const node of [document, ...suites]) {
      expect(node.attributes).toMatchObject({
        tests: String(elements(node, 'testcase').length),
        failures: String(elements(node, 'failure').length),
        errors: String(elements(node, 'error').length),
        skipped: String(elements(node, 'skipped').length),
      })
    }
    expect(document.attributes).toMatchObject({ failures: '2', errors: '1', skipped: '4' })
  })

  it('tells at the root how long the run took, not how long all checks did together', () => {
    expect(document.attributes.time).toBe('12.34')
  })

  it('gives every case its properties', () => {
    const properties = elements(testCase('code-hosting/scopes/missing-scope-message'), 'property')
    expect(properties.map(({ attributes }) => [attributes.name, attributes.value])).toEqual([
      ['requirement', 'code-hosting/scopes/missing-scope-message'],
      ['statement', 'The message names the scopes.'],
      ['section', 'Scopes'],
      ['level', 'wording'],
      ['verdict', 'advisory'],
    ])
  })
})

describe('outcomes', () => {
  it('tells of a failure what a person needs to see and repeat it', () => {
    const [failure] = elements(testCase('code-hosting/pagination/limit-lowered'), 'failure')
    expect(failure?.attributes).toEqual({
      message: 'expected X-PerPage: 25, actual X-PerPage: 50',
      type: 'contract',
    })
    const lines = failure?.text.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'A limit above the maximum is lowered to the maximum.',
        'Section: Pagination',
        'Expected: X-PerPage: 25',
        'Actual:   X-PerPage: 50',
        '> GET https://git.example.com/api/v1/user/repos?limit=26',
        '< 200 OK',
        '< X-PerPage: 50',
      ]),
    )
    expect(failure?.text).toContain('see also e2')
    expect(failure?.text).toContain(
      `curl --include --header 'Accept: application/json' --header "Authorization: Bearer $READ_USER_TOKEN" 'https://git.example.com/api/v1/user/repos?limit=26'`,
    )
  })

  it('makes inconclusive an error, with what happened instead of a response', () => {
    const [error] = elements(testCase('code-hosting/pagination/total-count'), 'error')
    expect(error?.attributes).toEqual({
      message: 'connection refused by git.example.com:443',
      type: 'inconclusive',
    })
    expect(error?.text).toContain('< no response: connect ECONNREFUSED 192.0.2.7:443')
  })

  it.each([
    ['code-hosting/authentication/sudo-header', 'skipped: CODE_HOSTING_ADMIN_USERNAME is not set'],
    [
      'incident-status/updates/no-response-body',
      'waived: known since January: the gateway adds a body',
    ],
    [
      'code-hosting/scopes/missing-scope-message',
      'advisory: expected required=[…], token scope=…, actual forbidden',
    ],
  ])('skips %s with a message', (requirement, message) => {
    const [skipped] = elements(testCase(requirement), 'skipped')
    expect(skipped?.attributes.message).toBe(message)
  })

  it('says what a pass left out', () => {
    const [output] = elements(testCase('code-hosting/tokens/documented-scopes'), 'system-out')
    expect(output?.text).toContain('without the two admin scopes')
  })
})

describe('hostile text', () => {
  it('is written out where XML cannot carry it and kept where it can', () => {
    const [failure] = elements(testCase('code-hosting/tokens/created'), 'failure')
    const shown =
      'nul \\u0000 escape \\u001b[31m\\u001b]0;title\\u0007 surrogates \\ud800 \\udc00 end ]]> twice ]]> <script>alert(1)</script> & "quoted"'
    expect(failure?.text).toContain(`Actual:   ${shown}`)
    expect(failure?.text).toContain(`< first line\n< second line\n< ${shown}`)
  })

  it('does not grow without bound', () => {
    const body = 'x'.repeat(1_000_000)
    const response = { status: 200, headers: [], body, bodyBytes: body.length }
    const results = [resultFixture({ verdict: 'fail', actual: body, exchanges: ['e1'] })]
    const exchanges = [exchangeFixture({ response })]
    expect(junitXml(reportFixture({ results, exchanges })).length).toBeLessThan(20_000)
  })
})
