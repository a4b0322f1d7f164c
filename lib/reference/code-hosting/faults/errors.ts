import type { Fault } from '../fault.ts'
import { refusedWith } from '../refusal-change.ts'
import { replaceRule } from '../rules.ts'

const section = 'code-hosting/errors'

// What a server tells nobody about a mistake of its own.
const serverError = { status: 500, message: '' }

/** Faults in the status of what is refused, and in what a validation error names. */
export const errorFaults: readonly Fault[] = [
  {
    name: 'validation-answered-with-400',
    requirements: [`${section}/validation-status`],
    change: refusedWith('invalidField', { status: 400 }),
  },
  {
    name: 'validation-answered-with-500',
    requirements: [`${section}/validation-status`],
    change: refusedWith('invalidField', serverError),
  },
  {
    name: 'validation-error-sent-with-200',
    requirements: [`${section}/validation-status`],
    change: refusedWith('invalidField', { status: 200 }),
  },
  {
    name: 'validation-without-field',
    requirements: [`${section}/validation-names-field`],
    change: refusedWith('invalidField', { message: 'validation failed' }),
  },
  {
    name: 'validation-names-another-field',
    requirements: [`${section}/validation-names-field`],
    change: refusedWith('invalidField', { message: 'scopes: a value is required' }),
  },
  {
    name: 'validation-names-the-user-name',
    requirements: [`${section}/validation-names-field`],
    change: refusedWith('invalidField', { message: 'username is required' }),
  },
  ...[409, 415].map((status) => ({
    name: `malformed-body-answered-with-${status}`,
    requirements: [`${section}/malformed-body`],
    change: refusedWith('malformedBody', { status }),
  })),
  {
    name: 'malformed-body-answered-with-500',
    requirements: [`${section}/malformed-body`],
    change: refusedWith('malformedBody', serverError),
  },
  {
    name: 'malformed-body-error-sent-with-200',
    requirements: [`${section}/malformed-body`],
    change: refusedWith('malformedBody', { status: 200 }),
  },
  {
    name: 'missing-repository-answered-with-403',
    requirements: [`${section}/missing-repository`],
    change: refusedWith('missingRepository', { status: 403 }),
  },
  {
    name: 'missing-repository-answered-with-a-redirect',
    requirements: [`${section}/missing-repository`],
    change: refusedWith('missingRepository', { status: 302 }),
  },
  {
    name: 'missing-repository-error-sent-with-200',
    requirements: [`${section}/missing-repository`],
    change: refusedWith('missingRepository', { status: 200 }),
  },
  {
    name: 'hidden-repository-answered-with-403',
    requirements: [`${section}/hidden-repository`],
    change: refusedWith('hiddenRepository', { status: 403 }),
  },
  {
    name: 'hidden-repository-answered-with-401',
    requirements: [`${section}/hidden-repository`],
    change: refusedWith('hiddenRepository', { status: 401 }),
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
    name: 'archived-change-answered-with-403',
    requirements: [`${section}/archived`],
    change: refusedWith('archived', { status: 403 }),
  },
  {
    name: 'archived-change-error-sent-with-200',
    requirements: [`${section}/archived`],
    change: refusedWith('archived', { status: 200 }),
  },
  {
    name: 'conflict-answered-with-422',
    requirements: [`${section}/conflict`],
    change: refusedWith('repositoryExists', { status: 422 }),
  },
  {
    name: 'conflict-error-sent-with-200',
    requirements: [`${section}/conflict`],
    change: refusedWith('repositoryExists', { status: 200 }),
  },
]
