import { isBelow, linkedUrl } from '../probe/base-url.ts'
import type { Exchange } from '../probe/exchange.ts'
import { linkTargets } from '../probe/header-fields.ts'
import { isFailedExpectation } from './deviations.ts'
import { displayHeader } from './exchange-words.ts'
import { expect } from './matchers.ts'
import { Inconclusive, inconclusive } from './outcome.ts'

/** A check needs the whole of a list which has more pages than may be read. */
export class CutShort extends Inconclusive {}

const ATTEMPTS = 3

export interface ListOfPages {
  baseUrl: string
  /** Path of the list below the base URL. */
  path: string
  /** `PROBE_MAX_PAGES` */
  maxPages: number
  page: (url: URL) => Promise<Exchange>
}

/**
 * Returns all pages of a list, from the first one along the links with relation `next`. A link away from
 * the base URL, or to a page that was visited, is a failed expectation.
 *
 * @throws CutShort if there are more pages than may be read
 */
export async function followNext(list: ListOfPages): Promise<Exchange[]> {
  const { baseUrl, path, maxPages } = list
  const pages: Exchange[] = []
  const visited = new Set<string>()
  let url = new URL(`${baseUrl}${path}`)
  for (;;) {
    const page = await list.page(url)
    pages.push(page)
    visited.add(url.href)
    const target = linkTargets(page.headers.get('link')).get('next')
    if (target === undefined) return pages
    url = linkedUrl(target, baseUrl, path)
    const isFurther = isBelow(url, baseUrl) && !visited.has(url.href)
    const shown = displayHeader(page, 'Link', `<${target}>`)
    expect(page).toShow(isFurther, `a next link to a further page`, shown, { header: 'Link' })
    if (pages.length === maxPages) {
      throw new CutShort(`PROBE_MAX_PAGES is ${maxPages}, and the list at ${path} has more pages`)
    }
  }
}

/**
 * Runs a check of data that may change, again on data read anew if they have changed meanwhile.
 *
 * @param check gets the number of the attempt, from 0: later ones send their requests `fresh`
 * @param haveChanged gets whether an expectation failed
 * @throws Inconclusive if the data changed during each attempt
 */
export async function untilSettled(
  data: string,
  check: (attempt: number) => Promise<void>,
  haveChanged: (failed: boolean) => Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [outcome] = await Promise.allSettled([check(attempt)])
    const error = outcome.status === 'rejected' ? outcome.reason : undefined
    // Another reading would end at the same page.
    if (error instanceof CutShort) throw error
    if (await haveChanged(isFailedExpectation(error))) continue
    if (outcome.status === 'rejected') throw error
    return
  }
  inconclusive(`${data} changed during each of ${ATTEMPTS} attempts`)
}
