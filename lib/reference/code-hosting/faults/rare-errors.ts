// Wrong error responses that only a few kinds of requests receive.

import type { Change } from '../../rule-tables.ts'
import { alter, alterParts, faultsOf, onlyIf, type Rules } from '../changes.ts'
import type { RequestContext } from '../server.ts'

/** Rules of rejections by name of their response. */
const rejections = {
  'archived-change': ['archived', /./],
  conflict: ['repositoryExists', /./],
  'duplicate-name': ['duplicateTokenName', /./],
  'malformed-body': ['malformedBody', /./],
  'foreign-tokens': ['foreignTokens', /./],
  'sudo-of-others': ['sudoForbidden', /./],
  'empty-field': ['invalidField', /empty/],
  'missing-field': ['invalidField', /^(?!.*empty)/],
  'missing-one-time-code': ['missingOneTimeCode', /./],
} as const

type Rejection = keyof typeof rejections

/** Changes the responses to requests that a rule rejects. */
function rejectedBy(rejection: Rejection, change: Change<Rules>): Change<Rules> {
  const [name, text] = rejections[rejection]
  const rejected = new WeakSet<RequestContext>()
  const noting = alter(name, (error, ...all) => {
    if (text.test(error.message)) rejected.add(all.at(-1) as RequestContext)
    return error
  })
  return [noting, onlyIf((context) => rejected.has(context), change)]
}

const inPlainText = alterParts((parts, _) => {
  parts.headers.set('Content-Type', 'text/plain;charset=utf-8')
  return { ...parts, body: 'rejected' }
})

const rejectedEach = (shape: string, change: Change<Rules>, ...names: readonly Rejection[]) =>
  Object.fromEntries(names.map((name) => [`${name}-error-${shape}`, rejectedBy(name, change)]))

const all = Object.keys(rejections) as readonly Rejection[]
const withoutUrl = { errorBody: ({ message }: Error) => ({ message }) }
const withoutMessage = { errorBody: (_error: Error, url: string) => ({ url }) }
const inAList = alter('errorBody', (body) => [body])
const linkedElsewhere = { documentationLink: (address: string) => `${address}/docs` }

const errors = faultsOf('errors')

export const rareErrorFaults = [
  errors('body', {
    ...rejectedEach('without-url', withoutUrl, ...all),
    ...rejectedEach('without-message', withoutMessage, 'archived-change', 'conflict'),
    ...rejectedEach('in-a-list', inAList, 'duplicate-name', 'malformed-body'),
  }),
  errors(['body', 'resources/json'], {
    ...rejectedEach('in-plain-text', inPlainText, 'archived-change', 'conflict', 'sudo-of-others'),
    ...rejectedEach('in-plain-text', inPlainText, 'duplicate-name', 'foreign-tokens'),
  }),
  errors(['body', 'validation-names-field'], {
    ...rejectedEach('without-message', withoutMessage, 'empty-field', 'missing-field'),
  }),
  errors('documentation-link', {
    ...rejectedEach('linked-elsewhere', linkedElsewhere, ...all),
  }),
].flat()
