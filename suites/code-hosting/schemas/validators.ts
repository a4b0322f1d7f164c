import { ajv } from '../../../lib/conformance/ajv.ts'
import accessTokenSchema from './access-token.json' with { type: 'json' }
import apiSettingsSchema from './api-settings.json' with { type: 'json' }
import errorBodySchema from './error-body.json' with { type: 'json' }
import repositoriesSchema from './repositories.json' with { type: 'json' }
import userSchema from './user.json' with { type: 'json' }

// The records of the document: they require what it names and allow every other field.
export const accessToken = ajv.compile(accessTokenSchema)
export const apiSettings = ajv.compile(apiSettingsSchema)
export const errorBody = ajv.compile(errorBodySchema)
export const repositories = ajv.compile(repositoriesSchema)
export const user = ajv.compile(userSchema)
