import { rawParts } from '../../http/raw-parts.ts'
import { tolerance } from '../../tolerance-ids.ts'
import type { LinkEntry } from '../rules/link.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const form = 'code-hosting/pagination/link-form'
const targets = 'code-hosting/pagination/link-targets'

/** A link to a page says which in a parameter of its own, which no client can make. */
const targetsByCursor: RuleChange = (rules) => ({
  ...rules,
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
export const requestRepeated = replaceRule('linkTarget', (documented) => (page, ...rest) => {
  const [, , context] = rest
  const target = new URL(documented(page, ...rest))
  const query = new URLSearchParams(context.url.search)
  query.set('page', String(page))
  target.search = query.toString()
  return target.href
})

function linkOf(format: (entry: LinkEntry) => string, separator = ', '): RuleChange {
  return replaceRule('formatLink', () => (entries) => entries.map(format).join(separator))
}

const relationsGrouped = replaceRule('formatLink', () => (entries) => {
  const relations = new Map<string, string[]>()
  for (const { target, relation } of entries) {
    relations.set(target, [...(relations.get(target) ?? []), relation])
  }
  return [...relations].map(([target, names]) => `<${target}>; rel="${names.join(' ')}"`).join(', ')
})

const severalLines = replaceRule('finish', (documented) => async (parts, context) => {
  const finished = await documented(parts, context)
  if (!finished.headers.has('Link')) return finished
  return rawParts(finished, (name, value) =>
    (name === 'link' ? value.split(/, (?=<)/) : [value]).map((part) => `${name}: ${part}`),
  )
})

/** Other forms of `Link`. */
export const linkVariants: readonly Variant[] = [
  {
    name: 'link-relative',
    tolerances: tolerance('relative-targets', [form, targets]),
    change: replaceRule('linkTarget', (documented) => (page, paging, _address, context) => {
      return documented(page, paging, context.deployment.basePath, context)
    }),
  },
  {
    name: 'link-unquoted',
    tolerances: [`${form}/quotes-and-spaces`],
    change: linkOf(({ relation, target }) => `<${target}>;rel=${relation}`, ','),
  },
  {
    name: 'link-quoted-without-spaces',
    tolerances: [`${form}/quotes-and-spaces`],
    change: linkOf(({ relation, target }) => `<${target}>;rel="${relation}"`, ','),
  },
  {
    name: 'link-with-many-spaces',
    tolerances: [`${form}/quotes-and-spaces`],
    change: linkOf(({ relation, target }) => `<${target}>  ;; \trel =  "${relation}" `, '\t,  '),
  },
  {
    name: 'link-with-further-parameters',
    tolerances: [`${form}/further-parameters`],
    change: linkOf(({ relation, target }) => {
      const title = `title="<${relation}>; rel=\\"prev\\", and more"`
      return `<${target}>; ${title}; rel="${relation}"; type=application/json; flag; title*=UTF-8''n%C3%A4chste`
    }),
  },
  {
    name: 'link-relations-in-upper-case',
    tolerances: [`${form}/relations-in-any-case`],
    change: linkOf(({ relation, target }) => `<${target}>; REL="${relation.toUpperCase()}"`),
  },
  {
    name: 'link-relations-sharing-a-target',
    tolerances: [`${form}/shared-targets`],
    change: relationsGrouped,
  },
  {
    name: 'link-relations-in-turns',
    change: (rules) => {
      let turns = 0
      return {
        ...rules,
        formatLink: (entries, context) => {
          turns += 1
          const first = turns % entries.length
          const turned = [...entries.slice(first), ...entries.slice(0, first)]
          return rules.formatLink(turned, context)
        },
      }
    },
  },
  { name: 'link-in-several-lines', tolerances: [`${form}/several-lines`], change: severalLines },
  {
    name: 'link-from-other-origin',
    tolerances: tolerance('other-origin', [form, targets]),
    change: replaceRule('publicAddress', () => () => 'http://internal.example:3000'),
  },
  {
    name: 'link-without-the-prefix-of-a-gateway',
    basePath: '/hosting',
    tolerances: tolerance('relative-targets', [form, targets]),
    change: replaceRule('publicAddress', () => () => ''),
  },
  {
    name: 'no-link-past-the-end',
    change: replaceRule('linkNeeded', (documented) => (paging, context) => {
      return paging.page <= paging.lastPage && documented(paging, context)
    }),
  },
  {
    name: 'link-with-further-query',
    tolerances: [`${targets}/any-query`],
    change: replaceRule('linkTarget', (documented) => (...values) => {
      return documented(...values).replace('?', '?sort=name&order=asc&q=%C3%A4%26b&')
    }),
  },
  {
    name: 'link-repeats-the-request',
    tolerances: [`${targets}/any-query`, 'code-hosting/tokens/value-shown-once/repeated-query'],
    change: requestRepeated,
  },
  { name: 'link-by-cursor', tolerances: [`${targets}/any-query`], change: targetsByCursor },
  {
    name: 'first-on-first-page',
    tolerances: ['code-hosting/pagination/link-relations/relations-to-itself'],
    change: replaceRule('linkRelations', (documented) => (paging, context) => {
      const entries = [...documented(paging, context)]
      if (paging.page === 1) entries.push({ relation: 'first', page: 1 })
      if (paging.page === paging.lastPage) {
        entries.push({ relation: 'last', page: paging.lastPage })
      }
      return entries
    }),
  },
]
