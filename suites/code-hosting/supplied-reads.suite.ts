import { skip } from '../../lib/conformance/check-errors.ts'
import { note } from '../../lib/conformance/check-scope.ts'
import { contrast } from '../../lib/conformance/contrast.ts'
import { displayValue } from '../../lib/conformance/describe-exchange.ts'
import { judgeCases, judgeOptionalCase } from '../../lib/conformance/judge-cases.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { InspectedPart } from '../../lib/results/run-report.ts'
import { toPointer } from '../../lib/text/json-pointer.ts'
import type { PageQuery } from './client.ts'
import { expect, observe, verify } from './dsl.ts'
import { otherCategories } from './needs.ts'
import { countBlobBytes, countEntries, sumSizes, tokenPages } from './supplied-reads.ts'
import { adminScopes, UNRELATED_SCOPE } from './tokens/scopes.ts'

verify('code-hosting/scopes/other-categories', ({ suppliedReads }) =>
  judgeCases(
    otherCategories.map((category) => ({ name: `the category ${category}`, category })),
    ({ category }) => suppliedReads.expectCovered(category),
  ),
)

verify('code-hosting/scopes/repository-category', async ({ suppliedReads }) => {
  await suppliedReads.expectCovered('repository')
  await judgeOptionalCase('the files API', suppliedReads.expectFilesCovered)
})

verify('code-hosting/scopes/admin-needs-site-admin', ({ accounts, creations, ...context }) => {
  const { suppliedReads, target, tokens } = context
  const ofAdmin = async () => ({ credentials: bearer(await tokens.ofAdmin(...adminScopes)) })
  /** Returns a token of the main account or, if that is a site administrator, of the other account. */
  async function tokenOfRegular(): Promise<string> {
    if (!(await accounts.isSiteAdmin('main'))) return tokens.working()
    await accounts.requireRegular('other')
    return creations.tokenOfOther()
  }
  const senders = [
    {
      name: 'CODE_HOSTING_READ_ADMIN by another account',
      async sender() {
        // A server must not answer with what it sent to the site administrator.
        await suppliedReads.readAdmin(ofAdmin).catch(() => undefined)
        return { credentials: bearer(await tokenOfRegular()) }
      },
    },
    {
      name: 'CODE_HOSTING_READ_ADMIN without the scope',
      sender: async () => ({ credentials: bearer(await tokens.ofAdmin(UNRELATED_SCOPE)) }),
    },
    {
      name: 'CODE_HOSTING_READ_ADMIN as another user with Sudo',
      async sender() {
        const acting = await accounts.acting()
        await accounts.requireRegular(acting.sudo.as === target.username ? 'main' : 'other')
        return acting
      },
    },
  ]
  return judgeCases(senders, ({ sender }) =>
    contrast({
      control: () => suppliedReads.readAdmin(ofAdmin),
      negative: () => suppliedReads.readAdmin(sender),
      assertRejection: (rejection) => expect(rejection).toHaveStatus(403),
    }),
  )
})

verify('code-hosting/tokens/last-eight-in-reads', async (context) => {
  const { accounts, settings, suppliedReads, tokenCreation, tokens } = context
  const [second, beyond] = tokenPages(settings)
  await tokens.with('all')
  const name = tokens.nameOf(await tokens.creation('all'))
  const { username } = accounts.main()
  return judgeCases(
    [
      { name: 'CODE_HOSTING_TOKEN_LIST' },
      { name: 'CODE_HOSTING_TOKEN_LIST after the token was used', isAgain: true as const },
      // Requirements about pages of lists judge these too.
      { name: 'CODE_HOSTING_TOKEN_LIST, its second page', query: second },
      {
        name: 'CODE_HOSTING_TOKEN_LIST, with a limit above the maximum',
        query: beyond,
      },
    ],
    async ({ isAgain, query }: { name: string; isAgain?: true; query?: PageQuery }) => {
      const list = query
        ? await suppliedReads.readTokenPage(query)
        : await suppliedReads.readTokenList(isAgain)
      const records: unknown[] = Array.isArray(list.json) ? list.json : []
      if (query === undefined && !records.some((one) => Object(one).name === name)) {
        skip(`the list of CODE_HOSTING_TOKEN_LIST does not hold ${name}`)
      }
      const issued = tokenCreation.issuedTokens.filter(({ account }) => account === username)
      // The first one is there in each run.
      const isFirst = (record: unknown) => Number(Object(record).name === name)
      for (const record of records.toSorted((one, other) => isFirst(other) - isFirst(one))) {
        const { name, token_last_eight: shown } = Object(record)
        const values = issued.flatMap((one) => (one.name === name ? one.value.slice(-8) : []))
        expect(list).toShow(
          values.length === 0 || values.includes(shown),
          `token_last_eight "${values[0]}" for ${name}`,
          `token_last_eight ${displayValue(list, shown)}`,
        )
      }
    },
  )
})

/** Expects at most the limit, and adds a note if the response may be complete. */
function expectWithin(
  response: Exchange,
  count: number,
  limit: number,
  unit: 'entries' | 'bytes',
  isBeyond: boolean,
  excess?: InspectedPart,
): void {
  expect(response).toShow(count <= limit, `at most ${limit} ${unit}`, `${count} ${unit}`, excess)
  if (isBeyond) return
  note(`The response may be complete: nothing shows that there are more than ${limit} ${unit}.`)
}

verify('code-hosting/limits/git-trees', async ({ settings, suppliedReads }) => {
  const tree = await suppliedReads.readBeyond('largeTree')
  const count = countEntries(tree) ?? skip('the response to CODE_HOSTING_LARGE_TREE has no list')
  const limit = settings.defaultGitTreesPerPage
  const isTree = Object(tree.json).tree?.length === count
  const excess = isTree ? { pointer: toPointer(['tree', limit]) } : undefined
  expectWithin(tree, count, limit, 'entries', count === limit, excess)
})

for (const [id, request, setting] of [
  ['code-hosting/limits/blob', 'largeBlob', 'defaultMaxBlobSize'],
  ['code-hosting/limits/response', 'largeFiles', 'defaultMaxResponseSize'],
] as const) {
  verify(id, async ({ settings, suppliedReads }) => {
    const response = await suppliedReads.readBeyond(request)
    const limit = settings[setting]
    expectWithin(response, countBlobBytes(response), limit, 'bytes', sumSizes(response) > limit)
  })
}

observe('code-hosting/versioning/release/shown', async ({ suppliedReads }) => {
  const response = await suppliedReads.readRelease()
  return response && /\d+(?:\.\d+)+[\w.+-]*/.exec(response.text)?.[0]
})
