/** What provision creates on a server of the Gitea family, as a table. Paths are below `/api/v1`. */

import type { Account } from '../variables.ts'
import type { Fields } from './gitea-client.ts'

export interface Resource {
  /** Row of the plan for its creation and deletion. */
  label: string
  /** Row of the plan if it exists, and is changed. */
  changeLabel?: string
  /** Name for the operator. */
  name: string
  /** Path of its record. */
  path: string
  /** Path of its changes and its deletion; default: the path of its record. */
  adminPath?: string
  /** Values without which provision did not create it. */
  mark: Fields
  /** Values that are set unless its record has them. */
  state: Fields
  /** POST requests that create it. */
  create: readonly { path: string; body: object }[]
  /** True if a server may reject its creation. */
  isOptional?: boolean
  /** Variables of a run that uses it. */
  variables: Readonly<Record<string, string>>
}

/** Maximum number of entries of a tree that files exceed. */
const MAX_ENTRIES = 1000

/** Maximum number of files per commit, so that a request does not time out. */
const FILES_PER_COMMIT = 250

const markOf = (prefix: string) => `Made by plumbline provision (prefix ${prefix})`

/** @param who prefix of its variables */
export function accountResource(
  { username, password }: Account,
  prefix: string,
  who: string,
): Resource {
  // Nothing is ever delivered to this address (RFC 2606, 2).
  const mark = { full_name: markOf(prefix), email: `${username}@plumbline.invalid` }
  const credentials = { password, must_change_password: false }
  const body = { username, ...credentials, ...mark, visibility: 'public', send_notify: false }
  return {
    label: 'accounts',
    changeLabel: 'new passwords',
    name: username,
    path: `/users/${username}`,
    adminPath: `/admin/users/${username}`,
    mark: { login: username, is_admin: false, ...mark },
    state: {
      // The server requires these two for each change.
      source_id: 0,
      login_name: username,
      ...credentials,
      active: true,
      prohibit_login: false,
      // Rights of each account: see public repositories, and create some.
      restricted: false,
      max_repo_creation: 1000,
    },
    create: [{ path: '/admin/users', body }],
    variables: { [`${who}_USERNAME`]: username, [`${who}_PASSWORD`]: password },
  }
}

/** Returns the names of the repositories of variables, and of private repositories that fill pages. */
export function repositoryNames(prefix: string, count: number): string[] {
  const numbers = Array.from({ length: count - 3 }, (_, index) =>
    String(index + 1).padStart(3, '0'),
  )
  return ['public', 'private', 'archived', ...numbers].map((name) => `${prefix}${name}`)
}

function repositoryVariables(name: string, fullName: string): Record<string, string> | undefined {
  const path = `/api/v1/repos/${fullName}`
  const change = JSON.stringify({ content: 'eA==', message: 'A change that must be rejected' })
  const variables: Record<string, Record<string, string>> = {
    public: {
      CODE_HOSTING_PUBLIC_REPOSITORY: fullName,
      CODE_HOSTING_CONFLICT: `POST /api/v1/user/repos {"name":"${fullName.split('/')[1]}"}`,
      CODE_HOSTING_NO_CONTENT: `PUT /api/v1/user/starred/${fullName}`,
      CODE_HOSTING_READ_ISSUE: `GET ${path}/issues`,
      CODE_HOSTING_READ_REPOSITORY: `GET ${path}/hooks`,
    },
    private: { CODE_HOSTING_PRIVATE_REPOSITORY: fullName },
    archived: {
      CODE_HOSTING_ARCHIVED_CHANGE: `POST ${path}/contents/plumbline.txt ${change}`,
    },
  }
  return variables[name]
}

export function repositoryResource(name: string, owner: string, prefix: string): Resource {
  const isPrivate = name !== `${prefix}public`
  const mark = { description: markOf(prefix) }
  const body = { name, private: isPrivate, ...mark, auto_init: false }
  const fullName = `${owner}/${name}`
  return {
    label: 'repositories',
    changeLabel: 'changes',
    name: fullName,
    path: `/repos/${fullName}`,
    mark,
    // The server archives existing repositories only.
    state: { private: isPrivate, archived: name === `${prefix}archived` },
    create: [{ path: `/admin/users/${owner}/repos`, body }],
    variables: repositoryVariables(name.slice(prefix.length), fullName) ?? {},
  }
}

export function organizationResource(owner: string, prefix: string): Resource {
  const name = `${prefix}org`
  const mark = { description: markOf(prefix) }
  const body = { name, username: name, ...mark, visibility: 'public' }
  return {
    label: 'organization',
    name,
    path: `/orgs/${name}`,
    mark,
    state: {},
    create: [{ path: `/admin/users/${owner}/orgs`, body }],
    isOptional: true,
    variables: { CODE_HOSTING_READ_ORGANIZATION: `GET /api/v1/orgs/${name}` },
  }
}

/** Returns the files of a Git tree with one entry more than this; undefined if they are too many. */
export function treeResource(entries: number, repository: string): Resource | undefined {
  if (entries > MAX_ENTRIES) return undefined
  const path = `/repos/${repository}/contents`
  const files = Array.from({ length: entries + 1 }, (_, index) => ({
    operation: 'create',
    path: `entry-${index + 1}`,
    content: '',
  }))
  const commits = Array.from({ length: Math.ceil(files.length / FILES_PER_COMMIT) }, (_, index) =>
    files.slice(index * FILES_PER_COMMIT, (index + 1) * FILES_PER_COMMIT),
  )
  const message = 'Files for the limit of a tree'
  const tree = `/api/v1/repos/${repository}/git/trees/HEAD?per_page=${files.length}`
  return {
    label: 'files',
    name: `${files.length} empty files in ${repository}`,
    // The last one, since they are added in their order.
    path: `${path}/entry-${files.length}`,
    mark: {},
    state: {},
    create: commits.map((added) => ({ path, body: { message, files: added } })),
    // Older servers reject several files in one commit.
    isOptional: true,
    variables: { CODE_HOSTING_LARGE_TREE: `GET ${tree}` },
  }
}
