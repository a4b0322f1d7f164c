import { isListPage } from '../../lib/conformance/code-hosting/exchanges.ts'
import { pagesOf } from '../../lib/conformance/code-hosting/page-tour.ts'
import { skip } from '../../lib/conformance/outcome.ts'
import { expect, invariant, verify } from './index.ts'

const PAGINATION_HEADERS = ['Link', 'X-Total-Count', 'X-Page', 'X-PerPage', 'X-HasMore']

const everyPage = { about: isListPage, unlessSeen: 'no page of a list' }

verify('code-hosting/pagination/page-header', ({ repositories }) =>
  repositories.settled(async (list) => {
    for (const { page, number } of pagesOf(await list.tour())) {
      expect(page).toHaveHeader('X-Page', number)
    }
  }),
)

invariant('code-hosting/pagination/page-header', {
  ...everyPage,
  holds: (page) => expect(page).toHaveHeaderLike('X-Page', /^[1-9]\d*$/, 'a number from 1'),
})

verify('code-hosting/pagination/per-page-header', ({ repositories }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    for (const { page } of pagesOf(tour)) expect(page).toHaveHeader('X-PerPage', tour.limit)
  }),
)

invariant('code-hosting/pagination/per-page-header', {
  ...everyPage,
  holds: (page) => expect(page).toHaveHeaderLike('X-PerPage', /^[1-9]\d*$/, 'a number from 1'),
})

verify('code-hosting/pagination/has-more-header', ({ repositories }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    for (const { page, number } of pagesOf(tour)) {
      expect(page).toHaveHeader('X-HasMore', String(number < tour.count))
    }
    expect(tour.pastTheEnd).toHaveHeader('X-HasMore', 'false')
  }),
)

invariant('code-hosting/pagination/has-more-header', {
  ...everyPage,
  holds: (page) => expect(page).toHaveHeaderLike('X-HasMore', /^(true|false)$/, 'true or false'),
})

verify('code-hosting/pagination/total-count', ({ repositories }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    const pages = pagesOf(tour).map(({ page }) => page)
    if (pages.every((page) => !page.headers.has('X-Total-Count'))) {
      skip('no page has X-Total-Count, and the document leaves it to lists that count their items')
    }
    const { length } = await list.names()
    for (const page of pages) expect(page).toHaveHeader('X-Total-Count', length)
  }),
)

verify('code-hosting/pagination/exposed-headers', ({ repositories }) =>
  repositories.settled(async (list) => {
    const { first, middle, last } = await list.tour()
    const complete = [middle, first, last].find((page) =>
      PAGINATION_HEADERS.every((name) => page?.headers.has(name)),
    )
    if (complete === undefined) {
      skip(`needs a response with all of ${PAGINATION_HEADERS.join(', ')}, and there was none`)
    }
    for (const name of PAGINATION_HEADERS) {
      expect(complete).toListInHeader('Access-Control-Expose-Headers', name)
    }
  }),
)

verify('code-hosting/pagination/past-the-end', ({ repositories }) =>
  repositories.settled(async (list) => {
    const { pastTheEnd } = await list.tour()
    expect(pastTheEnd).toHaveStatus(200)
    expect(pastTheEnd).toHaveItems(0)
    expect(pastTheEnd).toHaveHeaderWherePresent('X-HasMore', 'false')
    expect(pastTheEnd).toLackLinkTo('next')
  }),
)
