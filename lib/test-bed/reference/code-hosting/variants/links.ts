import { rawParts } from '../../http.ts'
import { tolerance } from '../../rule-tables.ts'
import { alter, alterParts, type RuleChange, uses } from '../changes.ts'
import { presentedToken } from '../faults/tokens.ts'
import type { LinkEntry } from '../rules.ts'

const form = 'pagination/link-form'
const targets = 'pagination/link-targets'

const targetsByCursor: RuleChange = (rules) => ({
  effectivePage: (requested, context) => {
    const cursor = context.url.searchParams.get('after')
    if (cursor === null) return rules.effectivePage(requested, context)
    return Number(Buffer.from(cursor, 'base64url').toString().replace('page:', ''))
  },
  linkTarget: (page, paging, address, context) => {
    const cursor = Buffer.from(`page:${page}`).toString('base64url')
    const target = new URL(rules.linkTarget(page, paging, address, context))
    const sudo = target.searchParams.get('sudo')
    target.search = `?after=${cursor}&limit=${paging.limit}${sudo === null ? '' : `&sudo=${sudo}`}`
    return target.href
  },
})

/** Repeats the query of the request in links, with another page. */
export const requestRepeated = alter('linkTarget', (result, page, _paging, _address, { url }) => {
  const target = new URL(result)
  const query = new URLSearchParams(url.search)
  query.set('page', String(page))
  target.search = query.toString()
  return target.href
})

const linksRelative: RuleChange = ({ linkTarget }) => ({
  linkTarget: (page, paging, _address, context) =>
    linkTarget(page, paging, context.server.basePath, context),
})

const linkOf = (format: (entry: LinkEntry) => string, separator = ', ') =>
  alter('formatLink', (_result, entries) => entries.map(format).join(separator))

const relationsGrouped = alter('formatLink', (_result, entries) =>
  [...new Set(entries.map(({ target }) => target))]
    .map((target) => {
      const shared = entries.filter((entry) => entry.target === target)
      return `<${target}>; rel="${shared.map(({ relation }) => relation).join(' ')}"`
    })
    .join(', '),
)

const severalLines = alterParts((parts) => {
  if (!parts.headers.has('Link')) return parts
  return rawParts(parts, (name, value) =>
    (name === 'link' ? value.split(/, (?=<)/) : [value]).map((part) => `${name}: ${part}`),
  )
})

export const linkVariants = [
  uses(tolerance('relative-targets', form, targets), {
    'link-relative': linksRelative,
    'link-relative-below-a-base-path': { basePath: '/hosting', change: linksRelative },
  }),
  uses(tolerance('quotes-and-spaces', form), {
    'link-unquoted': linkOf(({ relation, target }) => `<${target}>;rel=${relation}`, ','),
  }),
  uses(tolerance(['further-parameters', 'relations-in-any-case'], form), {
    'link-with-further-parameters': linkOf(({ relation, target }) => {
      const title = `title="<${relation}>; rel=\\"prev\\", and more"`
      return `<${target}>; ${title}; REL="${relation.toUpperCase()}"; type=application/json; flag; title*=UTF-8''n%C3%A4chste`
    }),
  }),
  uses(tolerance('shared-targets', form), { 'link-relations-sharing-a-target': relationsGrouped }),
  uses(tolerance('several-lines', form), { 'link-in-several-lines': severalLines }),
  uses(tolerance('other-origin', form, targets), {
    'link-from-other-origin': [{ publicAddress: () => 'http://internal.example:3000' }],
  }),
  uses(tolerance('any-query', targets), { 'link-by-cursor': targetsByCursor }),
  uses(
    [
      tolerance('any-query', targets),
      tolerance(['repeated-query', 'last-eight-characters'], 'tokens/value-shown-once'),
    ],
    {
      'request-repeated': [
        requestRepeated,
        alter('userRecord', (record, _account, context) => ({
          ...record,
          token_last_eight: presentedToken(context)?.slice(-8),
        })),
      ],
    },
  ),
].flat()
