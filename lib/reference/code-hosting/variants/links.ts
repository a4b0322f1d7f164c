import { rawParts } from '../../http.ts'
import { noTolerance, tolerance } from '../../service.ts'
import { altered, pastTheEnd, type RuleChange, sent, variantsOf, where } from '../changes.ts'
import type { LinkEntry } from '../rules.ts'
import { inTurns } from './lists.ts'

const form = 'pagination/link-form'
const targets = 'pagination/link-targets'

/** A link to a page says which in a parameter of its own, which no client can make. */
const targetsByCursor: RuleChange = (rules) => ({
  effectivePage: (requested, context) => {
    const cursor = context.url.searchParams.get('after')
    if (cursor === null) return rules.effectivePage(requested, context)
    return Number(Buffer.from(cursor, 'base64url').toString().replace('page:', ''))
  },
  linkTarget: (page, paging, address, context) => {
    const cursor = Buffer.from(`page:${page}`).toString('base64url')
    const target = new URL(rules.linkTarget(page, paging, address, context))
    target.search = `?after=${cursor}&limit=${paging.limit}`
    return target.href
  },
})

/** Links to what was asked for, whatever that was, with another page. */
export const requestRepeated = altered('linkTarget', (usual, page, _paging, _address, { url }) => {
  const target = new URL(usual)
  const query = new URLSearchParams(url.search)
  query.set('page', String(page))
  target.search = query.toString()
  return target.href
})

const publicAddressIs = (address: string) => [{ publicAddress: () => address }]

const linkOf = (format: (entry: LinkEntry) => string, separator = ', ') =>
  altered('formatLink', (_usual, entries) => entries.map(format).join(separator))

const relationsGrouped = altered('formatLink', (_usual, entries) =>
  [...new Set(entries.map(({ target }) => target))]
    .map((target) => {
      const shared = entries.filter((entry) => entry.target === target)
      return `<${target}>; rel="${shared.map(({ relation }) => relation).join(' ')}"`
    })
    .join(', '),
)

const relationsInTurns: RuleChange = ({ formatLink }) => {
  const turned = inTurns()
  return { formatLink: (entries, context) => formatLink(turned(entries), context) }
}

const severalLines = sent((parts) => {
  if (!parts.headers.has('Link')) return parts
  return rawParts(parts, (name, value) =>
    (name === 'link' ? value.split(/, (?=<)/) : [value]).map((part) => `${name}: ${part}`),
  )
})

export const linkVariants = variantsOf({
  [tolerance('relative-targets', [form, targets])]: {
    'link-relative': ({ linkTarget }) => ({
      linkTarget: (page, paging, _address, context) =>
        linkTarget(page, paging, context.deployment.basePath, context),
    }),
    'link-without-the-prefix-of-a-gateway': { basePath: '/hosting', change: publicAddressIs('') },
  },
  [`${form}/quotes-and-spaces`]: {
    'link-unquoted': linkOf(({ relation, target }) => `<${target}>;rel=${relation}`, ','),
    'link-quoted-without-spaces': linkOf((to) => `<${to.target}>;rel="${to.relation}"`, ','),
    'link-with-many-spaces': linkOf(
      (to) => `<${to.target}>  ;; \trel =  "${to.relation}" `,
      '\t, ',
    ),
  },
  [`${form}/further-parameters`]: {
    'link-with-further-parameters': linkOf(({ relation, target }) => {
      const title = `title="<${relation}>; rel=\\"prev\\", and more"`
      return `<${target}>; ${title}; rel="${relation}"; type=application/json; flag; title*=UTF-8''n%C3%A4chste`
    }),
  },
  [`${form}/relations-in-any-case`]: {
    'link-relations-in-upper-case': linkOf(
      (to) => `<${to.target}>; REL="${to.relation.toUpperCase()}"`,
    ),
  },
  [`${form}/shared-targets`]: { 'link-relations-sharing-a-target': relationsGrouped },
  [`${form}/several-lines`]: { 'link-in-several-lines': severalLines },
  [tolerance('other-origin', [form, targets])]: {
    'link-from-other-origin': publicAddressIs('http://internal.example:3000'),
  },
  [`${targets}/any-query`]: {
    'link-with-further-query': altered('linkTarget', (target) =>
      target.replace('?', '?sort=name&order=asc&q=%C3%A4%26b&'),
    ),
    'link-by-cursor': targetsByCursor,
  },
  [`${targets}/any-query + tokens/value-shown-once/repeated-query`]: {
    'link-repeats-the-request': requestRepeated,
  },
  'pagination/link-relations/relations-to-itself': {
    'first-on-first-page': altered('linkRelations', (entries, { page, lastPage }) => [
      ...entries,
      ...(page === 1 ? [{ relation: 'first', page }] : []),
      ...(page === lastPage ? [{ relation: 'last', page }] : []),
    ]),
  },
  [noTolerance]: {
    'link-relations-in-turns': relationsInTurns,
    'no-link-past-the-end': where(pastTheEnd, { linkNeeded: () => false }),
  },
})
