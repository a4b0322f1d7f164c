import type { Fault } from '../fault.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/errors'

/** Faults in error responses, and in what goes for all responses. */
export const errorFaults: readonly Fault[] = [
  {
    name: 'error-body-without-url',
    requirements: [`${section}/body`],
    change: replaceRule('errorBody', () => ({ message }) => ({ message })),
  },
  {
    name: 'error-body-without-url-on-repositories',
    requirements: [`${section}/body`],
    change: replaceRule('errorBody', (documented) => (refusal, link, context) => {
      const body = documented(refusal, link, context)
      return context.endpoint === 'repository' ? { message: refusal.message } : body
    }),
  },
  {
    name: 'documentation-link-elsewhere',
    requirements: [`${section}/documentation-link`],
    change: replaceRule('documentationLink', () => (address) => `${address}/docs`),
  },
  {
    name: 'validation-answered-with-400',
    requirements: [`${section}/validation-status`],
    change: replaceRule('invalidField', (documented) => (field, reason, context) => ({
      ...documented(field, reason, context),
      status: 400,
    })),
  },
  {
    name: 'validation-without-field',
    requirements: [`${section}/validation-names-field`],
    change: replaceRule('invalidField', (documented) => (field, reason, context) => ({
      ...documented(field, reason, context),
      message: 'validation failed',
    })),
  },
  {
    name: 'malformed-body-answered-with-415',
    requirements: [`${section}/malformed-body`],
    change: replaceRule('malformedBody', (documented) => (reason, context) => ({
      ...documented(reason, context),
      status: 415,
    })),
  },
  {
    name: 'missing-repository-answered-with-403',
    requirements: [`${section}/missing-repository`],
    change: replaceRule('missingRepository', (documented) => (context) => ({
      ...documented(context),
      status: 403,
    })),
  },
  {
    name: 'hidden-repository-answered-with-403',
    requirements: [`${section}/hidden-repository`],
    change: replaceRule('hiddenRepository', (documented) => (context) => ({
      ...documented(context),
      status: 403,
    })),
  },
  {
    name: 'hidden-repository-shown',
    requirements: [`${section}/hidden-repository`],
    change: replaceRule('maySee', () => () => true),
  },
  {
    name: 'archived-change-accepted',
    requirements: [`${section}/archived`],
    change: replaceRule('mayChange', () => () => true),
  },
  {
    name: 'conflict-answered-with-422',
    requirements: [`${section}/conflict`],
    change: replaceRule('repositoryExists', (documented) => (name, context) => ({
      ...documented(name, context),
      status: 422,
    })),
  },
]
