import type { Fault } from '../fault.ts'
import { on } from '../refusal-change.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/authentication'

const everywhere = () => true

/** Takes `Bearer`, written in a way that matches, for a scheme of no known form. */
function refused(
  written: RegExp,
  where: (context: RequestContext) => boolean = everywhere,
): RuleChange {
  return replaceRule('schemeOf', (documented) => (prefix, context) => {
    const scheme = documented(prefix, context)
    return scheme === 'bearer' && written.test(prefix) && where(context) ? undefined : scheme
  })
}

/** Sends some of the headers that announce a deprecation with Bearer too. */
function announced(
  names: readonly string[],
  where: (context: RequestContext) => boolean = everywhere,
): RuleChange {
  return (rules) => ({
    ...rules,
    bearerHeaders: (context) =>
      Object.fromEntries(
        Object.entries(rules.legacyHeaders(context)).filter(
          ([name]) => names.includes(name) && where(context),
        ),
      ),
  })
}

/** Faults in the Bearer scheme. */
export const bearerFaults: readonly Fault[] = [
  {
    name: 'bearer-refused',
    requirements: [`${section}/bearer`],
    change: refused(/./),
  },
  {
    name: 'bearer-refused-where-the-legacy-prefix-is-disabled',
    requirements: [`${section}/bearer`],
    variant: 'legacy-disabled',
    change: refused(/./),
  },
  {
    name: 'bearer-refused-on-a-repository',
    requirements: [
      `${section}/bearer`,
      'code-hosting/scopes/all',
      'code-hosting/resources/repository',
    ],
    change: refused(/./, on('repository')),
  },
  {
    name: 'bearer-refused-on-a-repository-where-nothing-else-is-taken',
    requirements: [
      `${section}/bearer`,
      'code-hosting/scopes/all',
      'code-hosting/resources/repository',
    ],
    variant: 'legacy-and-query-disabled',
    change: refused(/./, on('repository')),
  },
  {
    name: 'bearer-prefix-case-sensitive',
    requirements: [`${section}/bearer-case-insensitive`],
    change: refused(/^(?!Bearer$)/),
  },
  {
    name: 'bearer-prefix-refused-in-lower-case',
    requirements: [`${section}/bearer-case-insensitive`],
    change: refused(/^bearer$/),
  },
  {
    name: 'bearer-prefix-refused-in-upper-case',
    requirements: [`${section}/bearer-case-insensitive`],
    change: refused(/^BEARER$/),
  },
  {
    name: 'bearer-prefix-accepted-in-three-spellings-alone',
    requirements: [`${section}/bearer-case-insensitive`],
    change: refused(/^(?!Bearer$|bearer$|BEARER$)/),
  },
  {
    name: 'bearer-prefix-case-sensitive-on-a-repository',
    requirements: [`${section}/bearer-case-insensitive`],
    change: refused(/^(?!Bearer$)/, on('repository')),
  },
  {
    name: 'deprecation-headers-on-bearer',
    requirements: [`${section}/bearer-not-deprecated`],
    change: announced(['Deprecation', 'Sunset', 'Warning']),
  },
  {
    name: 'deprecation-header-alone-on-bearer',
    requirements: [`${section}/bearer-not-deprecated`],
    change: announced(['Deprecation']),
  },
  {
    name: 'sunset-header-alone-on-bearer',
    requirements: [`${section}/bearer-not-deprecated`],
    change: announced(['Sunset']),
  },
  {
    name: 'warning-header-alone-on-bearer-on-a-repository',
    requirements: [`${section}/bearer-not-deprecated`],
    change: announced(['Warning'], on('repository')),
  },
]
