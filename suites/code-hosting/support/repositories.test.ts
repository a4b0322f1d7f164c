import { describe, it } from 'vitest'
import { type Answer, errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { judge } from '../../../lib/conformance/judgement.ts'
import { Inconclusive, Skip } from '../../../lib/conformance/outcome.ts'
import { bearer } from '../../../lib/probe/credentials.ts'
import type { ProbeRequest } from '../../../lib/probe/exchange.ts'
import type { CodeHostingTarget } from '../../../lib/target/target.ts'
import type { Listing } from './listing.ts'
import { expect } from './matchers.ts'
import { expectWalk } from './page-walk.ts'
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
const pageIn = ({ url }: ProbeRequest) => url.searchParams.get('page') ?? '1'
const withTotal = (answer: Answer, total: string) => ({
  ...answer,
  headers: { ...answer.headers, 'X-Total-Count': total },
})

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

  it('is made on the list of somebody else, which is read again as theirs', async () => {
    const otto = bearer('token-of-otto')
    const made = repositoriesOf((number) => repositoryNames(number < 3 ? 13 : 12))
    const judgement = await judge('any', 'probe', () =>
      made.repositories.settled((list) => expectWalk(list, {}), otto),
    )
    expect(judgement.verdict).toBe('pass')
    expect(made.sent.map(({ credentials }) => credentials)).toEqual(made.sent.map(() => otto))
    expect(made.sent.at(-1)).toMatchObject({ fresh: true })
  })

  it('is made again on a fresh reading when the list changes between two pages', async () => {
    const made = repositoriesOf((number) => repositoryNames(number < 3 ? 13 : 12))
    expect(await walked(made)).toMatchObject({ verdict: 'pass', attempts: 2 })
    expect(made.sent[0]).toMatchObject({ fresh: false })
    expect(made.sent.at(-1)).toMatchObject({ fresh: true })
  })

  it('is made again when the list changed and changed back', async () => {
    const made = repositoriesOf((number) => repositoryNames(number === 2 ? 13 : 12))
    expect(await walked(made)).toMatchObject({ verdict: 'pass', attempts: 2 })
  })

  it('is made again when it passed over a list that changed', async () => {
    const made = repositoriesOf((number) => repositoryNames(number === 1 ? 13 : 12))
    let attempts = 0
    await made.repositories.settled(async (list) => {
      attempts += 1
      await list.page()
      await list.page({ page: 2 })
    })
    expect(attempts).toBe(2)
  })

  it('is inconclusive when the list changes always', async () => {
    const made = repositoriesOf((number) => repositoryNames(10 + number))
    expect(await walked(made)).toMatchObject({
      verdict: 'inconclusive',
      reason: "the main account's list of repositories changed during each of 3 attempts",
      attempts: 3,
    })
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

  it('on the list of a token shares what was read with others on it', async () => {
    const otto = bearer('token-of-otto')
    const { repositories, sent } = repositoriesOf(steady)
    for (const credentials of [otto, otto, bearer('another token')]) {
      await repositories.settled(async (list) => {
        await list.names()
      }, credentials)
    }
    expect(sent).toHaveLength(8)
  })

  it('is judged where totals differ from page to page, but stay the same', async () => {
    const made = repositoriesOf(steady, (answer, request) => withTotal(answer, pageIn(request)))
    expect(await walked(made)).toMatchObject({
      verdict: 'fail',
      actual: 'X-Total-Count: 1',
      attempts: 1,
    })
  })

  it('is made again when an item moved, which changes no total', async () => {
    const moved = ['maria/r12', ...repositoryNames(11)]
    const made = repositoriesOf((number) => (number > 2 ? moved : steady()))
    expect(await walked(made)).toMatchObject({ verdict: 'pass', attempts: 2 })
  })

  it('is made again where there are no totals and the list changed', async () => {
    const made = repositoriesOf(
      (number) => (number < 3 ? steady().slice(1) : steady()),
      ({ headers, ...answer }) => ({ ...answer, headers: { Link: headers?.Link ?? '' } }),
    )
    expect(await walked(made)).toMatchObject({ verdict: 'pass', attempts: 2 })
  })

  it('is made again when the pages agree, and not with how many items there were before', async () => {
    const made = repositoriesOf((number) => repositoryNames(number < 3 ? 4 : 3))
    let attempts = 0
    await made.repositories.settled(async (list) => {
      attempts += 1
      expect((await list.tour()).last).toHaveItems(1)
    })
    expect(attempts).toBe(2)
  })

  it('is made again where an item behind the page has gone, which no total tells', async () => {
    const made = repositoriesOf(
      (number) => repositoryNames(number < 3 ? 6 : 5),
      ({ headers, ...answer }) => ({ ...answer, headers: { Link: headers?.Link ?? '' } }),
    )
    let attempts = 0
    await made.repositories.settled(async (list) => {
      attempts += 1
      const page = await list.page({ limit: 5 })
      if ((await list.length()) === 5) expect(page).toLackLinkTo('next')
    })
    expect(attempts).toBe(2)
  })

  it('fails on the first attempt where the server is wrong again', async () => {
    const made = repositoriesOf(steady, (answer, request) =>
      pageIn(request) === '2' ? { ...answer, json: [] } : answer,
    )
    expect(await walked(made)).toMatchObject({ verdict: 'fail', attempts: 1 })
  })

  it('is skipped for its own reason, without another look', async () => {
    const made = repositoriesOf(() => [])
    expect(await walked(made)).toMatchObject({ verdict: 'skipped', attempts: 1 })
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

  it('may only look', async () => {
    const { repositories, sent } = repositoriesOf((number) => repositoryNames(number))
    expect(await repositories.observed(async (list) => (await list.page()).names)).toEqual([
      'maria/r1',
    ])
    expect(sent).toHaveLength(1)
  })
})

describe('the repositories of the target', () => {
  const answering = (status: number, parts: Partial<CodeHostingTarget> = {}, names = steady) =>
    repositoriesOf(
      names,
      (answer, { url }) => (url.pathname.endsWith('/user/repos') ? answer : { status, json: {} }),
      parts,
    ).repositories

  it('are readable once the main account has read them', async () => {
    const repositories = answering(200)
    expect(await repositories.readablePublicName()).toBe('maria/public')
    expect(await repositories.readablePrivateName()).toBe('maria/private')
    expect(repositories.missingName()).toBe('maria/plumbline-run7-missing')
  })

  it('are skipped by the names of their variables', async () => {
    const nothing = answering(200, { publicRepository: undefined, privateRepository: undefined })
    const unset = 'CODE_HOSTING_PUBLIC_REPOSITORY is not set'
    for (const ask of [nothing.publicName, nothing.missingName, nothing.readablePublicName]) {
      expect(await errorOf(ask)).toHaveProperty('message', unset)
    }
    const error = await errorOf(nothing.readablePrivateName)
    expect(error).toHaveProperty('message', 'CODE_HOSTING_PRIVATE_REPOSITORY is not set')
  })

  it('are inconclusive where the private one cannot be read', async () => {
    for (const status of [403, 404]) {
      const error = await errorOf(answering(status).readablePrivateName)
      expect(error).toBeInstanceOf(Inconclusive)
    }
  })

  it('are inconclusive where the public one is neither found nor listed', async () => {
    expect(await errorOf(answering(404).readablePublicName)).toBeInstanceOf(Inconclusive)
    const listed = answering(404, {}, () => ['MARIA/Public'])
    expect(await errorOf(listed.readablePublicName)).toBeInstanceOf(Skip)
    expect(await errorOf(answering(403).readablePublicName)).toBeInstanceOf(Skip)
    const missing = exchangeWith({ status: 404 })
    expect(await errorOf(() => listed.assurePublicIsThere(missing))).toBeUndefined()
    expect(await errorOf(() => answering(404).assurePublicIsThere(missing))).toBeInstanceOf(
      Inconclusive,
    )
  })
})
