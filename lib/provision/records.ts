import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** What is used of an account's record. */
export interface AccountRecord {
  login: string
  full_name: string
  email: string
  is_admin: boolean
  login_name?: string
  source_id?: number
}

/** What is used of a repository's record. */
export interface RepositoryRecord {
  name: string
  full_name: string
  description: string
  private: boolean
  archived: boolean
}

/** What is used of the record of API settings. */
export interface SettingsRecord {
  max_response_items: number
  default_paging_num: number
  default_git_trees_per_page: number
  default_max_blob_size: number
  default_max_response_size?: number
}

const ajv = new Ajv2020()

const account = {
  type: 'object',
  required: ['login', 'full_name', 'email', 'is_admin'],
  properties: {
    login: text,
    full_name: text,
    email: text,
    is_admin: flag,
    login_name: text,
    source_id: { type: 'integer' },
  },
}

const repository = {
  type: 'object',
  required: ['name', 'full_name', 'description', 'private', 'archived'],
  properties: { name: text, full_name: text, description: text, private: flag, archived: flag },
}

const size = { type: 'integer', minimum: 1 } as const

const settings = {
  type: 'object',
  required: [
    'max_response_items',
    'default_paging_num',
    'default_git_trees_per_page',
    'default_max_blob_size',
  ],
  properties: {
    max_response_items: size,
    default_paging_num: size,
    default_git_trees_per_page: size,
    default_max_blob_size: size,
    default_max_response_size: size,
  },
}

/** A kind of body that a response may have, and how a person calls it. */
export interface BodyKind<Shape> {
  what: string
  accepts: ValidateFunction<Shape>
}

/** The bodies that the client reads. Servers of the family add further fields. */
export const bodies = {
  account: { what: 'an account', accepts: ajv.compile<AccountRecord>(account) },
  repository: { what: 'a repository', accepts: ajv.compile<RepositoryRecord>(repository) },
  repositories: {
    what: 'a list of repositories',
    accepts: ajv.compile<RepositoryRecord[]>({ type: 'array', items: repository }),
  },
  settings: { what: 'API settings', accepts: ajv.compile<SettingsRecord>(settings) },
} as const
