/** Server settings that the document names, with sizes in bytes and page sizes in items. */
export interface Settings {
  readonly maxResponseItems: number
  readonly defaultPagingNum: number
  readonly defaultGitTreesPerPage: number
  readonly defaultMaxBlobSize: number
  readonly defaultMaxResponseSize: number
  readonly allowLegacyTokenScheme: boolean
  readonly disableQueryAuthToken: boolean
}

/** A server whose configuration nobody touched (document: Limits, Authentication). */
export const defaultSettings: Settings = {
  maxResponseItems: 25,
  defaultPagingNum: 20,
  defaultGitTreesPerPage: 1000,
  defaultMaxBlobSize: 10_485_760,
  defaultMaxResponseSize: 104_857_600,
  allowLegacyTokenScheme: true,
  disableQueryAuthToken: false,
}

const variableNames: Readonly<Record<keyof Settings, string>> = {
  maxResponseItems: 'CODE_HOSTING_MAX_RESPONSE_ITEMS',
  defaultPagingNum: 'CODE_HOSTING_DEFAULT_PAGING_NUM',
  defaultGitTreesPerPage: 'CODE_HOSTING_DEFAULT_GIT_TREES_PER_PAGE',
  defaultMaxBlobSize: 'CODE_HOSTING_DEFAULT_MAX_BLOB_SIZE',
  defaultMaxResponseSize: 'CODE_HOSTING_DEFAULT_MAX_RESPONSE_SIZE',
  allowLegacyTokenScheme: 'CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME',
  disableQueryAuthToken: 'CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN',
}

/** The environment variables of the settings that differ from the documented defaults. */
export function settingsEnvironment(settings: Settings): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const [key, variable] of Object.entries(variableNames)) {
    const value = settings[key as keyof Settings]
    if (value !== defaultSettings[key as keyof Settings]) environment[variable] = String(value)
  }
  return environment
}
