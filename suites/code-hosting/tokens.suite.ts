/** Creation of access tokens. */
import { inconclusive, skip, skipWithoutControl } from '../../lib/conformance/check-errors.ts'
import { displayValue } from '../../lib/conformance/deviations.ts'
import { allOrWorst, each, judgeCases, judgeOptionalCase } from '../../lib/conformance/judge.ts'
import { isSuccess } from '../../lib/conformance/matchers.ts'
import { statusOf } from '../../lib/conformance/requirements.ts'
import { bearer } from '../../lib/probe/credentials.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import { anyRejectionStatus, loginInAnyCase } from './authentication.suite.ts'
import { codeHostingEndpoints, loginIn, type PageQuery } from './client.ts'
import type { CodeHostingObservation, CodeHostingRequirements } from './context.ts'
import {
  type Case,
  caseOf,
  creationsWith,
  cross,
  generalScopes,
  isCreation,
  nearScopes,
  schemes,
  scopeSets,
  UNRELATED_SCOPE,
} from './levels.ts'
import { tokenPages } from './lists.ts'
import {
  expect,
  isKnownRequest,
  nameOf,
  placesOf,
  sendingProblem,
  tokenValue,
  valueIn,
} from './matchers.ts'
import * as schemas from './schemas/validators.ts'
import { creating } from './variables.ts'

const noToken = 'no token created in this run'

/** Judges each response that creates a token, at least one. */
const showsCreation = (judge: (creation: Exchange) => void) => ({
  cases: cross({ resource: 'tokens of main', sentAs: 'Basic' }),
  shows: judge,
  every: {
    // The value must be one that can be sent.
    is: (response: Exchange) =>
      isSuccess(response) &&
      response.request.endpoint === codeHostingEndpoints.createToken &&
      sendingProblem(valueIn(response.json) ?? '') === undefined,
    canJudge: (one: Case) => isCreation(one) && one.body === undefined,
    absence: noToken,
    shows: judge,
  },
})

