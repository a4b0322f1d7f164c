import { rawParts } from '../../http.ts'
import { tolerance, variantsOf } from '../../service.ts'
import { pastTheEnd, type RuleChange, where } from '../changes.ts'
import type { Deployment } from '../deployment.ts'
import type { Configuration } from '../population.ts'
import type { LinkEntry } from '../rules/pagination.ts'
import type { Rules } from '../rules.ts'

const form = 'code-hosting/pagination/link-form'
const targets = 'code-hosting/pagination/link-targets'

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
export const requestRepeated: RuleChange = (rules) => ({
  linkTarget: (page, paging, address, context) => {
    const target = new URL(rules.linkTarget(page, paging, address, context))
    const query = new URLSearchParams(context.url.search)
    query.set('page', String(page))
    target.search = query.toString()
    return target.href
  },
})

function linkOf(format: (entry: LinkEntry) => string, separator = ', '): Partial<Rules> {
  return { formatLink: (entries) => entries.map(format).join(separator) }
}

const relationsGrouped: Partial<Rules> = {
  formatLink: (entries) => {
    const relations = new Map<string, string[]>()
    for (const { target, relation } of entries) {
      relations.set(target, [...(relations.get(target) ?? []), relation])
    }
    return [...relations]
      .map(([target, names]) => `<${target}>; rel="${names.join(' ')}"`)
      .join(', ')
  },
}

const relationsInTurns: RuleChange = (rules) => {
  let turns = 0
  return {
    formatLink: (entries, context) => {
      turns += 1
      const first = turns % entries.length
      return rules.formatLink([...entries.slice(first), ...entries.slice(0, first)], context)
    },
  }
}

const severalLines: RuleChange = (rules) => ({
  finish: async (parts, context) => {
    const finished = await rules.finish(parts, context)
    if (!finished.headers.has('Link')) return finished
    return rawParts(finished, (name, value) =>
      (name === 'link' ? value.split(/, (?=<)/) : [value]).map((part) => `${name}: ${part}`),
    )
  },
})

/** Other forms of `Link`. */
export const linkVariants = variantsOf<Rules, Deployment, Configuration>({
  'link-relative': {
    tolerances: tolerance('relative-targets', [form, targets]),
    change: (rules) => ({
      linkTarget: (page, paging, _address, context) =>
        rules.linkTarget(page, paging, context.deployment.basePath, context),
    }),
  },
  'link-unquoted': {
    tolerances: [`${form}/quotes-and-spaces`],
    change: linkOf(({ relation, target }) => `<${target}>;rel=${relation}`, ','),
  },
  'link-quoted-without-spaces': {
    tolerances: [`${form}/quotes-and-spaces`],
    change: linkOf(({ relation, target }) => `<${target}>;rel="${relation}"`, ','),
  },
  'link-with-many-spaces': {
    tolerances: [`${form}/quotes-and-spaces`],
    change: linkOf(({ relation, target }) => `<${target}>  ;; \trel =  "${relation}" `, '\t,  '),
  },
  'link-with-further-parameters': {
    tolerances: [`${form}/further-parameters`],
    change: linkOf(({ relation, target }) => {
      const title = `title="<${relation}>; rel=\\"prev\\", and more"`
      return `<${target}>; ${title}; rel="${relation}"; type=application/json; flag; title*=UTF-8''n%C3%A4chste`
    }),
  },
  'link-relations-in-upper-case': {
    tolerances: [`${form}/relations-in-any-case`],
    change: linkOf(({ relation, target }) => `<${target}>; REL="${relation.toUpperCase()}"`),
  },
  'link-relations-sharing-a-target': {
    tolerances: [`${form}/shared-targets`],
    change: relationsGrouped,
  },
  'link-relations-in-turns': { change: relationsInTurns },
  'link-in-several-lines': { tolerances: [`${form}/several-lines`], change: severalLines },
  'link-from-other-origin': {
    tolerances: tolerance('other-origin', [form, targets]),
    change: { publicAddress: () => 'http://internal.example:3000' },
  },
  'link-without-the-prefix-of-a-gateway': {
    basePath: '/hosting',
    tolerances: tolerance('relative-targets', [form, targets]),
    change: { publicAddress: () => '' },
  },
  'no-link-past-the-end': {
    change: where(pastTheEnd, { linkNeeded: () => false }),
  },
  'link-with-further-query': {
    tolerances: [`${targets}/any-query`],
    change: (rules) => ({
      linkTarget: (...parameters) =>
        rules.linkTarget(...parameters).replace('?', '?sort=name&order=asc&q=%C3%A4%26b&'),
    }),
  },
  'link-repeats-the-request': {
    tolerances: [`${targets}/any-query`, 'code-hosting/tokens/value-shown-once/repeated-query'],
    change: requestRepeated,
  },
  'link-by-cursor': { tolerances: [`${targets}/any-query`], change: targetsByCursor },
  'first-on-first-page': {
    tolerances: ['code-hosting/pagination/link-relations/relations-to-itself'],
    change: (rules) => ({
      linkRelations: (paging, context) => {
        const { page, lastPage } = paging
        const entries = [...rules.linkRelations(paging, context)]
        if (page === 1) entries.push({ relation: 'first', page })
        if (page === lastPage) entries.push({ relation: 'last', page })
        return entries
      },
    }),
  },
})
