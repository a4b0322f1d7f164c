import { jsonParts, type ResponseParts, refuse } from '../../http.ts'
import { faultsOf } from '../../service.ts'
import { on, type RuleChange, where } from '../changes.ts'
import { defaultSettings } from '../deployment.ts'
import type { RequestContext } from '../request-context.ts'
import type { Rules } from '../rules.ts'

type Fields = Readonly<Record<string, unknown>>

const answered =
  (change: (page: ResponseParts, context: RequestContext) => ResponseParts): RuleChange =>
  (rules) => ({
    documentationPage: (context) => change(rules.documentationPage(context), context),
  })

const redirected = (path: string) =>
  answered((_page, { deployment }) => ({
    status: 302,
    headers: new Headers({ Location: deployment.basePath + path }),
  }))

/** Serves the settings below another prefix, and below the documented one this. */
const settingsMoved =
  (
    instead: (asked: { rules: Rules; context: RequestContext; moved: string }) => ResponseParts,
  ): RuleChange =>
  (rules) => ({
    begin: (context): ReturnType<Rules['begin']> => {
      const { basePath, settings } = context.deployment
      const moved = `${basePath}/api/v2/settings/api`
      if (context.endpoint === 'settings') return instead({ rules, context, moved })
      if (context.url.pathname !== moved) return rules.begin(context)
      const record = rules.settingsRecord(settings, context)
      return jsonParts(200, record, rules.contentType(200, context))
    },
  })

/** Another record in place of the documented one. */
const recorded =
  (change: (fields: Fields) => unknown): RuleChange =>
  (rules) => ({
    settingsRecord: (settings, context) => change(Object(rules.settingsRecord(settings, context))),
  })

/** Faults in the documentation of the running server, in the version, and in the settings. */
export const documentationAndSettingsFaults = [
  ...faultsOf<Rules>('code-hosting/documentation', {
    served: {
      'documentation-missing': answered((page) => ({ ...page, status: 404 })),
      'documentation-refused': answered((page) => ({ ...page, status: 401 })),
      'documentation-for-site-admins-alone': where(
        ({ caller }) => caller?.account.siteAdmin !== true,
        answered((page) => ({ ...page, status: 403 })),
      ),
      'documentation-fails': {
        documentationPage: () => {
          throw new Error('the page cannot be rendered')
        },
      },
      'documentation-empty': answered((page) => ({ ...page, body: '' })),
      'documentation-blank': answered((page) => ({ ...page, body: '\n' })),
      'documentation-redirected-in-a-circle': redirected('/api/swagger'),
      'documentation-redirected-to-nothing': redirected('/api/swagger/index.html'),
    },
  }),
  ...faultsOf<Rules>('code-hosting/versioning', {
    'prefix + settings/readable-by-any-client': {
      'settings-below-other-version': settingsMoved(({ rules, context }) =>
        refuse(rules.missingEndpoint(context)),
      ),
      'settings-redirected-to-other-version': settingsMoved(({ moved }) => ({
        status: 308,
        headers: new Headers({ Location: moved }),
      })),
    },
  }),
  ...faultsOf<Rules>('code-hosting/settings', {
    'readable-by-any-client': {
      'settings-need-credentials': on('settings', { needsCaller: () => true }),
      'settings-for-anonymous-clients-alone': where(
        ({ endpoint, headers }) => endpoint === 'settings' && headers.has('Authorization'),
        { begin: () => refuse({ status: 400, message: 'no credentials are expected here' }) },
      ),
      'settings-need-a-scope': on('settings', { requiredScopes: () => ['read:admin'] }),
      'settings-for-site-admins-alone': where(({ caller }) => caller?.account.siteAdmin !== true, {
        settingsRecord: () =>
          refuse({ status: 403, message: 'only site admins may read the settings' }),
      }),
    },
    'record + values': {
      'settings-field-as-text': recorded((fields) => ({
        ...fields,
        default_max_blob_size: String(fields.default_max_blob_size),
      })),
      'settings-field-as-fraction': recorded((fields) => ({
        ...fields,
        default_max_response_size: Number(fields.default_max_response_size) / 1e6,
      })),
      'settings-field-missing': recorded(
        ({ default_git_trees_per_page: _left, ...fields }) => fields,
      ),
    },
    'record + values + agree-with-pagination': {
      'settings-field-null': recorded((fields) => ({ ...fields, default_paging_num: null })),
      'settings-in-an-array': recorded((fields) => [fields]),
    },
    values: {
      'settings-value-other-than-configured': recorded((fields) => ({
        ...fields,
        default_git_trees_per_page: Number(fields.default_git_trees_per_page) + 1,
      })),
      'settings-size-in-kibibytes': recorded((fields) => ({
        ...fields,
        default_max_blob_size: Number(fields.default_max_blob_size) / 1024,
      })),
    },
    'values + agree-with-pagination': {
      'settings-maximum-other-than-applied': recorded((fields) => ({
        ...fields,
        max_response_items: Number(fields.max_response_items) * 2,
      })),
      'settings-maximum-and-default-swapped': recorded((fields) => ({
        ...fields,
        max_response_items: fields.default_paging_num,
        default_paging_num: fields.max_response_items,
      })),
      'settings-of-another-server': {
        variant: 'other-settings',
        change: (rules) => ({
          settingsRecord: (_settings, context) => rules.settingsRecord(defaultSettings, context),
        }),
      },
    },
  }),
]
