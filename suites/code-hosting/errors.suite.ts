import { checkSettings, Skip, skip, skipUnobserved } from '../../lib/conformance/check-errors.ts'
import { contrast, isSuccess } from '../../lib/conformance/contrast.ts'
import { displayValue } from '../../lib/conformance/describe-exchange.ts'
import { allOrWorst, each } from '../../lib/conformance/each.ts'
import { judgeOptionalCase } from '../../lib/conformance/judge-cases.ts'
import { isBelow } from '../../lib/probe/base-url.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import { readDocumentation, requireDocumentation } from './documentation.ts'
import { expect, observe, verify } from './dsl.ts'
import { documentationUrl, leadsToDocumentation, originOf } from './model/exchange-filters.ts'

verify('code-hosting/documentation/served', async ({ codeHosting, run, target, tokens }) => {
  const [documentation, elsewhere] = await allOrWorst([
    readDocumentation(codeHosting, tokens.mainCredentials),
    codeHosting.undocumented(
      { method: 'GET', path: `/api/plumbline-${run.settings.runId}-missing`, body: null },
      { credentials: anonymous },
    ),
  ])
  requireDocumentation(documentation, elsewhere, target.baseUrl)
  expect(documentation).toHaveStatus(200)
  expect(documentation).toShow(documentation.text.trim() !== '', 'a page', 'a blank page')
  await judgeOptionalCase('the documentation with credentials', async () => {
    const credentials = await tokens.mainCredentials()
    expect(await codeHosting.documentation({ credentials })).toHaveStatus(200)
  })
})

verify('code-hosting/errors/documentation-link', async ({ codeHosting, target, tokens }) => {
  const error = await codeHosting.user({ credentials: anonymous })
  const url = documentationUrl(error) ?? skip('there was no error body with a url')
  const link = URL.canParse(url, error.request.url.href)
    ? new URL(url, error.request.url)
    : undefined
  // The server may report another origin for itself; nothing is sent there.
  const isSameOrigin = link?.origin === new URL(target.baseUrl).origin
  if (link === undefined || !isSameOrigin || !leadsToDocumentation(link)) return
  const served = await readDocumentation(codeHosting, tokens.mainCredentials).catch((error) => {
    if (!(error instanceof Skip)) throw error
  })
  if (served?.status !== 200) return
  const actual = `${displayValue(error, url)}, which is outside it and was not requested`
  expect(error).toShow(isBelow(link, target.baseUrl), 'a url below CODE_HOSTING_BASE_URL', actual)
  link.hash = ''
  const documentation = await codeHosting.documentation({}, link)
  const isThere = ![404, 410].includes(documentation.status)
  expect(documentation).toShow(isThere, 'a page', `status ${documentation.status}`, {
    status: true,
  })
})

observe('code-hosting/errors/documentation-link/origin', async ({ codeHosting }) => {
  const url = documentationUrl(await codeHosting.user({ credentials: anonymous }))
  return originOf(url)
})

verify('code-hosting/errors/validation-status', async ({ creations }) => {
  await contrast({
    control: creations.accepted,
    negative: creations.withoutName,
    assertRejection: (rejection) => expect(rejection).toHaveStatus(422),
  })
  await judgeOptionalCase('a number as the name', async () => {
    const rejection = await creations.withNumberAsName()
    // The server may read the number as a text, or call the body malformed.
    if (isSuccess(rejection)) skip('the server accepts a number')
    expect(rejection).toHaveStatus(400, 422)
  })
})

verify('code-hosting/errors/validation-names-field', async ({ creations }) => {
  const rejection = await creations.withoutName()
  // The document does not say that a name must not be empty.
  const empty = await creations.withEmptyName()
  if (empty.status === 422) expect(empty).toNameInMessage('name')
  const item = await creations.withNumberAsScope()
  if (item.status === 422) expect(item).toNameInMessage('scopes')
  const both = await creations.withTwoInvalidFields()
  const text = await creations.withScopesAsText()
  if (text.status === 422) expect(text).toNameInMessage('scopes')
  if (both.status === 422) expect(both).toNameInMessage('name', 'scopes')
  if (rejection.status !== 422) skipUnobserved(`the status was ${rejection.status} instead of 422`)
  expect(rejection).toNameInMessage('name')
})

verify('code-hosting/errors/malformed-body', ({ creations }) => {
  const { malformed, withFurtherText } = creations
  return each(
    [
      [malformed, 400, 422],
      [withFurtherText, 400],
    ] as const,
    ([negative, ...statuses]) =>
      contrast({
        control: creations.accepted,
        negative,
        assertRejection: (rejection) => expect(rejection).toHaveStatus(...statuses),
      }),
  )
})

observe('code-hosting/errors/malformed-body/status', async ({ creations }) => {
  const { status } = await creations.malformed()
  return status
})

verify('code-hosting/errors/no-content', async ({ supplied }) => {
  const response = await supplied.noContent()
  if (response.status !== 204) {
    const actual = `the status was ${response.status} instead of 204`
    checkSettings(['CODE_HOSTING_NO_CONTENT'], actual, response)
  }
  expect(response).toHaveNoBody()
  await judgeOptionalCase('CODE_HOSTING_NO_CONTENT again', async () => {
    const again = await supplied.noContentAgain()
    // What the first request removed is no longer there.
    if (again.status !== 204) skip(`the status was ${again.status}`)
    expect(again).toHaveNoBody()
  })
})
