import { refuse } from '../../http/refusal.ts'
import type { Fault } from '../fault.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import { defaultSettings } from '../settings.ts'

const section = 'code-hosting/settings'

type Fields = Readonly<Record<string, unknown>>

/** Another record in place of the documented one. */
function recorded(change: (fields: Fields) => unknown): RuleChange {
  return replaceRule(
    'settingsRecord',
    (documented) => (values, context) => change(Object(documented(values, context))),
  )
}

const unreadable = [`${section}/record`, `${section}/values`, `${section}/agree-with-pagination`]

/** Faults in who can read the settings, and in their record. */
export const settingsFaults: readonly Fault[] = [
  {
    name: 'settings-need-credentials',
    requirements: [`${section}/readable-by-any-client`],
    change: replaceRule(
      'needsCaller',
      (documented) => (context) => context.endpoint === 'settings' || documented(context),
    ),
  },
  {
    name: 'settings-for-anonymous-clients-alone',
    requirements: [`${section}/readable-by-any-client`],
    change: replaceRule('begin', (documented) => (context) => {
      if (context.endpoint === 'settings' && context.headers.has('Authorization')) {
        refuse({ status: 400, message: 'no credentials are expected here' })
      }
      return documented(context)
    }),
  },
  {
    name: 'settings-need-a-scope',
    requirements: [`${section}/readable-by-any-client`],
    change: replaceRule(
      'requiredScopes',
      (documented) => (endpoint, context) =>
        endpoint === 'settings' ? ['read:admin'] : documented(endpoint, context),
    ),
  },
  {
    name: 'settings-for-site-admins-alone',
    requirements: [`${section}/readable-by-any-client`],
    change: (rules) => ({
      ...rules,
      settingsRecord: (values, context) => {
        if (context.caller?.account.siteAdmin === true) return rules.settingsRecord(values, context)
        return refuse({ status: 403, message: 'only site admins may read the settings' })
      },
    }),
  },
  {
    name: 'settings-field-as-text',
    requirements: [`${section}/record`, `${section}/values`],
    change: recorded((fields) => ({
      ...fields,
      default_max_blob_size: String(fields.default_max_blob_size),
    })),
  },
  {
    name: 'settings-field-as-fraction',
    requirements: [`${section}/record`, `${section}/values`],
    change: recorded((fields) => ({
      ...fields,
      default_max_response_size: Number(fields.default_max_response_size) / 1e6,
    })),
  },
  {
    name: 'settings-field-missing',
    requirements: [`${section}/record`, `${section}/values`],
    change: recorded(({ default_git_trees_per_page: _left, ...fields }) => fields),
  },
  {
    name: 'settings-field-null',
    requirements: [`${section}/record`, `${section}/values`, `${section}/agree-with-pagination`],
    change: recorded((fields) => ({ ...fields, default_paging_num: null })),
  },
  {
    name: 'settings-in-an-array',
    requirements: unreadable,
    change: recorded((fields) => [fields]),
  },
  {
    name: 'settings-value-other-than-configured',
    requirements: [`${section}/values`],
    change: recorded((fields) => ({
      ...fields,
      default_git_trees_per_page: Number(fields.default_git_trees_per_page) + 1,
    })),
  },
  {
    name: 'settings-size-in-kibibytes',
    requirements: [`${section}/values`],
    change: recorded((fields) => ({
      ...fields,
      default_max_blob_size: Number(fields.default_max_blob_size) / 1024,
    })),
  },
  {
    name: 'settings-maximum-other-than-applied',
    requirements: [`${section}/values`, `${section}/agree-with-pagination`],
    change: recorded((fields) => ({
      ...fields,
      max_response_items: Number(fields.max_response_items) * 2,
    })),
  },
  {
    name: 'settings-maximum-and-default-swapped',
    requirements: [`${section}/values`, `${section}/agree-with-pagination`],
    change: recorded((fields) => ({
      ...fields,
      max_response_items: fields.default_paging_num,
      default_paging_num: fields.max_response_items,
    })),
  },
  {
    name: 'settings-of-another-server',
    requirements: [`${section}/values`, `${section}/agree-with-pagination`],
    variant: 'other-settings',
    change: (rules) => ({
      ...rules,
      settingsRecord: (_values, context) => rules.settingsRecord(defaultSettings, context),
    }),
  },
]
