/** Rules about recorded traffic: those about every response of a kind, about access, and about pages of lists. */
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import type {
  RecordedRule,
  RecordedRules,
  RecordedTraffic,
} from '../../../lib/conformance/recording/judge-recording.ts'
import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { serviceIn } from '../../service.ts'
import { codeHostingEndpoints } from '../client.ts'
import { expect } from '../matchers.ts'
import type { RequirementId } from '../requirements.ts'
import * as schemas from '../schemas/validators.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { type Access, accessRequirements, expectedAccess } from './access.ts'
import { type Case, isCreation } from './case.ts'
import { describeCase } from './describe-case.ts'
import { isApiResponse, isOfTheService } from './exchange-filters.ts'
import { outlierOf } from './page-consistency.ts'
import { contentOf, hasSudo, RecordedCases } from './recorded-cases.ts'
import { recordedPageRules } from './recorded-pages.ts'
import { type ResponseRule, responseRules } from './response-rules.ts'

/** Response rules that state a part of their requirement. */
const parts: readonly string[] = [
  'total-count',
  'link-relations',
  'page-header',
  'per-page-header',
  'has-more-header',
]

type Cases = ReadonlyMap<Exchange, Case>

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
      ['main', 'other', 'anonymous'].includes(cases.get(one)?.actor ?? '')
    return [
      id,
      [
        {
          absenceReason: rule.absenceReason,
          isPart: parts.some((name) => id.endsWith(`/${name}`)),
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

/** Returns true if a response is not what the document states. */
const deviates = ({ status }: Exchange, { rejected }: Access) => {
  if (rejected === undefined) return status !== 200
  return status < 400 || (rejected !== 'any' && !rejected.includes(status))
}

interface JudgedAccess {
  /** Documented access of the exchanges that can be judged. */
  judged: ReadonlyMap<Exchange, Access>
  /** Requirements that a response may contradict which cannot be judged. */
  unclear: ReadonlySet<RequirementId>
}

/** Judges a rejection only if its recorded control succeeds, and no server error: the same request may succeed later. */
function judgedAccess(
  exchanges: readonly RecordedExchange[],
  cases: Cases,
  settings: CodeHostingTarget['settings'],
): JudgedAccess {
  const unclear = new Set<RequirementId>()
  const statuses = new Map<string, Set<number>>()
  const addStatus = (name: string, { status }: Exchange) =>
    statuses.set(name, (statuses.get(name) ?? new Set()).add(status))
  for (const exchange of exchanges) {
    const { endpoint = '', credentials } = exchange.request
    if (credentials?.kind !== 'none') addStatus(endpoint, exchange)
    const one = cases.get(exchange)
    if (one) addStatus(describeCase(one), exchange)
    else if (endpoint === codeHostingEndpoints.settings && exchange.status !== 200) {
      unclear.add('code-hosting/settings/readable-by-any-client')
    }
  }
  const hasControl = ({ request: { endpoint = '' } }: Exchange, { control }: Access) => {
    if (control === undefined) return true
    const isAny = control.sentAs === 'any valid' || isCreation(control)
    const found = statuses.get(isAny ? endpoint : describeCase(control)) ?? []
    return [...found].some((status) => status >= 200 && status < 300)
  }
  const isExplained = (exchange: Exchange, access: Access) =>
    deviates(exchange, access) &&
    access.explanations?.some((other) => statuses.get(describeCase(other))?.has(exchange.status))
  const judged = new Map<Exchange, Access>()
  for (const [exchange, one] of cases) {
    const access = expectedAccess(one, settings)
    if (access === undefined || !isOfTheService(exchange)) continue
    const isAccepted = access.rejected !== undefined && isSuccess(exchange)
    // Parameters have rules of their own, and a creation may fail for other reasons.
    const isOther = exchange.request.url.search !== '' || (isCreation(one) && !access.rejected)
    // The variable may name no repository.
    const isMisnamed = one.resource === 'public repository' && exchange.status === 404
    const isJudged =
      exchange.status < 500 &&
      !isMisnamed &&
      !isExplained(exchange, access) &&
      (isAccepted || (!isOther && hasControl(exchange, access)))
    if (isJudged) judged.set(exchange, access)
    else if (deviates(exchange, access)) unclear.add(access.requirement)
  }
  return { judged, unclear }
}

/** Returns the rules about access, and about the messages of rejections. */
function ofAccess({ judged, unclear }: JudgedAccess): RecordedRules {
  const toRule = (id: RequirementId): [string, [RecordedRule]] => {
    const isOfMessage = id.endsWith('-message')
    const appliesTo = (exchange: Exchange) => {
      const { requirement, messages } = judged.get(exchange) ?? {}
      const isOfRule = !isOfMessage || (exchange.status === 401 && messages !== undefined)
      return requirement === id.replace(/-message$/, '') && isOfRule
    }
    const assert = (exchange: Exchange) => {
      const { rejected, messages = [] } = judged.get(exchange) as Access
      if (isOfMessage) expect(exchange).toHaveMessage(...messages)
      else if (rejected === undefined) expect(exchange).toHaveStatus(200)
      else if (isSuccess(exchange) || rejected === 'any') expect(exchange).toBeRejected()
      else expect(exchange).toHaveStatus(...rejected)
    }
    const absenceReason = 'no such request with known credentials, and with its control'
    return [id, [{ absenceReason, appliesTo, assert, isPart: unclear.has(id) }]]
  }
  const ids: readonly RequirementId[] = [
    ...accessRequirements,
    'code-hosting/authentication/bearer',
    'code-hosting/scopes/public-only-shows-public',
    'code-hosting/authentication/missing-credentials-message',
    'code-hosting/authentication/legacy-disabled-message',
  ]
  return Object.fromEntries(ids.map(toRule))
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
      // Other bodies are judged by resources/json.
      exchange.json !== undefined &&
      !hasSudo(exchange),
    assert,
  },
]

async function recordedRules(
  exchanges: readonly RecordedExchange[],
  target: CodeHostingTarget,
): Promise<RecordedRules> {
  const known = new RecordedCases(exchanges, target)
  const cases = new Map<Exchange, Case>()
  for (const exchange of exchanges) {
    const one = known.caseOf(exchange)
    if (one === undefined) continue
    exchange.request.cases = new Set([describeCase(one)])
    cases.set(exchange, one)
  }
  const { settings, user } = codeHostingEndpoints
  const all = [
    await recordedPageRules(exchanges, (one) => cases.get(one), target.settings),
    ofResponses(exchanges, target, known, cases),
    ofAccess(judgedAccess(exchanges, cases, target.settings)),
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
  rules: (exchanges, target) => recordedRules(exchanges, serviceIn(target, 'codeHosting')),
}
