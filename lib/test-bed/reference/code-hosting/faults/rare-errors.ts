// Wrong error responses that only a few kinds of requests receive.

import type { Change } from '../../rule-tables.ts'
import { alter, alterParts, faultsOf, onlyIf, type Rules } from '../changes.ts'
import type { RequestContext } from '../server.ts'

/** Rules of rejections by the kind of request. */
const rules = {
  'archived-change': 'archived',
  conflict: 'repositoryExists',
  'empty-name': 'invalidField',
} as const

type Rejection = keyof typeof rules

const isEmptyName = ({ message }: Error) => /empty/.test(message)

/** Changes the responses to these requests. */
const rejected = (shape: string, change: Change<Rules>, ...names: readonly Rejection[]) =>
  Object.fromEntries(
    names.map((kind) => {
      const contexts = new WeakSet<RequestContext>()
      const noting = alter(rules[kind], (error, ...all) => {
        if (rules[kind] !== 'invalidField' || isEmptyName(error))
          contexts.add(all.at(-1) as RequestContext)
        return error
      })
      return [`${kind}-error-${shape}`, [noting, onlyIf((at) => contexts.has(at), change)]]
    }),
  )

const inPlainText = alterParts((parts) => {
  parts.headers.set('Content-Type', 'text/plain;charset=utf-8')
  return { ...parts, body: 'rejected' }
})
const withoutUrl = { errorBody: ({ message }: Error) => ({ message }) }
const withoutMessage = { errorBody: (_error: Error, url: string) => ({ url }) }
const inAList = alter('errorBody', (body) => [body])
const elsewhere = { documentationLink: (address: string) => `${address}/docs` }

const errors = faultsOf('errors')

export const rareErrorFaults = [
  errors('body', {
    ...rejected('without-url', withoutUrl, 'archived-change', 'conflict', 'empty-name'),
    ...rejected('without-message', withoutMessage, 'archived-change', 'conflict'),
    ...rejected('in-a-list', inAList, 'archived-change', 'conflict'),
  }),
  errors('body', { ...rejected('in-plain-text', inPlainText, 'archived-change', 'conflict') }),
  errors(['body', 'validation-names-field'], {
    ...rejected('without-message', withoutMessage, 'empty-name'),
  }),
  errors('documentation-link', {
    ...rejected('linked-elsewhere', elsewhere, 'archived-change', 'conflict', 'empty-name'),
  }),
].flat()
