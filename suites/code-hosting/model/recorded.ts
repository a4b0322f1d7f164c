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
import type { Case } from './case.ts'
import { describeCase } from './describe-case.ts'
import { isApiResponse, isOfTheService } from './exchange-filters.ts'
import { RecordedCases } from './recorded-cases.ts'
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

/** Requirements whose message a rejection has. */
const MESSAGE = /-message$/

type Cases = ReadonlyMap<Exchange, Case>

/** Returns the rules about every response of a kind, with the tokens that the recording shows. */
function ofResponses(
  exchanges: readonly RecordedExchange[],
  target: CodeHostingTarget,
  known: RecordedCases,
  cases: Cases,
): RecordedRules {
  const apiPath = `${new URL(target.baseUrl).pathname.replace(/\/$/, '')}/api/v1/`
  const contextOf = (exchange: Exchange) => ({
    target,
    settings: target.settings,
    run: { exchanges },
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

/** Returns the rules about access: a rejection is judged with a recorded control that succeeds. */
function ofAccess(
  exchanges: readonly RecordedExchange[],
  cases: Cases,
  settings: CodeHostingTarget['settings'],
): RecordedRules {
  const accesses = new Map<Exchange, Access | undefined>()
  for (const [exchange, one] of cases) {
    // Other rules are about parameters.
    if (exchange.request.url.search === '') accesses.set(exchange, expectedAccess(one, settings))
  }
  const succeeded = new Set<string>()
  for (const exchange of exchanges.filter(isSuccess)) {
    const { endpoint, credentials } = exchange.request
    if (credentials?.kind !== 'none') succeeded.add(`${endpoint}`)
    const one = cases.get(exchange)
    if (one) succeeded.add(describeCase(one))
  }
  const hasControl = ({ request }: Exchange, { control }: Access) =>
    control === undefined ||
    succeeded.has(control.sentAs === 'any valid' ? `${request.endpoint}` : describeCase(control))
  const isJudged = (exchange: Exchange, access: Access) => {
    const isRejected = access.rejected !== undefined && !isSuccess(exchange)
    if (!isOfTheService(exchange) || (exchange.status >= 500 && access.rejected === 'any'))
      return false
    return access.rejected !== undefined && !isRejected ? true : hasControl(exchange, access)
  }
  const toRule = (id: RequirementId): [string, RecordedRule[]] => [
    id,
    [
      {
        absenceReason: 'no such request with known credentials',
        appliesTo(exchange) {
          const access = accesses.get(exchange)
          return (
            access?.requirement === id.replace(MESSAGE, '') &&
            isJudged(exchange, access) &&
            (!MESSAGE.test(id) || (exchange.status === 401 && access.messages !== undefined))
          )
        },
        assert(exchange) {
          const { rejected, messages = [] } = accesses.get(exchange) as Access
          if (MESSAGE.test(id)) expect(exchange).toHaveMessage(...messages)
          else if (rejected === undefined) expect(exchange).toHaveStatus(200)
          else if (isSuccess(exchange) || rejected === 'any') expect(exchange).toBeRejected()
          else expect(exchange).toHaveStatus(...rejected)
        },
      },
    ],
  ]
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
const ofRecords = (endpoint: string, assert: (exchange: Exchange) => void): [RecordedRule] => [
  {
    absenceReason: 'no such record',
    appliesTo: (exchange) =>
      isApiResponse(exchange) && exchange.request.endpoint === endpoint && exchange.status === 200,
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
    ofAccess(exchanges, cases, target.settings),
    {
      'code-hosting/settings/record': ofRecords(settings, (record) =>
        expect(record).toMatchSchema(schemas.apiSettings),
      ),
      'code-hosting/resources/user': ofRecords(user, (record) =>
        expect(record).toMatchSchema(schemas.user),
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
