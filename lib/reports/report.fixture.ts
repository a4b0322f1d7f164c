import type { ExchangeRecord } from '../probe/exchange.ts'
import { coverageOf, isDeviation } from '../results/outcome.ts'
import type { JudgedCases, RequirementResult, RunReport } from '../results/run-report.ts'

/** Text that terminals, XML readers and shells must get only escaped. */
export const hostileText =
  'nul \u0000 escape \u001b[31m\u001b]0;title\u0007 surrogates \ud800 \udc00 end ]]> twice ]]> <script>alert(1)</script> & "quoted" \u202eoverride \u009b31m'

/** Creates an exchange with status 200; `parts` replace the defaults. */
export function exchangeFixture(parts: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    id: 'e1',
    service: 'code-hosting',
    purpose: 'code-hosting/pagination/limit-lowered',
    startedAt: '2026-02-03T02:59:13.120Z',
    durationMs: 12.4,
    attempt: 1,
    request: {
      method: 'GET',
      url: 'https://git.example.com/api/v1/user/repos?limit=26',
      headers: [
        { name: 'Host', value: 'git.example.com' },
        { name: 'User-Agent', value: 'plumbline/0.1.0' },
        { name: 'Accept', value: 'application/json' },
        { name: 'Authorization', value: 'Bearer $READ_USER_TOKEN' },
      ],
      body: null,
      secrets: ['READ_USER_TOKEN'],
      placeholders: [{ in: 3, at: 7, name: 'READ_USER_TOKEN' }],
    },
    response: {
      status: 200,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Date', value: 'Tue, 03 Feb 2026 02:59:13 GMT' },
        { name: 'X-PerPage', value: '50' },
      ],
      body: '[{"id":1,"full_name":"maria/first"},{"id":2,"full_name":"maria/second"}]',
      bodyBytes: 72,
    },
    error: null,
    ...parts,
  }
}

/** Ids of the cases of `reportFixture`. */
export const caseIds: readonly string[] = [
  'no credentials, GET /user',
  'the token of the main account, GET /user',
  'the token of the main account, with Sudo: the other account, GET /user',
  'the password of the main account, with Sudo: the other account, GET /user',
  'the password of the main account with a one-time code, GET /user',
]

/** Returns cases; by default the first conforms. A missing one has its reason as a text. */
export function casesFixture(
  parts: Partial<Omit<JudgedCases, 'missing'>> = {},
  missing: Readonly<Record<number, string>> = {},
): JudgedCases {
  return {
    conforming: [0],
    deviating: [],
    missing: Object.entries(missing).map(([number, text]) => {
      const noVerdict = { kind: 'missing', text } as const
      return { cases: [Number(number)], noVerdict, reason: text }
    }),
    ...parts,
  }
}

/**
 * Creates a passing result; `parts` replace the defaults. A deviating result gets its deviation, in the second
 * case; of a pass with a reason, the last case is missing.
 */
export function resultFixture(parts: Partial<RequirementResult> = {}): RequirementResult {
  const { verdict = 'pass', reason, expected = '', actual = reason ?? '', reads } = parts
  const exchange = parts.exchanges?.[0]
  const deviation = { expected, actual, ...(exchange && { exchange }), ...(reads && { reads }) }
  const { deviations = [deviation], ...others } = parts
  const isDeviating = isDeviation(verdict)
  const isJudged = isDeviating || verdict === 'pass'
  const hasMissing = verdict === 'pass' && reason !== undefined
  const missing: Record<number, string> = hasMissing ? { 4: reason } : {}
  return {
    requirement: 'code-hosting/resources/user',
    verdict,
    level: 'contract',
    statement: 'The user record of the caller is served.',
    section: 'Resources',
    exchanges: [],
    durationMs: 20,
    ...(isJudged && {
      cases: casesFixture(isDeviating ? { deviating: [1] } : { conforming: [0, 1, 2, 3] }, missing),
    }),
    ...(isDeviating && { deviations: deviations.map((one) => ({ cases: [1], ...one })) }),
    ...others,
  }
}

/** Creates the description of a run; `parts` replace the defaults. */
export function runFixture(parts: Partial<RunReport['run']> = {}): RunReport['run'] {
  return {
    id: 'q7k2',
    startedAt: '2026-02-03T02:59:10.000Z',
    finishedAt: '2026-02-03T02:59:22.340Z',
    requests: 3,
    retries: 1,
    options: ['--reports', 'reports/again'],
    program: 'plumbline',
    ...parts,
  }
}

/** Creates a failure with deviations at different endpoints; `e1` and `e2` show two of them. */
export function deviatingFixture(count: number, text = 'no url'): RequirementResult {
  const deviations = Array.from({ length: count }, (_, index) => ({
    subject: `GET /${index + 1} 403`,
    expected: 'a url',
    actual: text,
    exchange: `e${Math.min(index + 1, 2)}`,
  }))
  return resultFixture({
    requirement: 'code-hosting/errors/body',
    verdict: 'fail',
    expected: 'a url',
    actual: text,
    deviations: deviations.slice(0, 20),
    ...(count > 20 && { furtherDeviations: count - 20 }),
    exchanges: ['e1', 'e2'],
  })
}

const siteAdmin = {
  name: 'site administrator',
  variables: ['CODE_HOSTING_ADMIN_USERNAME'],
  advice: 'Set a site admin.',
}

const missing: JudgedCases['missing'] = [
  { cases: [4], noVerdict: { kind: 'needs', needs: [siteAdmin] }, reason: 'no admin' },
]

const sudo = { section: 'Sudo', reason: 'CODE_HOSTING_ADMIN_USERNAME is not set' }

