/** Recorded requests of cases of access, judged by the checks of a run. */
import { skipUnrecorded } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import type {
  RecordedRule,
  RecordedRules,
} from '../../../lib/conformance/recording/judge-recording.ts'
import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import { createRecordedRun } from '../../../lib/conformance/recording/recorded-run.ts'
import type { Target } from '../../../lib/environment/target.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { groupBy } from '../../../lib/text/group-by.ts'
import { serviceIn } from '../../service.ts'
import { Accounts, type KnownAccount } from '../accounts/accounts.ts'
import { CodeHostingClient, codeHostingEndpoints } from '../client.ts'
import type { RequirementId } from '../requirements.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { accessRequirements, expectedAccess } from './access.ts'
import { AccessChecks } from './access-checks.ts'
import { type Account, type Case, isCreation } from './case.ts'
import { describeCase } from './describe-case.ts'
import { isApiResponse, isOfTheService } from './exchange-filters.ts'
import type { CaseSender } from './judged-cases.ts'
import { hasSudo, type RecordedCases } from './recorded-cases.ts'

/** The cases of requests, as far as they are known. */
export type Cases = ReadonlyMap<RecordedExchange, Case>

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
          exchange.status !== 429 &&
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

const messages = ['missing-credentials', 'unknown-token', 'legacy-disabled'] as const

/**
 * Returns the requirement that a request of an unknown resource would deviate from if it needed what the known
 * ones need: a read that valid credentials do not open, or a change with another access.
 */
function contradictedBy(
  exchange: RecordedExchange,
  known: RecordedCases,
  settings: CodeHostingTarget['settings'],
): RequirementId | undefined {
  const { request, status } = exchange
  const isOfApi = isApiResponse(exchange) && request.url.pathname.includes('/api/v1/')
  if (!isOfApi || hasSudo(exchange)) return undefined
  const isRead = request.method === 'GET'
  const one = known.caseAt(isRead ? 'user' : 'no-content change', exchange)
  const access = one && expectedAccess(one, settings)
  if (access?.rejected === undefined) {
    return status === 401 || (status === 403 && !isRead) ? access?.requirement : undefined
  }
  const { rejected, requirement } = access
  const isExpected = rejected === 'any' ? status >= 400 : rejected.includes(status)
  return isRead || isExpected ? undefined : requirement
}

/** Returns the checks of access, and of the messages of rejections. */
export function recordedAccess(
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
  // A rejection of unknown credentials, access as an unknown user, and a list with Sudo may be right or wrong.
  const unknown = exchanges.filter((one) => !cases.has(one))
  const isSudoUnclear = [...distinct.values()].some((one) => one.sudo && !isJudged(one))
  const contradicted = new Set(
    unknown.flatMap((one) => contradictedBy(one, known, target.settings) ?? []),
  )
  const isUnclear = (id: RequirementId) =>
    contradicted.has(id) ||
    (isSudoUnclear && id.includes('/sudo-')) ||
    unknown.some((one) =>
      id.includes('/sudo-')
        ? hasSudo(one) && isSuccess(one)
        : id.endsWith('/readable-by-any-client') &&
          one.request.endpoint === codeHostingEndpoints.settings &&
          one.status !== 200,
    )
  const rules = accessRequirements.map((id): [string, RecordedRule[]] => {
    const isPart = id === 'code-hosting/scopes/public-only-shows-public' || isUnclear(id)
    return [id, [{ check: () => checks.judge(id), isPart }]]
  })
  const ofMessages = messages.map((name): [string, RecordedRule[]] => {
    const id = `code-hosting/authentication/${name}` as const
    return [`${id}-message`, [{ check: () => checks.judgeMessages(id) }]]
  })
  return Object.fromEntries([...rules, ...ofMessages])
}
