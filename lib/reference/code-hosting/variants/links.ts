import { rawParts } from '../../http.ts'
import { noTolerance, tolerance } from '../../service.ts'
import type { LinkEntry } from '../rules/pagination.ts'
import { altered, pastTheEnd, type RuleChange, sent, variantsOf, where } from '../rules.ts'

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

const linkOf = (format: (entry: LinkEntry) => string, separator = ', ') =>
  altered('formatLink', (_usual, entries) => entries.map(format).join(separator))

const relationsGrouped: RuleChange = () => ({
  formatLink: (entries) => {
    const relations = new Map<string, string[]>()
    for (const { target, relation } of entries) {
      relations.set(target, [...(relations.get(target) ?? []), relation])
    }
    return [...relations]
      .map(([target, names]) => `<${target}>; rel="${names.join(' ')}"`)
      .join(', ')
  },
})

const relationsInTurns: RuleChange = ({ formatLink }) => {
  let turns = 0
  return {
    formatLink: (entries, context) => {
      turns += 1
      const first = turns % entries.length
      return formatLink([...entries.slice(first), ...entries.slice(0, first)], context)
    },
  }
}

const severalLines = sent((parts) => {
  if (!parts.headers.has('Link')) return parts
  return rawParts(parts, (name, value) =>
    (name === 'link' ? value.split(/, (?=<)/) : [value]).map((part) => `${name}: ${part}`),
  )
})

/** Other forms of `Link`. */
export const linkVariants = variantsOf({
  [tolerance('relative-targets', [form, targets])]: {
    'link-relative': ({ linkTarget }) => ({
      linkTarget: (page, paging, _address, context) =>
        linkTarget(page, paging, context.deployment.basePath, context),
    }),
    'link-without-the-prefix-of-a-gateway': {
      basePath: '/hosting',
      change: { publicAddress: () => '' },
    },
  },
  [`${form}/quotes-and-spaces`]: {
    'link-unquoted': linkOf(({ relation, target }) => `<${target}>;rel=${relation}`, ','),
    'link-quoted-without-spaces': linkOf(
      ({ relation, target }) => `<${target}>;rel="${relation}"`,
      ',',
    ),
    'link-with-many-spaces': linkOf(
      ({ relation, target }) => `<${target}>  ;; \trel =  "${relation}" `,
      '\t,  ',
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
      ({ relation, target }) => `<${target}>; REL="${relation.toUpperCase()}"`,
    ),
  },
  [`${form}/shared-targets`]: { 'link-relations-sharing-a-target': relationsGrouped },
  [`${form}/several-lines`]: { 'link-in-several-lines': severalLines },
  [tolerance('other-origin', [form, targets])]: {
    'link-from-other-origin': () => ({ publicAddress: () => 'http://internal.example:3000' }),
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
