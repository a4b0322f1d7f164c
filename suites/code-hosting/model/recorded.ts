/** Rules about recorded traffic: those of a run about responses, access and lists, in the cases that were recorded. */
import { skipUnrecorded } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { allJudged } from '../../../lib/conformance/judge-cases.ts'
import { messageOf } from '../../../lib/conformance/matchers.ts'
import type {
  RecordedRule,
  RecordedRules,
  RecordedTraffic,
} from '../../../lib/conformance/recording/judge-recording.ts'
import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import { createRecordedRun } from '../../../lib/conformance/recording/recorded-run.ts'
import type { Target } from '../../../lib/environment/target.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { groupBy } from '../../../lib/text/group-by.ts'
import { serviceIn } from '../../service.ts'
import { Accounts, type KnownAccount } from '../accounts/accounts.ts'
import { CodeHostingClient, codeHostingEndpoints } from '../client.ts'
import { expect } from '../matchers.ts'
import type { RequirementId } from '../requirements.ts'
import * as schemas from '../schemas/validators.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { accessRequirements, expectedAccess } from './access.ts'
import { AccessChecks, type CaseSender } from './access-checks.ts'
import { type Account, type Case, isCreation } from './case.ts'
import { describeCase } from './describe-case.ts'
import { isApiResponse, isOfTheService } from './exchange-filters.ts'
import { listRules } from './list-rules.ts'
import { outlierOf } from './page-consistency.ts'
import { contentOf, hasSudo, RecordedCases } from './recorded-cases.ts'
import { recordedLists } from './recorded-lists.ts'
import { type ResponseRule, responseRules } from './response-rules.ts'

type Cases = ReadonlyMap<RecordedExchange, Case>

/** Requirements of which responses show only a part: that a link leads to a page, and that a repository is found. */
const parts: readonly string[] = ['documentation-link', 'repository']

/** Number of pages of a kind that rules about all pages need. */
const MAX_EXAMPLES = 2

/** Returns pages of each kind about which rules ask: a recording may have too many to search them for each page. */
function examplePages(
  exchanges: readonly RecordedExchange[],
  settings: CodeHostingTarget['settings'],
): Exchange[] {
  const found = new Map<string, Exchange[]>()
  const kindsOf = (exchange: RecordedExchange) => {
    const { headers, request } = exchange
    const isExposed = headers.has('Access-Control-Expose-Headers') && !request.headers?.Origin
    const outlier = contentOf(() => outlierOf(exchange, settings)?.requirement)
    return [isExposed ? 'exposed' : undefined, outlier]
  }
  for (const exchange of exchanges) {
    if (exchange.request.endpoint !== codeHostingEndpoints.repositories) continue
    for (const kind of kindsOf(exchange)) {
      const others = found.get(String(kind)) ?? []
      if (others.length < MAX_EXAMPLES) found.set(String(kind), [...others, exchange])
    }
  }
  return [...new Set([...found.values()].flat())]
}

/** Returns the rules about every response of a kind, with the tokens that the recording shows. */
function ofResponses(
  exchanges: readonly RecordedExchange[],
  target: CodeHostingTarget,
  known: RecordedCases,
  cases: Cases,
): RecordedRules {
  const apiPath = `${new URL(target.baseUrl).pathname.replace(/\/$/, '')}/api/v1/`
  const examples = examplePages(exchanges, target.settings)
  const contextOf = (exchange: Exchange) => ({
    target,
    settings: target.settings,
    run: { exchanges: examples },
    tokens: { isValid: (value: string) => known.isValid(value, exchange as RecordedExchange) },
    tokenCreation: { issuedTokens: [...known.issuedTokens] },
  })
  const toRule = ([id, rule]: [string, ResponseRule]): [string, RecordedRule[]] => {
    const isOfServerError = id.endsWith('/server-error-message')
    // Site administrators may read why, and the sender of most requests is unknown.
    const isOfRegular = (one: Exchange) =>
      ['main', 'other', 'anonymous'].includes(cases.get(one as RecordedExchange)?.actor ?? '')
    return [
      id,
      [
        {
          absenceReason: rule.absenceReason,
          isPart: id in listRules || parts.some((name) => id.endsWith(`/${name}`)),
          // The document does not say which other paths there are.
          includes: ({ request, status }) =>
            rule.includes !== undefined &&
            request.url.pathname.startsWith(apiPath) &&
            ![404, 405].includes(status),
          appliesTo: (exchange) =>
            (!isOfServerError || isOfRegular(exchange)) &&
            rule.appliesTo(exchange, contextOf(exchange)),
          assert: (exchange) => rule.assert(exchange, contextOf(exchange)),
        },
      ],
    ]
  }
  return Object.fromEntries(Object.entries(responseRules).map(toRule))
}

