import type { Variable, VariableGroup } from './variable.ts'

const username = { type: 'string', format: 'username' } as const
const password = { type: 'string', format: 'password' } as const
const repository = { type: 'string', format: 'repository' } as const
const suppliedRequest = { type: 'string', format: 'supplied-request' } as const
const items = { type: 'integer', minimum: 1, maximum: 1_000_000 } as const
const bytes = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const

export const codeHostingVariables = {
  CODE_HOSTING_BASE_URL: {
    schema: {
      type: 'string',
      allOf: [
        { format: 'http-url' },
        { format: 'url-without-credentials' },
        { format: 'url-without-query' },
        { format: 'url-without-api-prefix' },
      ],
    },
    meaning: 'Where the service is, without /api/v1; it may have a path.',
    example: 'https://code.example.com',
    secret: false,
  },
  CODE_HOSTING_USERNAME: {
    schema: username,
    meaning:
      'Login name of the main account: no site administrator, ideally with repositories for more than two full pages.',
    example: 'maria',
    secret: false,
  },
  CODE_HOSTING_PASSWORD: {
    schema: password,
    meaning: 'Password of the main account; the tokens that checks need are created with it.',
    secret: true,
  },
  CODE_HOSTING_TOKEN: {
    schema: { type: 'string', format: 'token' },
    meaning:
      'Token of the main account with the scope all, in place of the password; no token is created then.',
    secret: true,
  },
  CODE_HOSTING_OTHER_USERNAME: {
    schema: username,
    meaning: 'Login name of an account from which the private repository is hidden.',
    secret: false,
  },
  CODE_HOSTING_OTHER_PASSWORD: {
    schema: password,
    meaning: 'Its password.',
    secret: true,
  },
  CODE_HOSTING_OTP_USERNAME: {
    schema: username,
    meaning: 'Login name of an account that uses two-factor authentication.',
    secret: false,
  },
  CODE_HOSTING_OTP_PASSWORD: {
    schema: password,
    meaning: 'Its password.',
    secret: true,
  },
  CODE_HOSTING_OTP_SECRET: {
    schema: { type: 'string', format: 'base32' },
    meaning: 'The base32 secret from which its one-time codes are computed.',
    secret: true,
  },
  CODE_HOSTING_ADMIN_USERNAME: {
    schema: username,
    meaning: 'Login name of a site administrator, who may act as another user.',
    secret: false,
  },
  CODE_HOSTING_ADMIN_PASSWORD: {
    schema: password,
    meaning: 'Its password.',
    secret: true,
  },
  CODE_HOSTING_PUBLIC_REPOSITORY: {
    schema: repository,
    meaning: 'A public repository of the main account.',
    example: 'maria/public',
    secret: false,
  },
  CODE_HOSTING_PRIVATE_REPOSITORY: {
    schema: repository,
    meaning: 'A private repository of the main account.',
    example: 'maria/private',
    secret: false,
  },
  CODE_HOSTING_ARCHIVED_CHANGE: {
    schema: suppliedRequest,
    meaning: 'A request that would change an archived repository.',
    example: 'PATCH /api/v1/repos/maria/archived {"description":"changed"}',
    secret: false,
  },
  CODE_HOSTING_CONFLICT: {
    schema: suppliedRequest,
    meaning: 'A request that would create something that is there already.',
    example: 'POST /api/v1/user/repos {"name":"public"}',
    secret: false,
  },
  CODE_HOSTING_NO_CONTENT: {
    schema: suppliedRequest,
    meaning: 'A request that succeeds with status 204.',
    example: 'PUT /api/v1/user/starred/maria/public',
    secret: false,
  },
  CODE_HOSTING_MAX_RESPONSE_ITEMS: {
    schema: items,
    default: 25,
    meaning: 'The setting MAX_RESPONSE_ITEMS of the server: most items on a page.',
    secret: false,
  },
  CODE_HOSTING_DEFAULT_PAGING_NUM: {
    schema: items,
    default: 20,
    meaning: 'The setting DEFAULT_PAGING_NUM of the server: items on a page unless asked for.',
    secret: false,
  },
  CODE_HOSTING_DEFAULT_GIT_TREES_PER_PAGE: {
    schema: items,
    default: 1000,
    meaning: 'The setting DEFAULT_GIT_TREES_PER_PAGE of the server: entries on a page of a tree.',
    secret: false,
  },
  CODE_HOSTING_DEFAULT_MAX_BLOB_SIZE: {
    schema: bytes,
    default: 10_485_760,
    meaning: 'The setting DEFAULT_MAX_BLOB_SIZE of the server, in bytes.',
    secret: false,
  },
  CODE_HOSTING_DEFAULT_MAX_RESPONSE_SIZE: {
    schema: bytes,
    default: 104_857_600,
    meaning: 'The setting DEFAULT_MAX_RESPONSE_SIZE of the server, in bytes.',
    secret: false,
  },
  CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME: {
    schema: { type: 'boolean' },
    default: true,
    meaning: 'The setting ALLOW_LEGACY_TOKEN_SCHEME of the server.',
    secret: false,
  },
  CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN: {
    schema: { type: 'boolean' },
    default: false,
    meaning: 'The setting DISABLE_QUERY_AUTH_TOKEN of the server.',
    secret: false,
  },
  CODE_HOSTING_GATEWAY_RATE_LIMITS: {
    schema: { type: 'boolean' },
    default: false,
    meaning: 'Whether a gateway in front of the service adds rate limit headers of its own.',
    secret: false,
  },
  CODE_HOSTING_TOKEN_DELETE_PATH: {
    schema: { type: 'string', format: 'token-delete-path' },
    meaning: 'Where created tokens are deleted with basic authentication; unset, they stay.',
    example: '/api/v1/users/{username}/tokens/{name}',
    secret: false,
  },
} as const satisfies Record<string, Variable>