const results: RequirementResult[] = [
  resultFixture({ exchanges: ['e1'] }),
  resultFixture({
    requirement: 'code-hosting/pagination/limit-lowered',
    statement: 'A limit above the maximum is lowered to the maximum.',
    ...{ verdict: 'fail', section: 'Pagination', exchanges: ['e1', 'e2'], durationMs: 1234 },
    ...{ expected: 'X-PerPage: 25', actual: 'X-PerPage: 50', reads: { header: 'X-PerPage' } },
    deviations: [
      {
        ...{ expected: 'X-PerPage: 25', actual: 'X-PerPage: 50', exchange: 'e1' },
        ...{ reads: { header: 'X-PerPage' }, cases: [2, 3], because: 'the table has both' },
      },
    ],
    cases: { ...casesFixture({ conforming: [0, 1], deviating: [2, 3] }), missing },
  }),
  resultFixture({
    requirement: 'code-hosting/tokens/created',
    statement: 'Creation returns 201 with the token.',
    ...{ verdict: 'fail', section: 'Tokens', exchanges: ['e2'] },
    reason: 'the body is not the documented record',
    ...{ expected: 'a JSON object with string sha1', actual: hostileText },
  }),
  resultFixture({
    requirement: 'code-hosting/pagination/total-count',
    statement: 'The total is the number of items over all pages.',
    ...{ verdict: 'inconclusive', section: 'Pagination', exchanges: ['e3'] },
    reason: 'connection refused by git.example.com:443',
  }),
  ...['header', 'query'].map((name) =>
    resultFixture({
      requirement: `code-hosting/authentication/sudo-${name}`,
      ...{ verdict: 'skipped', ...sudo, noVerdict: { kind: 'needs', needs: [siteAdmin] } },
      statement:
        name === 'header'
          ? 'A site admin may act as another user.'
          : 'The query parameter does the same.',
    }),
  ),
  resultFixture({
    requirement: 'incident-status/updates/no-response-body',
    statement: 'The response has no body.',
    ...{ verdict: 'waived', section: 'Updates', exchanges: ['e1'] },
    ...{ expected: 'no body', actual: 'a body of the gateway' },
  }),
  resultFixture({
    requirement: 'code-hosting/scopes/missing-scope-message',
    statement: 'The message names the scopes.',
    ...{ verdict: 'advisory', level: 'wording', section: 'Scopes', exchanges: ['e1'] },
    ...{ expected: 'required=[…], token scope=…', actual: 'forbidden' },
  }),
  resultFixture({
    requirement: 'code-hosting/tokens/documented-scopes',
    statement: 'Every documented scope can be granted.',
    section: 'Scopes',
    reason: '1 of 3 cases; not judged: 1 with a site administrator (no admin), 1 (no token).',
    cases: {
      ...casesFixture(),
      missing: [...missing, ...casesFixture({}, { 3: 'no token' }).missing],
    },
  }),
]

const exchanges: ExchangeRecord[] = [
  exchangeFixture(),
  exchangeFixture({
    id: 'e2',
    purpose: 'token read-user',
    request: {
      method: 'POST',
      url: 'https://git.example.com/api/v1/users/maria/tokens',
      headers: [
        { name: 'Authorization', value: 'Basic base64(maria:$CODE_HOSTING_PASSWORD)' },
        { name: 'Content-Type', value: 'application/json' },
      ],
      body: '{"name":"it\'s a name","scopes":["read:user"]}',
      secrets: ['CODE_HOSTING_PASSWORD'],
      user: 'maria:$CODE_HOSTING_PASSWORD',
      placeholders: [{ in: 'user', at: 6, name: 'CODE_HOSTING_PASSWORD' }],
    },
    response: {
      status: 500,
      headers: [{ name: 'X-Hostile', value: 'value\u001b[2J' }],
      body: `first line\nsecond line\n${hostileText}`,
      bodyBytes: 180,
    },
  }),
  exchangeFixture({
    id: 'e3',
    attempt: 2,
    response: null,
    error: 'connect ECONNREFUSED 192.0.2.7:443',
  }),
]

/** Creates a run with each verdict, hostile text from the server and a leaked resource. */
export function reportFixture(parts: Partial<RunReport> = {}): RunReport {
  const reported = parts.results ?? structuredClone(results)
  return {
    schema: 4,
    cases: [...caseIds],
    tool: { name: 'plumbline', version: '0.1.0' },
    run: runFixture(),
    target: {
      codeHosting: { baseUrl: 'https://git.example.com' },
      incidentStatus: { baseUrl: 'http://127.0.0.1:4010', embedded: true },
    },
    documents: {},
    verdict: 'nonconformant',
    coverage: coverageOf(reported),
    results: reported,
    observations: [
      {
        id: 'code-hosting/errors/malformed-body',
        description: 'Status for a body that is not JSON.',
        value: 422,
        exchanges: ['e2'],
      },
      {
        id: 'code-hosting/resources/user-fields',
        description: 'Fields of the user record.',
        value: { fields: Array.from({ length: 40 }, (_, index) => `field-${index}`) },
        exchanges: ['e1'],
      },
    ],
    exchanges: structuredClone(exchanges),
    settings: {
      CODE_HOSTING_USERNAME: 'maria',
      CODE_HOSTING_PASSWORD: '$CODE_HOSTING_PASSWORD',
      CODE_HOSTING_MAX_RESPONSE_ITEMS: 25,
      INCIDENT_STATUS_UPDATE_BODY: hostileText,
    },
    leakedResources: [
      {
        kind: 'access token',
        name: 'plumbline-q7k2-read-user',
        account: 'maria',
        deletedBy: 'CODE_HOSTING_TOKEN_DELETE_PATH',
      },
    ],
    ...parts,
  }
}
