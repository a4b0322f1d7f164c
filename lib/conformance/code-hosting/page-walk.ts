import type { PageQuery } from '../../services/code-hosting.ts'
import { displayText } from '../exchange-words.ts'
import { skip } from '../outcome.ts'
import { firstPageQuery } from './first-page.ts'
import type { Listing } from './listing.ts'
import { expect } from './matchers.ts'

/**
 * Expects that following `next` visits every page: no item twice, none missing, as many as
 * `X-Total-Count` says where it is sent, and an end.
 *
 * @throws Skip when there is nothing to walk
 */
export async function expectWalk(list: Listing, query: PageQuery): Promise<void> {
  const { pages, endless } = await list.walk(await firstPageQuery(list, query))
  for (const page of pages) {
    expect(page).toHaveStatus(200)
    expect(page).toShow(page.names !== undefined, 'a list of repositories', 'none')
  }
  const start = pages[0]
  const end = pages.at(-1)
  if (start === undefined || end === undefined) skip('there is no page to walk')
  expect(end).toShow(!endless, 'a walk that ends', 'a next that leads to nothing new')

  const visited = pages.flatMap(({ names }) => names ?? [])
  const different = new Set<string>()
  const repeated = visited.find((name) => different.size === different.add(name).size)
  expect(end).toShow(
    repeated === undefined,
    'every item once',
    `${displayText(end, String(repeated))} twice`,
  )

  const names = await list.names()
  if (names.length === 0) skip('needs an account with repositories, and the main account has none')
  const missing = names.filter((name) => !different.has(name))
  expect(end).toShow(
    missing.length === 0,
    `all ${names.length} items on the way`,
    `${visited.length} items, without ${displayText(end, String(missing[0]))}`,
  )
  expect(start).toHaveHeaderWherePresent('X-Total-Count', visited.length)
}
