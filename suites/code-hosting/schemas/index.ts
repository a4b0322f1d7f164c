import { Ajv } from 'ajv'
import accessToken from './access-token.json' with { type: 'json' }
import apiSettings from './api-settings.json' with { type: 'json' }
import errorBody from './error-body.json' with { type: 'json' }
import repositories from './repositories.json' with { type: 'json' }
import user from './user.json' with { type: 'json' }

// That the schemas are ones is a test's business.
const ajv = new Ajv({ allErrors: true, validateSchema: false })

/** The records of the document: they require what it names and allow every other field. */
export const schemas = {
  accessToken: ajv.compile(accessToken),
  apiSettings: ajv.compile(apiSettings),
  errorBody: ajv.compile(errorBody),
  repositories: ajv.compile(repositories),
  user: ajv.compile(user),
}
