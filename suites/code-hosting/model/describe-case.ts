import { type Case, type CredentialProblem, isInBasic, type Resource } from './case.ts'

const requests: Readonly<Record<Resource, string>> = {
  user: 'GET /user',
  repositories: 'GET /user/repos',
  'public repository': 'GET a public repository',
  'private repository': 'GET a private repository of the main account',
  'private repository in other letters':
    'GET a private repository of the main account, in another letter case',
  'missing repository': 'GET a repository that does not exist',
  'missing repository with a long name': 'GET a repository of a long name that does not exist',
  'repository of a missing owner': 'GET a repository whose owner does not exist',
  settings: 'GET /settings/api',
  'tokens of the main account': 'POST tokens of the main account',
  'tokens of the other account': 'POST tokens of the other account',
  'archived change': 'CODE_HOSTING_ARCHIVED_CHANGE',
  'conflicting change': 'CODE_HOSTING_CONFLICT',
  'no-content change': 'CODE_HOSTING_NO_CONTENT',
}

/** Descriptions of invalid credentials; `$` is replaced by the secret. */
const secrets: Readonly<Record<CredentialProblem | 'right', string>> = {
  right: '$',
  nothing: 'no value',
  'without a colon': '$, without a colon',
  'unknown scheme': '$, with an unknown scheme',
  'unknown user': 'an unknown username',
  empty: '$, left empty',
  invented: '$, invented',
  'invented and short': '$, invented and short',
  deleted: '$, deleted before',
  'of another account': '$, replaced by the secret of another account',
  'other start': '$ with another first character',
  'other end': '$ with another last character',
  'other case': '$ in another letter case',
  longer: '$ with one more character',
  'longer by a colon': '$ with a colon and one more character',
  'longer by a space': '$ with a space at its end',
  shorter: '$ without its last character',
  'last eight': 'the last eight characters of $',
}

export const accounts = {
  main: 'the main account',
  other: 'the other account',
  admin: 'the site administrator',
  unknown: 'an unknown user',
}

function describeSecret({ actor, sentAs, scopes, problem }: Case): string {
  if (actor === 'anonymous') return 'no credentials'
  if (sentAs === 'any valid') return `the credentials of ${accounts[actor]}`
  const secret = secrets[problem ?? 'right']
  if (sentAs === 'Basic') return secret.replace('$', `the password of ${accounts[actor]}`)
  const isAll = scopes.join() === 'all'
  const scope =
    scopes.length > 4 ? `${scopes.length} other scopes` : scopes.join(', ') || 'no scope'
  const token = `the token of ${accounts[actor]}${isAll ? '' : ` with ${scope}`}`
  return secret.replace('$', token)
}

/** Describes the request before another one at the same URL. */
function describePrevious(one: Case): string {
  const isFirst = one.after === undefined
  return `after ${describeSecret(one)}${one.sudo ? ' with sudo' : ''}${isFirst ? ' as the first request' : ''}`
}

/** Describes a request by the parts that differ from the default. The text is its id. */
export function describeCase(one: Case): string {
  const { resource, actor, sentAs, problem, sudo, isOfBrowser, isTokenFirst, isProxied, after } =
    one
  const isDefault = actor === 'anonymous' || ['Bearer', 'Basic', 'any valid'].includes(sentAs)
  const sent = isInBasic(one) ? `sent as the ${sentAs}` : `sent as ${sentAs}`
  return [
    describeSecret(one),
    ...(isDefault && problem !== 'nothing' ? [] : [sent]),
    ...(isTokenFirst === undefined
      ? []
      : [`${isTokenFirst ? 'before' : 'after'} the other parameters`]),
    ...(sudo ? [`with ${sudo.in === 'query' ? '?sudo=' : 'Sudo:'} ${accounts[sudo.as]}`] : []),
    ...(isOfBrowser ? ['with Origin and gzip'] : []),
    ...(isProxied ? ['with the fields of a proxy'] : []),
    requests[resource],
    ...(after ? [describePrevious(after)] : []),
  ].join(', ')
}
