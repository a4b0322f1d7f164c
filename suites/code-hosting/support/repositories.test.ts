import { describe, it } from 'vitest'
import type { Answer } from '../../../lib/conformance/exchange.fixture.ts'
import { judge } from '../../../lib/conformance/judgement.ts'
import type { ProbeRequest } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Listing } from './listing.ts'
import { expect } from './matchers.ts'
import { expectWalk } from './pages.ts'
import { createRepositories } from './repositories.ts'
import { fakeService, listAnswer, repositoryNames, targetWith } from './service.fixture.ts'

type Change = (answer: Answer, request: ProbeRequest, number: number) => Answer

/** Repositories over a list whose names may differ from request to request. */
function repositoriesOf(
  namesAt: (number: number) => string[],
  change: Change = (answer) => answer,
  parts: Partial<CodeHostingTarget> = {},
) {
  let number = 0
  const { run, client, sent } = fakeService((request) => {
    number += 1
    return change(listAnswer(namesAt(number), request.url), request, number)
  })
  return { repositories: createRepositories(run, targetWith(parts), client), sent }
}

const steady = () => repositoryNames(12)

/** Judges a walk, and counts how often it was made. */
async function walked({ repositories }: ReturnType<typeof repositoriesOf>) {
  let attempts = 0
  const judgement = await judge('any', 'probe', () =>
    repositories.settled((list) => {
      attempts += 1
      return expectWalk(list, {})
    }),
  )
  return { ...judgement, attempts }
}

describe('a check on the list', () => {
  it('is made once where the list is steady, and shares what was read', async () => {
    const made = repositoriesOf(steady)
    expect(await walked(made)).toMatchObject({ verdict: 'pass', attempts: 1 })
    const requests = made.sent.length
    const second = await walked(made)
    expect(made.sent).toHaveLength(requests)
    expect(second.exchanges.length).toBeGreaterThan(0)
  })

  it('is not made again when it needs more pages than may be read, and the list changes', async () => {
    let count = 1000
    const { run, client, sent } = fakeService(
      ({ url }) => {
        count += 1
        return listAnswer(repositoryNames(count), url)
      },
      { maxPages: 30 },
    )
    const repositories = createRepositories(run, targetWith(), client)
    const all = () => judge('any', 'probe', () => repositories.settled((list) => needsAll(list)))
    const needsAll = async (list: Listing) => {
      await list.names()
    }
    const judgement = await all()
    expect(judgement.verdict).toBe('inconclusive')
    expect(judgement.reason).toContain('PROBE_MAX_PAGES is 30')
    const requests = sent.length
    expect(requests).toBeLessThan(50)
    await all()
    expect(sent).toHaveLength(requests)
  })

  it('has every page it was shown among its evidence', async () => {
    const { repositories } = repositoriesOf(steady)
    const shown = await judge('any', 'probe', () =>
      repositories.settled(async (list: Listing) => {
        const tour = await list.tour()
        await list.follow(tour.first.links.get('next') ?? '')
        await list.walk({})
      }),
    )
    expect(shown.exchanges.length).toBeGreaterThan(7)
    const again = await judge('any', 'probe', () =>
      repositories.settled(async (list) => {
        await list.tour()
      }),
    )
    expect(again.exchanges).toHaveLength(4)
  })
})