/** Answers the requests of cases. */
function senderOf(
  exchanges: readonly RecordedExchange[],
  known: RecordedCases,
  cases: Cases,
  target: CodeHostingTarget,
): CaseSender {
  const { maxResponseItems } = target.settings
  const all = [...cases].map(([exchange, one]) => ({ exchange, one }))
  const byCase = groupBy(all, ({ one }) => describeCase(one))
  // Any credentials that the server accepts are a control.
  const authenticated = exchanges.filter(({ request: { credentials } }) => {
    return credentials !== undefined && credentials.kind !== 'none'
  })
  const byResource = groupBy(
    authenticated.map((exchange) => ({ exchange, resource: known.resourceOf(exchange) })),
    ({ resource }) => String(resource),
  )
  /** Returns true for a request whose rejection depends on its credentials alone, and not on its query. */
  const isPlain = ({ request: { url, endpoint } }: Exchange) => {
    const query = new URLSearchParams(url.search)
    query.delete('sudo')
    const isList = endpoint === codeHostingEndpoints.repositories
    return isList
      ? query.get('limit') === String(maxResponseItems) && query.get('page') === '1'
      : query.size === 0
  }
  const isOfAnybody = (one: Case) =>
    one.actor !== 'anonymous' &&
    one.problem === undefined &&
    (one.sentAs === 'any valid' || (isCreation(one) && one.sentAs === 'Basic'))
  return {
    async send(one, _, isWanted = isSuccess) {
      const ofAnybody = isOfAnybody(one) ? byResource.get(one.resource) : undefined
      const found: { exchange: RecordedExchange }[] =
        byCase.get(describeCase(one)) ?? ofAnybody ?? []
      const usable = found.filter(
        ({ exchange }) =>
          isOfTheService(exchange) &&
          exchange.status < 500 &&
          ([200, 201].includes(exchange.status) || isPlain(exchange)),
      )
      const wanted = usable.find(({ exchange }) => isWanted(exchange)) ?? usable[0]
      return wanted?.exchange ?? skipUnrecorded()
    },
    async accountOf(account: Account): Promise<KnownAccount> {
      const found = all.find(
        ({ one, exchange }) => one.actor === account && !one.sudo && isSuccess(exchange),
      )
      const { credentials = skipUnrecorded() } = found?.exchange.request ?? {}
      return { username: this.loginOf(account), credentials }
    },
    loginOf(account) {
      if (account === 'unknown') return skipUnrecorded()
      const name = account === 'main' ? target.username : target[account]?.username
      return name ?? skipUnrecorded()
    },
  }
}

