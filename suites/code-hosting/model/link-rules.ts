// What the `Link` field of a page must say.
import { isDeepStrictEqual } from 'node:util'
import { skip, skipUnobserved } from '../../../lib/conformance/check-errors.ts'
import type { RepositoryPage } from '../client.ts'
import { expect } from '../matchers.ts'
import { type ComparedPage, type JudgedList, namesOf } from './judged-list.ts'
import { isPastTheEnd } from './list-table.ts'
import { areItemsOf, type RelationType } from './pages.ts'

/** Expects the relation types that apply. A list that does not count its items cannot know its last page. */
export function expectRelations({ page, expected: { number, hasMore } }: ComparedPage): void {
  const isCounted = page.headers.has('X-Total-Count')
  if (number === 1) expect(page).toLackLinkTo('prev')
  else for (const relation of ['first', 'prev']) expect(page).toLinkTo(relation)
  if (!hasMore) expect(page).toLackLinkTo('next')
  else for (const rel of isCounted ? ['next', 'last'] : ['next']) expect(page).toLinkTo(rel)
}

/** Query parameters that carry a token, which a link need not repeat. */
const TOKEN_PARAMETERS = ['token', 'access_token']

/**
 * Returns true if a target differs from the request of its page only in the documented parameters, and
 * these name the page. Other targets are right if following them shows the page.
 */
function namesPage(from: RepositoryPage, target: string, number: number, size: number): boolean {
  const { url } = from.request
  if (!URL.canParse(target, url.href)) return false
  const to = new URL(target, url)
  const without = (names: readonly string[], { searchParams }: URL) =>
    [...searchParams].filter(([name]) => !names.includes(name)).map((pair) => pair.join('='))
  const others = without(['page', 'limit', ...TOKEN_PARAMETERS], url)
  const expected = [...others, `page=${number}`, `limit=${size}`]
  const isSame = isDeepStrictEqual(without(TOKEN_PARAMETERS, to).sort(), expected.sort())
  return to.pathname === url.pathname && isSame
}

export async function expectTargets(compared: ComparedPage, list: JudgedList): Promise<void> {
  const { page, query, by, expected } = compared
  const promised = new Map<RelationType, number>(expected.links)
  // On the last page and past the end, the server may name these too.
  promised.set('first', 1)
  if (expected.count !== undefined) promised.set('last', expected.count)
  if (isPastTheEnd(compared.one)) promised.delete('prev')
  for (const [relation, number] of promised) {
    const target = page.links.targets.get(relation)
    const linked = list.expected({ ...query, page: number })
    if (target === undefined || linked === undefined) continue
    if (namesPage(page, target, number, expected.size)) continue
    const followed = await list.list.follow(page, target, by)
    const { items = [], offset } = linked
    const promised = await list.list.page({ ...query, page: number }, by)
    expect(followed).toReportTheSamePageAs(promised)
    expect(followed).toHoldPage(items, offset, areItemsOf(list.known, linked, namesOf(followed)))
  }
}

/** @throws Skip when no page has a `Link` */
export function requireLinks(judged: readonly ComparedPage[]): void {
  if (judged.some(({ page }) => page.links.targets.size > 0)) return
  const reason = 'no page has a Link; see code-hosting/pagination/link-when-several-pages'
  if (judged.some(({ expected }) => expected.count !== 1)) skipUnobserved(reason)
  skip(reason)
}
