import type { Fault } from '../fault.ts'
import type { RequestContext } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/pagination'

/** What a `Link` whose targets are not the pages that they are said to be breaks. */
const astray = [`${section}/link-targets`, `${section}/walk`]

function targeted(change: (target: string, context: RequestContext) => string): RuleChange {
  return replaceRule(
    'linkTarget',
    (documented) => (page, paging, address, context) =>
      change(documented(page, paging, address, context), context),
  )
}

/** Faults in the URLs of `Link`. */
export const linkTargetFaults: readonly Fault[] = [
  {
    name: 'link-without-limit',
    requirements: astray,
    change: targeted((target) => target.replace(/limit=\d+&/, '')),
  },
  {
    name: 'link-outside-the-api',
    requirements: astray,
    change: targeted((target) => target.replace('/api/v1/user/repos', '/explore/repos')),
  },
  {
    name: 'link-escaped-for-html',
    requirements: astray,
    change: targeted((target) => target.replaceAll('&', '&amp;')),
  },
  {
    name: 'link-repeats-page-parameter',
    requirements: astray,
    change: targeted((target, { url }) => {
      const page = url.searchParams.get('page')
      return page === null ? target : target.replace('?', `?page=${page}&`)
    }),
  },
  {
    name: 'link-counts-pages-from-zero',
    requirements: astray,
    change: targeted((target) =>
      target.replace(/([?&]page=)(\d+)/, (_, name, page) => `${name}${Number(page) - 1}`),
    ),
  },
]
