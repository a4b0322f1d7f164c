import type { Cell, Flaw, Resource } from '../access-model.ts'

const requests: Readonly<Record<Resource, string>> = {
  user: 'GET /user',
  repositories: 'GET /user/repos',
  'public repository': 'GET a public repository',
  'private repository': 'GET a private repository of the main account',
  'missing repository': 'GET a repository that does not exist',
  'repository of a missing owner': 'GET a repository whose owner does not exist',
  settings: 'GET /settings/api',
  'tokens of the main account': 'POST tokens of the main account',
  'tokens of the other account': 'POST tokens of the other account',
}

/** Descriptions of flaws; `$` stands for the secret. */
const secrets: Readonly<Record<Flaw | 'right', string>> = {
  right: '$',
  nothing: 'no value',
  'unknown scheme': '$, with an unknown scheme',
  'unknown user': 'an unknown username',
  empty: '$, left empty',
  invented: '$, invented',
  deleted: '$, deleted before',
  'of another account': '$, replaced by that of another account',
  'other beginning': '$ with another first character',
  'other end': '$ with another last character',
  'other case': '$ in another letter case',
  longer: '$ with one more character',
  shorter: '$ without its last character',
}

const accounts = {
  main: 'the main account',
  other: 'the other account',
  admin: 'the site administrator',
  nobody: 'an unknown user',
}

function describeSecret({ actor, sentAs, scopes, flaw }: Cell): string {
  if (actor === 'anonymous') return 'no credentials'
  if (sentAs === 'as usual') return `the credentials of ${accounts[actor]}`
  const secret = secrets[flaw ?? 'right']
  if (sentAs === 'Basic') return secret.replace('$', `the password of ${accounts[actor]}`)
  const isAll = scopes.join() === 'all'
  const scope =
    scopes.length > 4 ? `${scopes.length} other scopes` : scopes.join(', ') || 'no scope'
  const token = `the token of ${accounts[actor]}${isAll ? '' : ` with ${scope}`}`
  return secret.replace('$', token)
}

/** Describes a request, without the parts that are usual. */
export function describeCell(cell: Cell): string {
  const { resource, actor, sentAs, flaw, sudo } = cell
  const isPlain = actor === 'anonymous' || ['Bearer', 'Basic', 'as usual'].includes(sentAs)
  const sent = sentAs === 'password' ? 'in place of the password' : `sent as ${sentAs}`
  return [
    describeSecret(cell),
    ...(isPlain && flaw !== 'nothing' ? [] : [sent]),
    ...(sudo ? [`with ${sudo.in === 'query' ? '?sudo=' : 'Sudo:'} ${accounts[sudo.as]}`] : []),
    requests[resource],
  ].join(', ')
}
