/** Records, the settings of the server, its limits, and its version. */
import { skip, skipUnobserved } from '../../lib/conformance/check-errors.ts'
import { note } from '../../lib/conformance/check-scope.ts'
import { displayValue, messageOf } from '../../lib/conformance/deviations.ts'
import { allOrWorst, each } from '../../lib/conformance/judge.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import { anonymous } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import type { InspectedPart } from '../../lib/results/run-report.ts'
import { toPointer } from '../../lib/text/json.ts'
import { loginInAnyCase } from './authentication.suite.ts'
import { type CodeHostingClient, codeHostingEndpoints } from './client.ts'
import type {
  CodeHostingContext,
  CodeHostingObservation,
  CodeHostingRequirements,
} from './context.ts'
import { type Account, type Case, cross, isGranted, isPlainSender, opened } from './levels.ts'
import { isRepositoryPage, type List, movingData, numberIn } from './lists.ts'
import { expect, isApiResponse } from './matchers.ts'
import * as schemas from './schemas/validators.ts'
import { recordFields } from './variables.ts'

const furtherFields = { 'further-fields': 'The server may send additional fields.' }

export const hasBody = ({ status, text }: Exchange) =>
  text !== '' && (status < 300 || status >= 400)

/** Returns the path of an endpoint below `/api/v1`. */
const pathOf = ({ request: { url } }: Exchange) => url.pathname.split('/api/v1').at(-1) ?? ''

/** Returns the reason why an endpoint does not exist below the prefix; undefined if it may exist. */
export function absence(response: Exchange): string | undefined {
  const { status, headers, request } = response
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  if (location !== null && URL.canParse(location, request.url.href)) {
    const { pathname } = new URL(location, request.url)
    const path = pathOf(response)
    // A redirect to the same path or to a sign-in page does not concern the prefix.
    const isOther = pathname.endsWith(path) && !pathname.endsWith(`/api/v1${path}`)
    if (isOther) return `a redirect to ${pathname}`
  }
  return status === 404 || status === 410 ? `status ${status}` : undefined
}

async function observedPageSize(
  { reading, names, length = names.size }: List,
  query: { limit?: number },
): Promise<number> {
  const page = await reading.page({ page: 1, ...query })
  const listed = page.minLength === undefined ? page.names : undefined
  const items = listed?.length ?? skip(`${page.record.request.url} returned no list to be read`)
  const size = items < length ? items : numberIn(page, 'x-perpage')
  return size ?? skip(`needs more than ${items} repositories to show a page size`)
}

function findFields(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === name ? [part] : findFields(name, part),
  )
}

/** Returns the length of the longest list that a body is or has; undefined without a list. */
function countEntries({ json }: Exchange): number | undefined {
  const lists = [json, ...Object.values(Object(json))].filter(Array.isArray)
  return lists.length === 0 ? undefined : Math.max(...lists.map(({ length }) => length))
}

/** Returns the size of a blob, which is taken for base64 if it may be. */
function countBytes(content: string): number {
  const encoded = content.replace(/\s+/g, '')
  if (!/^[\w+/-]*={0,2}$/.test(encoded)) return Buffer.byteLength(content)
  return Math.floor((encoded.replace(/=+$/, '').length * 3) / 4)
}

/** Returns the bytes of the fields `content` of a response, or of all of it if it has no fields. */
function countBlobBytes({ json, text }: Exchange): number {
  if (typeof json !== 'object') return Buffer.byteLength(text)
  const contents = findFields('content', json).filter((value) => typeof value === 'string')
  return contents.reduce((sum, content) => sum + countBytes(content), 0)
}

function sumSizes({ json }: Exchange): number {
  const sizes = findFields('size', json).filter((value) => typeof value === 'number')
  return sizes.reduce((sum, size) => sum + size, 0)
}

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

const anyStructure = { 'any-structure': 'The response may have any structure.' }

/** Expects a response to a supplied request with no more bytes than a setting. */
const ofBytes =
  (request: 'largeBlob' | 'largeFiles', setting: 'defaultMaxBlobSize' | 'defaultMaxResponseSize') =>
  async ({ settings, suppliedReads }: CodeHostingContext) => {
    const response = await suppliedReads.readBeyond(request)
    const limit = settings[setting]
    expectWithin(response, countBlobBytes(response), limit, 'bytes', sumSizes(response) > limit)
  }

