import { each } from '../../lib/conformance/each.ts'
import { orNote, skip, skipUnobserved } from '../../lib/conformance/outcome.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import { needed } from './needs.ts'
import { isListPage } from './support/exchanges.ts'
import { type Listing, shownSize } from './support/listing.ts'
import { pagesOf } from './support/pages.ts'
import { expect, invariant, verify } from './words.ts'

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

verify('code-hosting/pagination/per-page-header', ({ repositories, settings }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    const length = await list.length()
    for (const { page } of pagesOf(tour)) {
      expect(page).toHaveHeader('X-PerPage', shownSize(tour.first, length))
    }
    await each([{}, { limit: settings.maxResponseItems + 1 }], async (query) => {
      const first = await list.page({ page: 1, ...query })
      if (isListPage(first)) expect(first).toHaveHeader('X-PerPage', shownSize(first, length))
    })
  }),
)

invariant('code-hosting/pagination/per-page-header', {
  ...everyPage,
  holds(page) {
    expect(page).toHaveHeaderLike('X-PerPage', /^[1-9]\d*$/, 'a number from 1')
    expect(page).toHaveItemsUpTo(Number(page.headers.get('x-perpage')))
  },
})

verify('code-hosting/pagination/has-more-header', ({ repositories }) =>
  repositories.settled(async (list) => {
    const tour = await list.tour()
    for (const { page, number } of pagesOf(tour)) {
      expect(page).toHaveHeader('X-HasMore', String(number < tour.count))
    }
    const behind = [tour.pastTheEnd, (await list.fullLastPage()) ?? tour.last]
    for (const page of behind.filter(isListPage)) expect(page).toHaveHeader('X-HasMore', 'false')
  }),
)

invariant('code-hosting/pagination/has-more-header', {
  ...everyPage,
  holds: (page) => expect(page).toHaveHeaderLike('X-HasMore', /^(true|false)$/, 'true or false'),
})

async function expectTotal(list: Listing): Promise<void> {
  const pages = pagesOf(await list.tour()).map(({ page }) => page)
  if (pages.every((page) => !page.headers.has('X-Total-Count'))) {
    needed('counted lists')
  }
  const { length, isWhole } = await list.known()
  if (!isWhole) {
    for (const page of pages) {
      expect(page).toHaveHeader('X-Total-Count', pages[0]?.headers.get('X-Total-Count') ?? '')
      const total = Number(page.headers.get('X-Total-Count'))
      expect(page).toShow(total >= length, `X-Total-Count: ${length} or more`, `${total}`, {
        header: 'X-Total-Count',
      })
    }
  }
  const names = await list.names()
  for (const page of pages) expect(page).toHaveHeader('X-Total-Count', names.length)
}

verify('code-hosting/pagination/total-count', async ({ repositories, tokens }) => {
  await repositories.settled(expectTotal)
  await orNote('What a token sees that is for public repositories', async () => {
    const token = await tokens.with('public-only', 'read:user', 'read:repository')
    await repositories.settled(expectTotal, bearer(token))
  })
})

verify('code-hosting/pagination/exposed-headers', ({ repositories }) =>
  repositories.settled(async (list) => {
    const { first, middle, last, count } = await list.tour()
    const complete = [first, middle ?? first, last].filter((page) =>
      PAGINATION_HEADERS.every((name) => page.headers.has(name)),
    )
    if (complete.length === 0) {
      const reason = `needs a response with all of ${PAGINATION_HEADERS.join(', ')}, and there was none`
      if (count > 1) skipUnobserved(reason)
      skip(reason)
    }
    for (const page of complete) {
      for (const name of PAGINATION_HEADERS) {
        expect(page).toListInHeader('Access-Control-Expose-Headers', name)
      }
    }
  }),
)

verify('code-hosting/pagination/past-the-end', ({ repositories }) =>
  repositories.settled(async (list) => {
    const { pastTheEnd } = await list.tour()
    expect(pastTheEnd).toHaveItems(0)
    expect(pastTheEnd).toHaveHeaderWherePresent('X-HasMore', 'false')
    expect(pastTheEnd).toLackLinkTo('next')
  }),
)
