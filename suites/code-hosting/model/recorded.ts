import { allJudged } from '../../../lib/conformance/judge-cases.ts'
import { messageOf } from '../../../lib/conformance/matchers.ts'
import type {
  RecordedRule,
  RecordedRules,
  RecordedTraffic,
} from '../../../lib/conformance/recording/judge-recording.ts'
import type { RecordedExchange } from '../../../lib/conformance/recording/recorded-exchange.ts'
import type { Target } from '../../../lib/environment/target.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { serviceIn } from '../../service.ts'
import { codeHostingEndpoints } from '../client.ts'
import { expect } from '../matchers.ts'
import * as schemas from '../schemas/validators.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Case } from './case.ts'
import { describeCase } from './describe-case.ts'
import { isApiResponse } from './exchange-filters.ts'
import { listRules } from './list-rules.ts'
import { outlierOf } from './page-consistency.ts'
import { type Cases, recordedAccess } from './recorded-access.ts'
import { contentOf, hasSudo, RecordedCases } from './recorded-cases.ts'
import { recordedLists } from './recorded-lists.ts'
import { type ResponseRule, responseRules } from './response-rules.ts'

/**
 * Requirements of which responses show only a part: that a link leads to a page, that a repository is found, whose
 * record a user gets, and that a token is created.
 */
const parts: readonly string[] = ['documentation-link', 'repository', 'user', 'created']

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
  // Recordings hide the values of tokens.
  const rules = Object.entries(responseRules).filter(([id]) => !id.endsWith('/last-eight'))
  return Object.fromEntries(rules.map(toRule))
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

/** A rule about the settings records. */
const ofSettings: RecordedRule = {
  appliesTo: (exchange) =>
    isApiResponse(exchange) &&
    exchange.request.endpoint === codeHostingEndpoints.settings &&
    exchange.status === 200 &&
    // Other bodies are judged by resources/json, and errors are those of credentials that may be wrong.
    exchange.json !== undefined &&
    messageOf(exchange) === undefined &&
    !hasSudo(exchange),
  assert: (record) => expect(record).toMatchSchema(schemas.apiSettings),
}

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
  const all = [
    await ofLists(exchanges, cases, target),
    ofResponses(exchanges, service, known, cases),
    recordedAccess(exchanges, known, cases, target),
    { 'code-hosting/settings/record': [ofSettings] },
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