/** Returns the checks of access, and of the messages of rejections. */
function ofAccess(
  exchanges: readonly RecordedExchange[],
  known: RecordedCases,
  cases: Cases,
  all: Target,
): RecordedRules {
  const target = serviceIn(all, 'codeHosting')
  const sender = senderOf(exchanges, known, cases, target)
  const distinct = new Map([...cases.values()].map((one) => [describeCase(one), one]))
  // A creation may fail for other reasons.
  const isJudged = (one: Case) =>
    isCreation(one)
      ? expectedAccess(one, target.settings)?.rejected !== undefined
      : // The scheme or the list may be the cause.
        one.sudo === undefined ||
        (one.resource !== 'repositories' && ['Basic', 'Bearer', 'any valid'].includes(one.sentAs))
  const recorded = [...distinct.values()].filter(isJudged)
  const run = createRecordedRun([...cases.keys()], all)
  const mainCredentials = async () => (await sender.accountOf('main')).credentials
  const client = new CodeHostingClient(
    target.baseUrl,
    (request) => run.send('code-hosting', request),
    mainCredentials,
  )
  const checks = new AccessChecks(
    {
      ...{ run, target, accounts: new Accounts(run, target, client) },
      tokens: { mainCredentials },
      // A list of another time may have other items.
      repositories: { retryWhileChanging: async () => skipUnrecorded() },
    },
    sender,
    recorded,
  )
  const isUnclear = exchanges.some(
    (one) =>
      one.request.endpoint === codeHostingEndpoints.settings &&
      one.status !== 200 &&
      !cases.has(one),
  )
  const messages = ['missing-credentials', 'unknown-token', 'legacy-disabled'] as const
  const ids: readonly RequirementId[] = [
    ...accessRequirements,
    'code-hosting/authentication/bearer',
    'code-hosting/scopes/public-only-shows-public',
  ]
  const rules = ids.map((id): [string, RecordedRule[]] => {
    const isPart =
      id === 'code-hosting/scopes/public-only-shows-public' ||
      (id === 'code-hosting/settings/readable-by-any-client' && isUnclear)
    return [id, [{ check: () => checks.judge(id), isPart }]]
  })
  const ofMessages = messages.map((name): [string, RecordedRule[]] => {
    const id = `code-hosting/authentication/${name}` as const
    return [`${id}-message`, [{ check: () => checks.judgeMessages(id) }]]
  })
  return Object.fromEntries([...rules, ...ofMessages])
}

/** Returns the checks of recorded lists. */
async function ofLists(
  exchanges: readonly RecordedExchange[],
  cases: Cases,
  target: Target,
): Promise<RecordedRules> {
  const lists = await recordedLists(exchanges, (one) => cases.get(one), target)
  const rules = Object.entries(listRules).map(([id, rule]) => {
    return [id, [{ check: () => allJudged(lists.map((list) => list.judge(rule))) }]]
  })
  return {
    ...Object.fromEntries(rules),
    'code-hosting/pagination/walk': [
      { check: () => allJudged(lists.map((list) => list.walk())), isPart: true },
    ],
  }
}

/** Returns the rules about the records of an endpoint. */
const ofRecords = (
  endpoint: string,
  assert: (exchange: Exchange) => void,
  isPart = false,
): [RecordedRule] => [
  {
    isPart,
    absenceReason: 'no such record',
    appliesTo: (exchange) =>
      isApiResponse(exchange) &&
      exchange.request.endpoint === endpoint &&
      exchange.status === 200 &&
      // Other bodies are judged by resources/json, and errors are those of credentials that may be wrong.
      exchange.json !== undefined &&
      messageOf(exchange) === undefined &&
      !hasSudo(exchange),
    assert,
  },
]

async function recordedRules(
  exchanges: readonly RecordedExchange[],
  target: Target,
): Promise<RecordedRules> {
  const service = serviceIn(target, 'codeHosting')
  const known = new RecordedCases(exchanges, service)
  const cases = new Map<RecordedExchange, Case>()
  for (const exchange of exchanges) {
    const one = known.caseOf(exchange)
    if (one === undefined) continue
    exchange.request.cases = new Set([describeCase(one)])
    cases.set(exchange, one)
  }
  const { settings, user } = codeHostingEndpoints
  const all = [
    await ofLists(exchanges, cases, target),
    ofResponses(exchanges, service, known, cases),
    ofAccess(exchanges, known, cases, target),
    {
      'code-hosting/settings/record': ofRecords(settings, (record) =>
        expect(record).toMatchSchema(schemas.apiSettings),
      ),
      // The login may be that of another account. Sudo has requirements of its own.
      'code-hosting/resources/user': ofRecords(
        user,
        (record) => expect(record).toMatchSchema(schemas.user),
        true,
      ),
    },
  ]
  const rules: Record<string, RecordedRule[]> = {}
  for (const [id, some] of all.flatMap((one) => Object.entries(one))) {
    rules[id] = [...(rules[id] ?? []), ...some]
  }
  return rules
}

export const recorded: RecordedTraffic = {
  endpoints: Object.values(codeHostingEndpoints),
  rules: recordedRules,
}
