import { tolerance } from '../../tolerance-ids.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const resources = 'code-hosting/resources'
const json = `${resources}/json`

/** Requirements that compare a login name. */
const loginRows = [
  `${resources}/user`,
  'code-hosting/tokens/authenticates',
  'code-hosting/authentication/sudo-header',
  'code-hosting/authentication/sudo-query',
]

const namesInUpperCase: RuleChange = (rules) => ({
  ...rules,
  userRecord: (account, context) =>
    rules.userRecord({ ...account, login: account.login.toUpperCase() }, context),
  repositoryRecord: (repository, context) => {
    const { owner, name } = repository
    const inUpperCase = { owner: owner.toUpperCase(), name: name.toUpperCase() }
    return rules.repositoryRecord({ ...repository, ...inUpperCase }, context)
  },
})

function mediaTypes(success: string, error: string): RuleChange {
  return replaceRule('contentType', () => (status) => (status < 400 ? success : error))
}

/** Names in other case, and other media types of JSON. */
export const recordVariants: readonly Variant[] = [
  {
    name: 'names-shown-in-upper-case',
    tolerances: [
      ...tolerance('login-in-any-case', loginRows),
      `${resources}/repository/full-name-in-any-case`,
    ],
    change: namesInUpperCase,
  },
  {
    name: 'large-records',
    change: replaceRule('repositoryRecord', (documented) => (repository, context) => ({
      ...Object(documented(repository, context)),
      readme: 'Once upon a time. '.repeat(800),
    })),
  },
  {
    name: 'problem-media-type',
    tolerances: [`${json}/any-json-type`],
    change: mediaTypes('application/json', 'application/problem+json'),
  },
  {
    name: 'vendor-media-type',
    tolerances: [`${json}/any-json-type`],
    change: mediaTypes('application/vnd.code-hosting.v1+json', 'text/json'),
  },
  {
    name: 'media-type-with-other-parameters',
    tolerances: [`${json}/any-parameters`],
    change: mediaTypes('Application/JSON ; Charset="UTF-8"; profile="a, b"', 'application/json'),
  },
]