export const codeHostingGroup: VariableGroup = {
  title: 'Code hosting',
  prefix: 'CODE_HOSTING_',
  variables: codeHostingVariables,
  baseUrl: 'CODE_HOSTING_BASE_URL',
  needs: {
    CODE_HOSTING_PASSWORD: ['CODE_HOSTING_USERNAME'],
    CODE_HOSTING_OTHER_USERNAME: ['CODE_HOSTING_OTHER_PASSWORD'],
    CODE_HOSTING_OTHER_PASSWORD: ['CODE_HOSTING_OTHER_USERNAME'],
    CODE_HOSTING_OTP_USERNAME: ['CODE_HOSTING_OTP_PASSWORD', 'CODE_HOSTING_OTP_SECRET'],
    CODE_HOSTING_OTP_PASSWORD: ['CODE_HOSTING_OTP_USERNAME', 'CODE_HOSTING_OTP_SECRET'],
    CODE_HOSTING_OTP_SECRET: ['CODE_HOSTING_OTP_USERNAME', 'CODE_HOSTING_OTP_PASSWORD'],
    CODE_HOSTING_ADMIN_USERNAME: ['CODE_HOSTING_ADMIN_PASSWORD'],
    CODE_HOSTING_ADMIN_PASSWORD: ['CODE_HOSTING_ADMIN_USERNAME'],
  },
  needsOneOf: { CODE_HOSTING_USERNAME: ['CODE_HOSTING_PASSWORD', 'CODE_HOSTING_TOKEN'] },
  distinct: [
    ...['OTHER', 'OTP', 'ADMIN'].map((account) => ({
      variable: `CODE_HOSTING_${account}_USERNAME`,
      from: 'CODE_HOSTING_USERNAME',
      what: 'account',
    })),
    {
      // Nothing is hidden from a site administrator, so the checks of what is hidden would fail.
      variable: 'CODE_HOSTING_ADMIN_USERNAME',
      from: 'CODE_HOSTING_OTHER_USERNAME',
      what: 'account',
    },
    {
      variable: 'CODE_HOSTING_PRIVATE_REPOSITORY',
      from: 'CODE_HOSTING_PUBLIC_REPOSITORY',
      what: 'repository',
    },
  ],
}
