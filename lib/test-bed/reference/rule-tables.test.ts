import { expect, it } from 'vitest'
import { type AnyContext, HttpError } from './http.ts'
import { applyChange, createTables } from './rule-tables.ts'

const rules = { missing: (_context: AnyContext) => new HttpError(404, 'no letter', 'no_letter') }

it.each([
  [410, { status: 410, message: 'no letter', code: 'no_letter' }],
  ['none', { status: 404, message: 'none', code: 'no_letter' }],
  [new HttpError(400, 'none'), { status: 400, message: 'none', code: undefined }],
])('reject changes an error and keeps the rest of it: %s', (change, expected) => {
  const { reject } = createTables<typeof rules, AnyContext>('letters')
  const { missing } = applyChange(rules, reject('missing', change))
  expect(missing({} as AnyContext)).toMatchObject(expected)
})
