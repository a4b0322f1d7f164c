import { skip } from '../../../lib/conformance/outcome.ts'
import { remark } from '../../../lib/conformance/scope.ts'
import type { RepositoryPage } from '../client.ts'
import type { PageTour } from './listing.ts'

/** A page and its number, counted from 1. */
export interface NumberedPage {
  page: RepositoryPage
  number: number
}

/** @throws Skip when there are fewer pages */
export function needsPages(count: number, needed: number): void {
  if (count < needed) {
    skip(`needs an account with ${needed} or more repositories, and the main account has ${count}`)
  }
}

/** The first, a middle and the last page; fewer where they are the same. */
export function pagesOf({ first, middle, last, count }: PageTour): NumberedPage[] {
  if (middle === undefined) {
    remark(`A middle page is left out: the main account's repositories make ${count} at most.`)
  }
  return [
    { page: first, number: 1 },
    ...(middle === undefined ? [] : [{ page: middle, number: 2 }]),
    ...(count > 1 ? [{ page: last, number: count }] : []),
  ]
}

/** @throws Skip when no page has a `Link` */
export function pagesWithLink(tour: PageTour): NumberedPage[] {
  const linked = pagesOf(tour).filter(({ page }) => page.headers.has('link'))
  if (linked.length === 0) {
    skip('no page has a Link; see code-hosting/pagination/link-when-several-pages')
  }
  return linked
}

/**
 * Every link of the pages of a tour, and the number of the page that its relation promises there.
 * Relations that do not apply to their page are another requirement's business.
 *
 * @throws Skip when there is no link
 */
export function promisedPages(tour: PageTour): { target: string; number: number }[] {
  const promises = pagesWithLink(tour).flatMap(({ page, number }) => [
    { target: page.links.get('next'), number: number + 1 },
    { target: page.links.get('prev'), number: number - 1 },
    { target: page.links.get('first'), number: 1 },
    { target: page.links.get('last'), number: tour.count },
  ])
  const links = promises.flatMap(({ target, number }) =>
    target !== undefined && number >= 1 && number <= tour.count ? [{ target, number }] : [],
  )
  if (links.length === 0) skip('no page has a link with a relation that applies to it')
  return links
}