export const requirements = {
  'tokens/created': {
    impact: 'data',
    statement:
      'When the server creates a token, it returns 201 with the string fields sha1 and token_last_eight.',
    section: 'Endpoints',
    needs: creating,
    tolerances: {
      'further-fields': 'The server may send additional fields.',
      'any-value-form': 'The token value may have any format and length.',
    },
    ...showsCreation((creation) => {
      expect(creation).toHaveStatus(201)
      expect(creation).toMatchSchema(schemas.accessToken)
      const problem = sendingProblem(valueIn(creation.json) ?? '')
      if (problem !== undefined) inconclusive(`the value of the new token ${problem}`)
    }),
    steps: ({ creations }) =>
      judgeOptionalCase('a token name that was rejected before', async () =>
        expect(await creations.afterRejection()).toHaveStatus(201),
      ),
  },
  'tokens/last-eight': {
    impact: 'data',
    statement: 'The field token_last_eight holds the final eight characters of the token value.',
    needs: creating,
    ...showsCreation((creation) =>
      expect(creation).toHaveField('token_last_eight', tokenValue(creation).slice(-8)),
    ),
  },
  'tokens/last-eight-in-reads': {
    impact: 'data',
    since: '0.2.0',
    statement: 'A later read of a token has its final eight characters in token_last_eight.',
    isSupplied: true,
    needs: [...creating, 'token list'],
    async steps({ accounts, settings, suppliedReads, tokenCreation, tokens }) {
      const [second, beyond] = tokenPages(settings)
      await tokens.with('all')
      const name = nameOf(await tokens.creation('all'))
      const { username } = accounts.main()
      const reads: { name: string; isAgain?: true; query?: PageQuery }[] = [
        { name: 'CODE_HOSTING_TOKEN_LIST' },
        { name: 'CODE_HOSTING_TOKEN_LIST after the token was used', isAgain: true },
        // Requirements about pages of lists judge these too.
        { name: 'CODE_HOSTING_TOKEN_LIST, its second page', query: second },
        { name: 'CODE_HOSTING_TOKEN_LIST, with a limit above the maximum', query: beyond },
      ]
      await judgeCases(reads, async ({ isAgain, query }) => {
        const list = query
          ? await suppliedReads.readTokenPage(query)
          : await suppliedReads.readTokenList(isAgain)
        const records: unknown[] = Array.isArray(list.json) ? list.json : []
        if (query === undefined && !records.some((one) => Object(one).name === name)) {
          skip(`the list of CODE_HOSTING_TOKEN_LIST does not hold ${name}`)
        }
        const issued = tokenCreation.issued.filter(({ account }) => account === username)
        // The first one is there in each run.
        const isFirst = (record: unknown) => Number(Object(record).name === name)
        for (const record of records.toSorted((one, other) => isFirst(other) - isFirst(one))) {
          const { name, token_last_eight: shown } = Object(record)
          const values = issued.flatMap((one) => (one.name === name ? one.value.slice(-8) : []))
          expect(list).toShow(
            values.length === 0 || values.includes(shown),
            `token_last_eight "${values[0]}" for ${name}`,
            `token_last_eight ${displayValue(list, shown)}`,
            undefined,
            'another token_last_eight',
          )
        }
      })
    },
  },
  'tokens/authenticates': {
    statement:
      'The field sha1 holds the token value, which authenticates requests as the user who created the token.',
    needs: creating,
    tolerances: loginInAnyCase,
    async steps({ accounts, codeHosting, creations, tokens }) {
      const user = await tokens.userOf(await tokens.with('all'))
      if (user.status === 403) skip('the token authenticates, but lacks a scope')
      expect(user).toShowUser(accounts.username())
      await judgeOptionalCase('the token of the other account', async () => {
        const { credentials } = await accounts.other()
        const [user, other] = await allOrWorst([
          codeHosting.user({ credentials }),
          codeHosting.user({ credentials: bearer(await creations.tokenOfOther()) }),
        ])
        const login = loginIn(user)
        if (login === undefined || !isSuccess(other)) skip('needs a record of its user')
        expect(other).toShowUser(login)
      })
    },
  },
  'tokens/basic-only': {
    statement:
      'The server accepts token creation only with Basic authentication, not with another token.',
    because: 'the table of endpoints requires a password for {endpoint}',
    section: 'Sending a token',
    needs: creating,
    tolerances: anyRejectionStatus,
    cases: cross(
      { resource: 'tokens of main', sentAs: schemes },
      // A token is not a password, whatever its scopes.
      { resource: 'tokens of main', sentAs: 'password' },
      { resource: 'tokens of main', sentAs: 'username' },
    ),
    given: [{ sentAs: 'Basic', scopes: 'all' }],
    rejects: 'any',
    // A server may check no password here.
    unlike: ({ sentAs }) =>
      sentAs === 'password' || sentAs === 'username'
        ? [{ sentAs: 'Basic', scopes: 'all', problem: 'shorter' }]
        : [],
  },
  'tokens/own-credentials': {
    since: '0.2.0',
    statement:
      'The server accepts token creation only with the credentials of the user in the path.',
    because:
      'the table of endpoints requires the credentials of the user in the path for {endpoint}',
    section: 'Endpoints',
    needs: [...creating, 'other account'],
    tolerances: anyRejectionStatus,
    cases: cross(
      { resource: 'tokens of main', actor: ['other', 'admin'], sentAs: 'Basic' },
      {
        resource: 'tokens of main',
        actor: 'other',
        sentAs: 'Basic',
        sudo: { as: 'main', in: 'query' },
      },
    ),
    given: [{ actor: 'main', sudo: undefined }],
    rejects: 'any',
  },
  'tokens/duplicate-name': {
    impact: 'data',
    statement: 'The server returns 400 if the user already has a token with the requested name.',
    needs: creating,
    ...creationsWith('taken name', 'taken name and other scopes'),
    rejects: [400],
    async steps({ codeHosting, creations }) {
      await judgeOptionalCase('the first token of a repeated name', async () => {
        const credentials = bearer(tokenValue(await creations.accepted()))
        const before = await codeHosting.user({ credentials })
        if (isSuccess(before))
          skipWithoutControl('the server ignored the scopes of the first token before')
        await creations.withBody('taken name and other scopes')
        const after = await codeHosting.user({ credentials, fresh: true })
        const expected =
          'the first token keeps its scopes after a rejected request of the same name'
        const actual = `status ${after.status}`
        expect(after).toShow(!isSuccess(after), expected, actual, { status: true })
      })
      await judgeOptionalCase('two tokens of one name at the same time', async () => {
        const [first, second] = (await creations.twins()) as [Exchange, Exchange]
        // After a lost response, one has another name.
        if (nameOf(first) !== nameOf(second)) skip('needs two requests of one name')
        const areCreated = isSuccess(first) && isSuccess(second)
        expect(second).toShow(!areCreated, 'one token of the name', 'two tokens', { status: true })
      })
    },
  },
  'tokens/name-unique-per-user': {
    impact: 'data',
    statement: 'The server lets two users give their tokens the same name.',
    needs: [...creating, 'other account'],
    steps: async ({ creations }) => expect(await creations.byOtherWithSameName()).toHaveStatus(201),
  },
  'tokens/documented-scopes': {
    statement: 'The server accepts token creation with each of the documented scopes.',
    section: 'Scopes',
    needs: creating,
    tolerances: {
      'admin-scopes-for-site-admins':
        'The server may reserve the scopes of the admin category for site administrators.',
      'combinations-refused':
        'The server may reject a combination of scopes; each is then requested separately.',
    },
    async steps({ tokens }) {
      const combined = await tokens.creationWithEveryScope()
      const isRejected = combined.status >= 400 && combined.status < 500
      if (!isRejected) expect(combined).toHaveStatus(201)
      else {
        // A server may reject some combinations.
        await each(generalScopes, async (scope) => {
          const scopes = scope === 'public-only' ? [scope, UNRELATED_SCOPE] : [scope]
          expect(await tokens.unusedCreation(...(scopes as [typeof scope]))).toHaveStatus(201)
        })
      }
      await judgeOptionalCase('read:admin and write:admin', async () => {
        expect(await tokens.creationByAdmin(...scopeSets.admin)).toHaveStatus(201)
      })
    },
  },
  'tokens/unknown-scope': {
    statement: 'The server rejects token creation with an undocumented scope.',
    needs: creating,
    tolerances: { 'status-400-or-422': 'The server may return either 400 or 422.' },
    ...creationsWith('unknown scope', 'unknown level', 'number as scope', ...nearScopes),
    rejects: [400, 422],
  },
  'tokens/value-shown-once': {
    statement: 'After the response that creates a token, no response contains the token value.',
    because: 'the table of token fields has sha1 in the creation response only',
    needs: ['token-creating account', 'token creation', 'write requests'],
    tolerances: {
      'last-eight-characters':
        'A response may contain the final eight characters of the token value.',
      'repeated-query':
        'Link and Location may repeat the query in which the client sent the token.',
    },
    every: {
      is: (response, context) =>
        context.tokenCreation.issued.length > 0 && isKnownRequest(response, context),
      absence: noToken,
      shows(response, { tokenCreation }) {
        const others = tokenCreation.issued.filter((one) => one.exchange !== response.id)
        const places = placesOf(
          others.map(({ value }) => value),
          response,
        )
        expect(response).toShow(
          places.length === 0,
          'a response without the value of a token',
          `a token value in ${places.join(', ')}`,
        )
      },
    },
  },
} satisfies CodeHostingRequirements

export const observations = {
  'tokens/unknown-scope/status': {
    of: ['tokens/unknown-scope'],
    description: 'Status code of a token creation request with an undocumented scope.',
    value: statusOf(caseOf({ resource: 'tokens of main', sentAs: 'Basic', body: 'unknown scope' })),
  },
  'tokens/password/token': {
    of: ['authentication/basic'],
    description: 'Status code of a request with a token instead of the password of its account.',
    value: statusOf(caseOf({ sentAs: 'password' })),
  },
} satisfies Record<string, CodeHostingObservation>
