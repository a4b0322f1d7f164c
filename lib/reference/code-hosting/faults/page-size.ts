import { refuse } from '../../http/refusal.ts'
import type { Fault } from '../fault.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Settings } from '../settings.ts'

const section = 'code-hosting/pagination'
const agreement = 'code-hosting/settings/agree-with-pagination'

/** More than any account of the reference owns. */
const everything = 1000

/**
 * Page sizes of its own, by the limit that is asked for (`undefined` when none is); where it gives
 * none, the documented size counts.
 */
function sized(
  other: (
    asked: number | undefined,
    settings: Settings,
    context: RequestContext,
  ) => number | undefined,
): RuleChange {
  return replaceRule('effectiveLimit', (documented) => (requested, settings, context) => {
    const asked = requested === null ? undefined : Number(requested)
    return other(asked, settings, context) ?? documented(requested, settings, context)
  })
}

/** An error in place of the page where the limit is one of these. */
function refused(status: number, isRefused: (asked: number, settings: Settings) => boolean) {
  return sized((asked, settings) => {
    if (asked === undefined || !isRefused(asked, settings)) return undefined
    return refuse({ status, message: `limit: ${asked} is out of range` })
  })
}

/** Page sizes for limits that ask for more than the maximum. */
function aboveMaximum(size: (asked: number, settings: Settings) => number): RuleChange {
  return sized((asked, settings) =>
    asked !== undefined && asked > settings.maxResponseItems ? size(asked, settings) : undefined,
  )
}

/** Faults in how many items a page has. */
export const pageSizeFaults: readonly Fault[] = [
  {
    name: 'default-limit-is-maximum',
    requirements: [`${section}/default-limit`, agreement],
    change: sized((asked, settings) =>
      asked === undefined ? settings.maxResponseItems : undefined,
    ),
  },
  {
    name: 'default-limit-one-more',
    requirements: [`${section}/default-limit`, agreement],
    change: sized((asked, settings) =>
      asked === undefined ? settings.defaultPagingNum + 1 : undefined,
    ),
  },
  {
    name: 'everything-without-page-and-limit',
    requirements: [`${section}/default-limit`, `${section}/first-page-default`, agreement],
    change: sized((asked, _settings, { url }) =>
      asked === undefined && !url.searchParams.has('page') ? everything : undefined,
    ),
  },
  {
    name: 'everything-on-one-page',
    requirements: [
      `${section}/default-limit`,
      `${section}/limit-not-positive`,
      `${section}/limit-honoured`,
      `${section}/limit-lowered`,
      agreement,
    ],
    change: sized(() => everything),
  },
  {
    name: 'limit-zero-gives-maximum',
    requirements: [`${section}/limit-not-positive`],
    change: sized((asked, settings) => (asked === 0 ? settings.maxResponseItems : undefined)),
  },
  {
    name: 'limit-zero-refused',
    requirements: [`${section}/limit-not-positive`],
    change: refused(400, (asked) => asked === 0),
  },
  {
    name: 'negative-limit-gives-one',
    requirements: [`${section}/limit-not-positive`],
    change: sized((asked) => (asked !== undefined && asked < 0 ? 1 : undefined)),
  },
  {
    name: 'negative-limit-refused',
    requirements: [`${section}/limit-not-positive`],
    change: refused(422, (asked) => asked < 0),
  },
  {
    name: 'limit-of-one-gives-default',
    requirements: [`${section}/limit-honoured`],
    change: sized((asked, settings) => (asked === 1 ? settings.defaultPagingNum : undefined)),
  },
  {
    name: 'limit-of-maximum-gives-one-less',
    requirements: [`${section}/limit-honoured`],
    change: sized((asked, settings) =>
      asked === settings.maxResponseItems ? asked - 1 : undefined,
    ),
  },
  {
    name: 'limit-ignored',
    requirements: [`${section}/limit-honoured`, `${section}/limit-lowered`, agreement],
    change: sized((_asked, settings) => settings.defaultPagingNum),
  },
  {
    name: 'limit-ignored-without-page',
    requirements: [`${section}/limit-honoured`, `${section}/limit-lowered`, agreement],
    change: sized((_asked, settings, { url }) =>
      url.searchParams.has('page') ? undefined : settings.defaultPagingNum,
    ),
  },
  {
    name: 'limit-not-lowered',
    requirements: [`${section}/limit-lowered`, agreement],
    change: aboveMaximum((asked) => asked),
  },
  {
    name: 'limit-lowered-to-one-less',
    requirements: [`${section}/limit-lowered`, agreement],
    change: aboveMaximum((_asked, settings) => settings.maxResponseItems - 1),
  },
  {
    name: 'limit-lowered-to-one-more',
    requirements: [`${section}/limit-lowered`, agreement],
    change: aboveMaximum((_asked, settings) => settings.maxResponseItems + 1),
  },
  {
    name: 'limit-above-maximum-gives-default',
    requirements: [`${section}/limit-lowered`, agreement],
    change: aboveMaximum((_asked, settings) => settings.defaultPagingNum),
  },
  {
    name: 'limit-above-maximum-refused',
    requirements: [`${section}/limit-lowered`],
    change: refused(422, (asked, settings) => asked > settings.maxResponseItems),
  },
  {
    name: 'limit-far-above-maximum-refused',
    requirements: [`${section}/limit-lowered`],
    change: refused(400, (asked, settings) => asked > 2 * settings.maxResponseItems),
  },
  {
    name: 'limit-lowered-in-headers-alone',
    requirements: [`${section}/limit-lowered`, `${section}/per-page-header`, agreement],
    change: replaceRule('pageItems', (documented) => (items, paging, context) => {
      const asked = Number(context.url.searchParams.get('limit'))
      if (asked <= context.deployment.settings.maxResponseItems) {
        return documented(items, paging, context)
      }
      return items.slice((paging.page - 1) * asked, paging.page * asked)
    }),
  },
]
