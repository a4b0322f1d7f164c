import { tolerance } from '../../tolerance-ids.ts'
import { type RuleChange, type Rules, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const section = 'code-hosting/errors'

/** Refusals for which the document shows no text. */
const refusalsOfAnyText = [
  'missingEndpoint',
  'malformedBody',
  'passwordRequired',
  'foreignTokens',
  'missingAccount',
  'missingToken',
  'duplicateTokenName',
  'unknownScope',
  'scopeNotGrantable',
  'missingOneTimeCode',
  'wrongOneTimeCode',
  'sudoRefused',
  'sudoAccountMissing',
  'missingRepository',
  'hiddenRepository',
  'hiddenByPublicOnly',
  'foreignRepository',
  'archived',
  'repositoryExists',
] as const

function messagesAre(message: string): RuleChange {
  return (rules) => {
    const changed: Partial<Record<(typeof refusalsOfAnyText)[number], unknown>> = {}
    for (const name of refusalsOfAnyText) {
      const documented = rules[name] as (...values: unknown[]) => object
      changed[name] = (...values: unknown[]) => ({ ...documented(...values), message })
    }
    return { ...rules, ...changed } as Rules
  }
}

function documentationLink(make: (address: string) => string): RuleChange {
  return replaceRule('documentationLink', () => make)
}

/** One error of the server each for a site admin and for somebody else. */
const errorsToldToSiteAdmins: RuleChange = (rules) => {
  const met = new Set<boolean>()
  return {
    ...rules,
    userRecord: (account, context) => {
      const siteAdmin = context.caller?.actor.siteAdmin === true
      if (met.has(siteAdmin)) return rules.userRecord(account, context)
      met.add(siteAdmin)
      throw new Error('the database is locked')
    },
  }
}

/** Other texts and links of error bodies. */
export const errorVariants: readonly Variant[] = [
  {
    name: 'error-messages-empty',
    tolerances: [`${section}/body/any-message`],
    change: messagesAre(''),
  },
  {
    name: 'error-messages-reworded',
    tolerances: [`${section}/body/any-message`],
    change: messagesAre('Das geht leider nicht: "so" <b>nicht</b>\n🙁'),
  },
  {
    name: 'failing-field-in-upper-case',
    tolerances: [
      `${section}/validation-names-field/name-in-any-case`,
      `${section}/validation-names-field/any-wording`,
    ],
    change: replaceRule('invalidField', (documented) => (field, reason, context) => ({
      ...documented(field, reason, context),
      message: `Validation failed: '${field.toUpperCase()}' must not be blank`,
    })),
  },
  {
    name: 'documentation-link-at-another-origin',
    tolerances: [
      `${section}/documentation-link/any-origin`,
      `${section}/documentation-link/any-path-prefix`,
    ],
    change: documentationLink(() => 'https://docs.example.com/hosting/api/swagger'),
  },
  {
    name: 'documentation-link-relative',
    tolerances: [`${section}/documentation-link/relative-reference`],
    change: documentationLink(() => '/api/swagger'),
  },
  {
    name: 'documentation-link-to-a-section',
    tolerances: [`${section}/documentation-link/slash-query-or-fragment`],
    change: documentationLink((address) => `${address}/api/swagger/?lang=en#/errors`),
  },
  {
    name: 'server-errors-told-to-site-admins',
    tolerances: [`${section}/server-error-message/told-to-site-admins`],
    change: errorsToldToSiteAdmins,
  },
  {
    name: 'no-content-with-length-zero',
    tolerances: tolerance('length-of-zero', [`${section}/no-content`]),
    change: replaceRule('finish', () => (parts) => {
      if (parts.status === 204) parts.headers.set('Content-Length', '0')
      return parts
    }),
  },
]