/** Reads the settings record, with credentials only if the server requires them. */
async function readSettingsRecord(client: CodeHostingClient): Promise<Exchange> {
  const open = await client.settings({ credentials: anonymous })
  const record = open.status === 200 ? open : await client.settings()
  if (record.status === 200) return record
  const see = 'see code-hosting/settings/readable-by-any-client'
  return skip(`the settings record was not returned (status ${record.status}); ${see}`)
}

/** Judges the settings record of each client. */
const ofRecords = (judge: (record: Exchange, context: CodeHostingContext) => void) => ({
  // resources/json judges responses to clients of any media type.
  also: ({ resource, form }: Case) => resource === 'settings' && form === undefined,
  shows(response: Exchange, context: CodeHostingContext) {
    if (response.status !== 200) skipUnobserved(`the status was ${response.status} instead of 200`)
    judge(response, context)
  },
})

/** Other requirements judge an error that is sent with 200. */
const isRecordOf = (endpoint: string) => (response: Exchange) =>
  response.request.endpoint === endpoint &&
  response.status === 200 &&
  typeof response.json === 'object' &&
  messageOf(response) === undefined

export const resources = {
  'resources/user': {
    statement:
      'GET /user returns the record of the authenticated user, with the username in the field login.',
    section: 'User',
    needs: ['main account'],
    tolerances: { ...loginInAnyCase, ...furtherFields },
    cases: cross({}, { actor: ['other', 'admin'], sentAs: 'Basic' }),
    // However a token is sent, and whatever it may do.
    also: (one) =>
      one.resource === 'user' &&
      isGranted(one) &&
      one.sudo === undefined &&
      // resources/json judges responses to clients of any media type.
      one.form !== 'any media type',
    shows(user, { sender, target }, one) {
      const { actor } = one
      // Other requirements judge who is served.
      if (!isPlainSender(one) && !isSuccess(user)) skipUnobserved(`the status was ${user.status}`)
      expect(user).toHaveStatus(200)
      expect(user).toMatchSchema(schemas.user)
      if (actor !== 'main' || target.username !== undefined)
        expect(user).toShowUser(sender.loginOf(actor as Account))
    },
    every: {
      is: isRecordOf(codeHostingEndpoints.user),
      canJudge: ({ resource }) => resource === 'user',
      absence: 'no record of a user',
      shows: (response) => expect(response).toMatchSchema(schemas.user),
    },
  },
  'resources/repository': {
    statement: 'GET /repos/{owner}/{repo} returns a record whose full_name is owner/repo.',
    section: 'Repository',
    needs: ['main account', 'public repository'],
    tolerances: {
      'full-name-in-any-case': 'The server may return the full name in any letter case.',
      ...furtherFields,
    },
    cases: cross({ resource: 'public repository' }),
    async shows(repository, { repositories }) {
      await repositories.requirePublicExists(repository)
      expect(repository).toHaveStatus(200)
      expect(repository).toShowRepository(repositories.publicName())
    },
    every: {
      is: isRecordOf(codeHostingEndpoints.repository),
      canJudge: ({ resource }) => resource.endsWith('repository'),
      absence: 'no record of a repository',
      shows(response) {
        const [name = '', owner = ''] = response.request.url.pathname.split('/').reverse()
        expect(response).toShowRepository(
          `${decodeURIComponent(owner)}/${decodeURIComponent(name)}`,
        )
      },
    },
  },
  'resources/repositories': {
    statement:
      'GET /user/repos returns a JSON array of records, each with the string field full_name, which is owner/repo.',
    needs: ['main account'],
    tolerances: {
      ...furtherFields,
      'any-order': 'The server may return the records in any order.',
    },
    async steps({ codeHosting }) {
      const page = await codeHosting.repositories()
      expect(page).toHaveStatus(200)
      expect(page).toMatchSchema(schemas.repositories)
    },
    every: {
      // Null instead of an empty list deviates too.
      is: (page) =>
        isRepositoryPage(page) ||
        (page.request.endpoint === codeHostingEndpoints.repositories &&
          page.status === 200 &&
          page.json === null),
      canJudge: ({ resource }) => resource === 'repositories',
      absence: 'no list of repositories',
      shows: (page) => expect(page).toMatchSchema(schemas.repositories),
    },
  },
  'resources/listed-repository': {
    since: '0.2.0',
    statement: 'A client can read a listed repository with the credentials that list it.',
    needs: ['main account', 'own repository'],
    tolerances: movingData,
    async steps({ codeHosting, repositories, lists, target }) {
      // An unreadable repository is judged by resources/repository.
      if (target.publicRepository !== undefined) await repositories.readablePublicName()
      await lists.stable('main', async () => {
        const { names: all, shownBy } = await lists.list('main')
        const isFull = (name: string) => /^[^/]+\/[^/]+$/.test(name)
        const names = [...all].filter(isFull)
        if (names.length === 0)
          skip('no owner/repo is listed; see code-hosting/resources/repositories')
        const sample = repositories.sampleOf(shownBy).map(({ name }) => name)
        const chosen = [...sample.filter(isFull), names.at(-1), names[Math.floor(names.length / 2)]]
        await each(new Set(chosen), async (name = '') => {
          const response = await codeHosting.repository(name)
          expect(response).toHaveStatus(200)
        })
      })
    },
  },
  'resources/hidden-repository-listing': {
    impact: 'access',
    since: '0.2.0',
    statement: 'The list of repositories shows no private repository that the user cannot access.',
    section: 'Errors',
    needs: ['main account', 'private repository', 'other account', 'listed private repository'],
    async steps({ repositories, lists }) {
      const hidden = await repositories.readablePrivateName()
      await lists.list('main')
      // Sent after the requests of the main account, whose pages a server must not show to others.
      const list = lists.reading('other', true)
      const seen = await list.all()
      for (const page of seen.shownBy) expect(page).toLackItem(hidden)
      await lists.requireListed(hidden)
      await list.requireComplete()
    },
  },
  'resources/json': {
    statement: 'The bodies of API responses are JSON.',
    section: 'What the service does',
    tolerances: {
      'any-media-type': 'A response may have any media type or none.',
      'no-body': 'A response may have no body.',
      redirects: 'A redirect may have any body.',
    },
    // The field of clients that accept any media type.
    cases: cross(
      { resource: 'settings', actor: 'anonymous', form: 'any media type' },
      { form: 'any media type' },
    ),
    shows(response) {
      if (!hasBody(response)) skip('there was no response with a body')
      expect(response).toBeJson()
    },
    every: {
      is: (response) =>
        response.request.endpoint !== undefined && isApiResponse(response) && hasBody(response),
      absence: 'no response with a body',
      shows: (response) => expect(response).toBeJson(),
    },
  },
} satisfies CodeHostingRequirements

