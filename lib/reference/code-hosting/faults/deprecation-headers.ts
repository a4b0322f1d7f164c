import type { Fault } from '../fault.ts'
import { on } from '../refusal-change.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

const text = "The 'token' authorization scheme is deprecated, send 'Authorization: Bearer' instead"

/** Sends the header with another value, or leaves it out. */
function sent(
  name: 'Deprecation' | 'Sunset' | 'Warning',
  value: string | undefined,
  where: (context: RequestContext) => boolean = () => true,
): RuleChange {
  return replaceRule('legacyHeaders', (documented) => (context) => {
    const { [name]: replaced = '', ...others } = documented(context)
    if (!where(context)) return { ...others, [name]: replaced }
    return value === undefined ? others : { ...others, [name]: value }
  })
}

const inUpperCase = ({ headers }: RequestContext) =>
  headers.get('Authorization')?.startsWith('TOKEN') === true

/** Names of faults, and the values that the header has in their place. */
const wrongValues = {
  Deprecation: {
    'deprecation-header-holds-one': '1',
    'deprecation-header-holds-a-moment': '@1775001600',
    'deprecation-header-holds-yes-in-another-case': 'True',
  },
  Sunset: {
    'sunset-header-with-another-date': 'Tue, 31 Mar 2026 23:59:59 GMT',
    'sunset-header-as-an-iso-date': '2026-04-01T00:00:00Z',
    'sunset-header-as-an-obsolete-date': 'Wednesday, 01-Apr-26 00:00:00 GMT',
    'sunset-header-in-another-zone-name': 'Wed, 01 Apr 2026 00:00:00 UTC',
  },
  Warning: {
    'warning-header-without-bearer': '299 - "this authorization scheme is deprecated"',
    'warning-header-without-deprecation': '299 - "use Authorization: Bearer"',
    'warning-header-of-code-199': `199 - "${text}"`,
    'warning-header-without-quotes': `299 - ${text}`,
    'warning-header-without-agent': `299 "${text}"`,
  },
} as const

const requirementOf = {
  Deprecation: `${section}/legacy-deprecation-header`,
  Sunset: `${section}/legacy-sunset-header`,
  Warning: `${section}/legacy-warning-header`,
} as const

function wrongValueFaults(name: keyof typeof wrongValues): readonly Fault[] {
  return Object.entries(wrongValues[name]).map(([fault, value]) => ({
    name: fault,
    requirements: [requirementOf[name]],
    change: sent(name, value),
  }))
}

/** Faults in what announces the end of the `token` prefix. */
export const deprecationHeaderFaults: readonly Fault[] = [
  {
    name: 'deprecation-header-missing',
    requirements: [requirementOf.Deprecation],
    change: sent('Deprecation', undefined),
  },
  {
    name: 'deprecation-header-missing-on-a-repository',
    requirements: [requirementOf.Deprecation],
    change: sent('Deprecation', undefined, on('repository')),
  },
  {
    name: 'deprecation-headers-missing-in-upper-case',
    requirements: Object.values(requirementOf),
    change: replaceRule(
      'legacyHeaders',
      (documented) => (context) => (inUpperCase(context) ? {} : documented(context)),
    ),
  },
  {
    name: 'sunset-header-missing',
    requirements: [requirementOf.Sunset],
    change: sent('Sunset', undefined),
  },
  {
    name: 'warning-header-missing-on-the-list',
    requirements: [requirementOf.Warning],
    change: sent('Warning', undefined, on('user-repositories')),
  },
  ...wrongValueFaults('Deprecation'),
  ...wrongValueFaults('Sunset'),
  ...wrongValueFaults('Warning'),
]
