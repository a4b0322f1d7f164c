import { Refusal, refuse } from '../../endpoints.ts'
import { jsonParts, type ResponseParts, responseParts } from '../../http.ts'
import { altered, faultsOf, on, type RuleChange, type Rules, where, within } from '../changes.ts'
import { defaultSettings, type RequestContext } from '../deployment.ts'

type Fields = Readonly<Record<string, unknown>>

const answered = (change: Partial<ResponseParts>) =>
  altered('documentationPage', (page) => ({ ...page, ...change }))

const redirected = (path: string) =>
  altered('documentationPage', (_page, { deployment }) =>
    responseParts(302, { Location: deployment.basePath + path }),
  )

const isNoSiteAdmin = ({ caller }: RequestContext) => !caller?.account.siteAdmin

/** Serves the settings below another prefix, and below the documented one this. */
const settingsMoved =
  (instead: (rules: Rules, context: RequestContext, moved: string) => ResponseParts): RuleChange =>
  (rules) => ({
    begin: (context) => {
      const { basePath, settings } = context.deployment
      const moved = `${basePath}/api/v2/settings/api`
      if (context.endpoint === 'settings') return instead(rules, context, moved)
      if (context.url.pathname !== moved) return rules.begin(context)
      const record = rules.settingsRecord(settings, context)
      return jsonParts(200, record, rules.contentType(200, context))
    },
  })

const recorded = (change: (fields: Fields) => unknown) =>
  altered('settingsRecord', (record) => change(Object(record)))

const field = (name: string, change: (value: number) => unknown) =>
  recorded((fields) => ({ ...fields, [name]: change(Number(fields[name])) }))

export const documentationAndSettingsFaults = [
  ...faultsOf('documentation', {
    served: {
      'documentation-missing': answered({ status: 404 }),
      'documentation-refused': answered({ status: 401 }),
      'documentation-for-site-admins-alone': where(isNoSiteAdmin, answered({ status: 403 })),
      'documentation-fails': {
        documentationPage: () => {
          throw new Error('the page cannot be rendered')
        },
      },
      'documentation-empty': answered({ body: '' }),
      'documentation-blank': answered({ body: '\n' }),
      'documentation-redirected-in-a-circle': redirected('/api/swagger'),
      'documentation-redirected-to-nothing': redirected('/api/swagger/index.html'),
    },
  }),
  ...faultsOf('versioning', {
    'prefix + settings/readable-by-any-client': {
      'settings-below-other-version': settingsMoved((rules, context) =>
        refuse(rules.missingEndpoint(context)),
      ),
      'settings-redirected-to-other-version': settingsMoved((_rules, _context, Location) =>
        responseParts(308, { Location }),
      ),
    },
  }),
  ...faultsOf('settings', {
    'readable-by-any-client': {
      'settings-need-credentials': on('settings', { needsCaller: () => true }),
      'settings-for-anonymous-clients-alone': where(
        ({ endpoint, headers }) => endpoint === 'settings' && headers.has('Authorization'),
        { begin: () => refuse(new Refusal(400, 'no credentials are expected here')) },
      ),
      'settings-need-a-scope': on('settings', { requiredScopes: () => ['read:admin'] }),
      'settings-for-site-admins-alone': where(isNoSiteAdmin, {
        settingsRecord: () => refuse(new Refusal(403, 'only site admins may read the settings')),
      }),
    },
    'record + values': {
      'settings-field-as-text': field('default_max_blob_size', String),
      'settings-field-as-fraction': field('default_max_response_size', (size) => size / 1e6),
      'settings-field-missing': field('default_git_trees_per_page', () => undefined),
    },
    'record + values + agree-with-pagination': {
      'settings-field-null': field('default_paging_num', () => null),
      'settings-in-an-array': recorded((fields) => [fields]),
    },
    values: {
      'settings-value-other-than-configured': field('default_git_trees_per_page', (n) => n + 1),
      'settings-size-in-kibibytes': field('default_max_blob_size', (size) => size / 1024),
    },
    'values + agree-with-pagination': {
      'settings-maximum-other-than-applied': field('max_response_items', (count) => count * 2),
      'settings-maximum-and-default-swapped': recorded((fields) => ({
        ...fields,
        max_response_items: fields.default_paging_num,
        default_paging_num: fields.max_response_items,
      })),
      'settings-of-another-server': within('other-settings', (rules) => ({
        settingsRecord: (_settings, context) => rules.settingsRecord(defaultSettings, context),
      })),
    },
  }),
]