export const settings = {
  'settings/readable-by-any-client': {
    statement:
      'GET /settings/api returns the settings record to any client, with or without a token.',
    because: 'the table of endpoints lets any client read the record',
    section: 'Endpoints',
    cases: cross(
      { resource: 'settings', actor: 'anonymous' },
      { resource: 'settings', sentAs: '?access_token=' },
      { resource: 'settings', sentAs: 'Bearer', scopes: ['none', 'read+public-only'] },
      { resource: 'settings', actor: 'admin', sentAs: 'Basic' },
      { resource: 'settings', actor: 'other', sentAs: 'token' },
    ),
    given: ({ actor }) => (actor === 'anonymous' ? [] : [{ resource: 'user', scopes: 'all' }]),
    shows: (response: Exchange) => expect(response).toHaveStatus(200),
  },
  'settings/record': {
    statement: 'The settings record has the five documented fields, each an integer.',
    tolerances: furtherFields,
    ...ofRecords((one) => expect(one).toMatchSchema(schemas.apiSettings)),
  },
  'settings/values': {
    statement: 'The settings record shows the values configured on the server.',
    tolerances: {
      'configured-values':
        'The values may differ from the defaults if the operator specifies them.',
    },
    ...ofRecords((one, { configured }) => {
      for (const [name, setting] of Object.entries(recordFields)) {
        const expected = configured[setting]
        const actual: unknown = Object(one.json)[name]
        const variable = `CODE_HOSTING_${name.toUpperCase()}`
        if (actual !== expected) note(`If the server is right, set ${variable} to its value.`)
        expect(one).toShow(
          actual === expected,
          `${name} ${expected}, the value of ${variable}`,
          `${name} ${displayValue(one, actual)}, and ${variable} is ${expected}`,
          { pointer: toPointer([name]) },
        )
      }
    }),
  },
  'settings/agree-with-pagination': {
    statement: 'The page sizes in the settings record match those that list endpoints use.',
    needs: ['main account', 'default within maximum'],
    tolerances: {
      ...movingData,
      'default-above-maximum':
        'If the default page size is above the maximum page size, the server may use either.',
    },
    async steps({ codeHosting, lists, settings }) {
      const record = await readSettingsRecord(codeHosting)
      await lists.stable('main', async () => {
        const list = await lists.list('main')
        const [defaultSize, maxSize] = await allOrWorst([
          observedPageSize(list, {}),
          observedPageSize(list, { limit: settings.maxResponseItems + 1 }),
        ])
        const fields = record.json as Record<string, unknown> | null | undefined
        const sizes = Object.entries({
          default_paging_num: defaultSize,
          max_response_items: maxSize,
        })
        const different = sizes.filter(([name, size]) => fields?.[name] !== size)
        const texts = different.map(([name, size]) => {
          const query = name === 'default_paging_num' ? 'without a limit' : 'with a higher limit'
          const value = displayValue(record, fields?.[name])
          return `the settings record has ${name} ${value}, and a list ${query} has ${size} items per page`
        })
        // Either of the two may be wrong.
        const same = 'the same page sizes in the settings record and in lists'
        const pointer = toPointer(different.slice(0, 1).map(([name]) => name))
        expect(record).toShow(different.length === 0, same, texts.join('; '), { pointer })
      })
    },
  },
  'limits/git-trees': {
    statement: 'The Git trees API returns at most DEFAULT_GIT_TREES_PER_PAGE entries per page.',
    section: 'Limits',
    isSupplied: true,
    needs: ['main account', 'large tree'],
    tolerances: anyStructure,
    async steps({ settings, suppliedReads }) {
      const tree = await suppliedReads.readBeyond('largeTree')
      const count =
        countEntries(tree) ?? skip('the response to CODE_HOSTING_LARGE_TREE has no list')
      const limit = settings.defaultGitTreesPerPage
      const isTree = Object(tree.json).tree?.length === count
      const excess = isTree ? { pointer: toPointer(['tree', limit]) } : undefined
      expectWithin(tree, count, limit, 'entries', count === limit, excess)
    },
  },
  'limits/blob': {
    statement: 'The blobs API returns no blob larger than DEFAULT_MAX_BLOB_SIZE bytes.',
    section: 'Limits',
    isSupplied: true,
    needs: ['main account', 'large blob'],
    tolerances: anyStructure,
    steps: ofBytes('largeBlob', 'defaultMaxBlobSize'),
  },
  'limits/response': {
    statement: 'The blobs in a files API response total at most DEFAULT_MAX_RESPONSE_SIZE bytes.',
    section: 'Limits',
    isSupplied: true,
    needs: ['main account', 'large files'],
    tolerances: anyStructure,
    steps: ofBytes('largeFiles', 'defaultMaxResponseSize'),
  },
  'versioning/prefix': {
    statement: 'The server exposes the API under /api/v1.',
    section: 'Versioning',
    tolerances: {
      'path-of-the-base-url': 'The base URL may have a path, which then precedes /api/v1.',
    },
    cases: cross(
      { actor: 'anonymous', resource: ['settings', 'user'] },
      { actor: 'anonymous', resource: 'repositories', limit: 'absent', page: 'absent' },
    ),
    async shows(response, { sender }, one) {
      // A server may hide an endpoint from a client without credentials; the settings need none.
      const isHidden = absence(response) !== undefined && one.resource !== 'settings'
      const shown = isHidden ? await sender.send({ ...one, actor: 'main' }) : response
      const absent = absence(shown)
      const actual = absent ?? `status ${shown.status}`
      const isThere = absent === undefined
      expect(shown).toShow(isThere, `${pathOf(shown)} below /api/v1`, actual, { status: true })
    },
  },
  'versioning/release': {
    statement: 'The document describes server release 1.27.3.',
    section: 'Versioning',
    untestable:
      'The document specifies no endpoint that returns the release; CODE_HOSTING_RELEASE can supply one, whose response is recorded.',
  },
} satisfies CodeHostingRequirements

export const observations = {
  'resources/json/media-types': {
    of: ['resources/json'],
    description: 'Media types of API responses.',
    async value({ sender }) {
      const cases = cross(
        { actor: 'anonymous', resource: ['settings', 'user'] },
        { resource: opened },
      )
      const outcomes = await Promise.allSettled(cases.map((one) => sender.send(one)))
      const types = outcomes.flatMap((outcome) =>
        'value' in outcome ? (outcome.value.headers.get('content-type') ?? 'none') : [],
      )
      return [...new Set(types)].toSorted()
    },
  },
  'versioning/release/shown': {
    of: ['versioning/release'],
    description: 'Server release in the response to the request of CODE_HOSTING_RELEASE.',
    async value({ codeHosting, target: { release } }) {
      const response = release && (await codeHosting.undocumented(release))
      return response && /\d+(?:\.\d+)+[\w.+-]*/.exec(response.text)?.[0]
    },
  },
} satisfies Record<string, CodeHostingObservation>
