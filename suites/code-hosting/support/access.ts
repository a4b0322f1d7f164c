import { answeredWith, contrast, isSuccess } from '../../../lib/conformance/contrast.ts'
import { eachPossible, together } from '../../../lib/conformance/each.ts'
import { displayStatus, displayValue } from '../../../lib/conformance/exchange-words.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { inconclusive, orNote, skip } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import { sampleSeed } from '../../../lib/conformance/sample-seed.ts'
import {
  anonymous,
  authorization,
  basic,
  type Credentials,
  queryToken,
} from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import {
  type Access,
  type Account,
  type Cell,
  expectedAccess,
  type Resource,
} from '../access-model.ts'
import { coreCells, sampledCells } from '../access-table.ts'
import type { CallOptions, CodeHostingClient, RepositoryPage } from '../client.ts'
import { needed } from '../needs.ts'
import type { RequirementId } from '../requirements.ts'
import type { CodeHostingTarget } from '../variables.ts'
import type { Accounts, KnownAccount } from './accounts.ts'
import type { Creations } from './creations.ts'
import { describeCell } from './describe-cell.ts'
import { loginIn } from './exchanges.ts'
import { expect } from './matchers.ts'
import { nearMissOf } from './near-misses.ts'
import type { Repositories } from './repositories.ts'
import { UNRELATED_SCOPE } from './scopes.ts'
import type { Tokens } from './tokens.ts'
import { noteThatQueryTokensMayBeDisabled, unknownToken } from './ways-to-send.ts'

interface Parts {
  run: Run
  target: CodeHostingTarget
  client: CodeHostingClient
  accounts: Accounts
  tokens: Tokens
  creations: Creations
  repositories: Repositories
}

type JudgedCell = { cell: Cell; access: Access; name: string }

const schemeOf = ({ sentAs, flaw }: Cell) => (flaw === 'unknown scheme' ? 'Plumbline' : sentAs)

/** Compares the responses to the requests of the access table with what the document says of them. */
export function createAccess(parts: Parts) {
  const { run, target, client, accounts, tokens, creations, repositories } = parts
  const { settings } = target
  const inventedToken = unknownToken()
  const nobody = `plumbline-${run.settings.runId}-nobody`

  const cells = fixture('access table', async (): Promise<JudgedCell[]> => {
    const core = coreCells(target)
    return [...core, ...(await sampledCells(core, target, sampleSeed()))].flatMap((cell) => {
      const access = expectedAccess(cell, settings)
      return access ? [{ cell, access, name: describeCell(cell) }] : []
    })
  })

  /** The cells of a requirement, simple ones first. */
  const cellsOf = async (requirement: RequirementId) =>
    (await cells()).filter(({ access }) => access.requirement === requirement)

  /** An account whose password is accepted. */
  async function accountOf(account: Account): Promise<KnownAccount> {
    if (account !== 'main') return accounts[account]()
    await tokens.passwordAccepted()
    return accounts.main()
  }

  function loginOf(account: Account | 'nobody'): string {
    if (account === 'nobody') return nobody
    if (account === 'main') return accounts.username()
    const need = account === 'other' ? 'other account' : 'site admin'
    return (target[account] ?? needed(need)).username
  }

  /** A value that nearly is a secret, which reports hide like the secret. @throws Skip if there is none */
  function nearlyRight(secret: string, { flaw }: Cell, name: string): string {
    const value = flaw && nearMissOf(secret, flaw)
    if (value === undefined) return skip(`the secret has no form that is "${flaw}"`)
    run.redactor.add(`${name}_${flaw}`.toUpperCase().replaceAll(' ', '_'), value)
    return value
  }

  async function wrongPassword(cell: Cell): Promise<Credentials> {
    const { actor, flaw } = cell
    if (flaw === 'unknown user') return basic(nobody, inventedToken)
    if (flaw === 'invented') return accounts.mainWithWrongPassword()
    const prefix = actor === 'main' ? 'CODE_HOSTING' : 'CODE_HOSTING_OTHER'
    const own = actor === 'main' ? target : target.other
    const { username } = await accountOf(actor as Account)
    const password = own?.password ?? ''
    if (flaw === 'empty') return basic(username, '')
    if (flaw === 'of another account') {
      const another = (actor === 'main' ? target.other?.password : target.password) ?? password
      if (another === password) skip('no other account has another password')
      run.redactor.addBasic(username, 'PASSWORD_OF_ANOTHER_ACCOUNT', another)
      return basic(username, another)
    }
    const name = `${prefix}_PASSWORD`
    const wrong = nearlyRight(password, cell, name)
    run.redactor.addBasic(username, name, wrong)
    return basic(username, wrong)
  }

  async function tokenFor(cell: Cell): Promise<string> {
    const { actor, scopes, flaw } = cell
    if (flaw === 'invented') return inventedToken
    if (flaw === 'deleted') return tokens.deleted()
    const token =
      actor === 'other'
        ? await creations.tokenOfOther()
        : actor === 'admin'
          ? await tokens.ofAdmin(...scopes)
          : await (scopes.join() === 'all' ? tokens.all() : tokens.with(...scopes))
    return flaw === undefined || flaw === 'unknown scheme'
      ? token
      : nearlyRight(token, cell, 'TOKEN')
  }

  async function credentialsOf(cell: Cell): Promise<Credentials> {
    const { actor, sentAs, flaw } = cell
    if (actor === 'anonymous') return anonymous
    if (sentAs === 'as usual') {
      return actor === 'main' ? tokens.mainCredentials() : (await accountOf(actor)).credentials
    }
    const isQuery = sentAs.startsWith('?')
    if (flaw === 'nothing' && !isQuery) return { kind: 'authorization', value: sentAs }
    if (sentAs === 'Basic') {
      return flaw === undefined ? (await accountOf(actor)).credentials : wrongPassword(cell)
    }
    const token = flaw === 'nothing' ? '' : await tokenFor(cell)
    if (isQuery) return queryToken(sentAs.slice(1, -1), token)
    if (sentAs !== 'password') return authorization(schemeOf(cell), token)
    const { username } = await accountOf(actor)
    run.redactor.addBasic(username, 'TOKEN_AS_PASSWORD', token)
    return basic(username, token)
  }

  async function requestToken(cell: Cell): Promise<Exchange> {
    const { resource, actor, sentAs, flaw } = cell
    const owner = resource === 'tokens of the other account' ? 'other' : 'main'
    if (sentAs === 'Basic' && actor === owner && flaw === undefined) {
      return owner === 'main' ? creations.accepted() : creations.byOtherWithSameName()
    }
    const words = actor === 'anonymous' ? actor : `${actor} ${sentAs} ${flaw ?? ''}`
    const label =
      words
        .toLowerCase()
        .replace('?', 'query ')
        .match(/[a-z]+/g)
        ?.join('-') ?? ''
    const [account, credentials] = await together([accountOf(owner), credentialsOf(cell)])
    return creations.presenting(label, account, credentials)
  }

  async function nameOf(resource: Resource): Promise<string | undefined> {
    if (resource === 'public repository') return repositories.publicName()
    if (resource === 'private repository') return repositories.readablePrivateName()
    if (resource === 'missing repository') return repositories.missingName()
    if (resource === 'repository of a missing owner') return repositories.nameOfMissingOwner()
    return undefined
  }

  /** Sends the request of a cell, which is the same one each time. @throws Skip if something is missing */
  async function send(cell: Cell, fresh = false): Promise<Exchange> {
    const { resource, sudo } = cell
    if (resource.startsWith('tokens')) return requestToken(cell)
    // Before a token is created for it.
    const name = await nameOf(resource)
    const options: CallOptions = {
      fresh,
      credentials: await credentialsOf(cell),
      ...(sudo && { sudo: { as: loginOf(sudo.as), in: sudo.in } }),
    }
    if (name !== undefined) return client.repository(name, options)
    if (resource === 'settings') return client.settings(options)
    return resource === 'user' ? client.user(options) : client.repositories({}, options)
  }

  const expectStatus = ({ name }: JudgedCell, response: Exchange, ...statuses: number[]) =>
    expect(response).toShow(
      statuses.includes(response.status),
      `status ${statuses.join(' or ')} for ${name}`,
      displayStatus(response),
      { status: true },
    )

  function expectRejection(judged: JudgedCell, response: Exchange): void {
    const { name, access } = judged
    const { rejected = 'any' } = access
    if (rejected !== 'any') {
      expectStatus(judged, response, ...rejected)
      return
    }
    const isRejected = !isSuccess(response)
    const rejection = `a rejection of ${name}`
    expect(response).toShow(isRejected, rejection, displayStatus(response), { status: true })
    if (response.status >= 500) {
      inconclusive(`a server error is no rejection: status ${response.status} for ${name}`)
    }
  }

  /** @throws Skip for a response that another requirement explains */
  async function sendRejected({ cell, access }: JudgedCell): Promise<Exchange> {
    const { rejected = 'any', explainedBy } = access
    const response = await send(cell)
    const { status } = response
    const isExpected = rejected === 'any' ? !isSuccess(response) : rejected.includes(status)
    if (isExpected || explainedBy === undefined) return response
    const explanation = describeCell(explainedBy)
    const other = await orNote(explanation, () => send(explainedBy))
    if (other?.status === status) skip(`${explanation}, gets status ${status} too`)
    return response
  }

  /** Fails for a list of another user. It is read again, since it may change meanwhile. */
  async function expectListOf(user: Account, judged: JudgedCell): Promise<void> {
    const credentials = user === 'main' ? undefined : (await accountOf(user)).credentials
    let isAgain = false
    await repositories.settled(async (list) => {
      const own = await list.known()
      const page = (await send(judged.cell, isAgain)) as RepositoryPage
      isAgain = true
      expectStatus(judged, page, 200)
      const known = new Set(own.names)
      const isKnown = page.names?.every((name) => known.has(name))
      expect(page).toHoldItemsOf(isKnown ? own.names : await list.names())
    }, credentials)
  }

  /** Fails for a record of another user; with sudo by an administrator, for a record of none too. */
  function expectRecordOf(
    user: Account,
    { cell, name }: JudgedCell,
    response: Exchange,
    control?: Exchange,
  ): void {
    const isActing = cell.actor === 'admin' && cell.sudo !== undefined
    if (user === 'main' && target.username === undefined && !isActing) return
    const login = loginIn(response)
    // Where the control shows the same one, it is code-hosting/resources/user that is broken.
    const isUsual = !isActing && (login === undefined || (control && login === loginIn(control)))
    const expected = loginOf(user)
    expect(response).toShow(
      isUsual || login?.toLowerCase() === expected.toLowerCase(),
      `login "${expected}" for ${name}`,
      `login ${displayValue(response, login)}`,
    )
  }

  const needsListOf = ({ resource, actor, sudo }: Cell) =>
    resource === 'repositories' && (sudo !== undefined || actor !== 'main')

  async function judgeSuccess(judged: JudgedCell): Promise<void> {
    const { cell, access } = judged
    const { as, control } = access
    // Nobody can act as an account that is not there, or is another one than the operator means.
    if (cell.sudo && as) await (as === 'main' ? tokens.mainCredentials() : accountOf(as))
    const sendControl = async () => control && (await send(control))
    if (as && needsListOf(cell)) {
      expectControl(await sendControl())
      return expectListOf(as, judged)
    }
    const [response, controlled] = await together([send(cell), sendControl()])
    expectControl(controlled)
    if (!controlled && response.status === 404 && cell.resource === 'public repository') {
      skip('the repository is not there')
    }
    if (cell.sentAs.startsWith('?')) noteThatQueryTokensMayBeDisabled([response])
    expectStatus(judged, response, 200)
    if (as && cell.resource === 'user') expectRecordOf(as, judged, response, controlled)
  }

  function expectControl(control: Exchange | undefined): void {
    if (control === undefined || isSuccess(control)) return
    const { method, url } = control.record.request
    skip(`no control: what should succeed did not: ${method} ${url} gave ${control.status}`)
  }

  async function judge(judged: JudgedCell): Promise<void> {
    const { cell, access } = judged
    const { as, rejected, control = cell } = access
    if (cell.actor === 'admin' && cell.sudo) await accounts.sudo()
    if (rejected === undefined) return judgeSuccess(judged)
    if (as) {
      const response = await send(cell)
      if (isSuccess(response)) {
        if (needsListOf(cell)) return expectListOf(as, judged)
        return expectRecordOf(as, judged, response)
      }
    }
    await contrast({
      control: () => send(control),
      refused: () => sendRejected(judged),
      as: (response) => expectRejection(judged, response),
    })
  }

  return {
    send,

    /** Judges all cells of a requirement. */
    judge: async (requirement: RequirementId) => eachPossible(await cellsOf(requirement), judge),

    /** The responses to a token of another category only, where a token with all scopes succeeds. */
    async scopeRejections() {
      const judged = await cellsOf('code-hosting/scopes/missing-scope-status')
      const unrelated = judged.filter(({ cell }) => cell.scopes.join() === UNRELATED_SCOPE)
      const rejections = unrelated.map(({ cell, access, name }) =>
        orNote(name, async () => {
          const [response, control] = await together([send(cell), send(access.control ?? cell)])
          expectControl(control)
          return { cell, response }
        }),
      )
      return (await together(rejections)).flatMap((rejection) => rejection ?? [])
    },

    /** Judges the messages of the rejections of a requirement. */
    async judgeMessages(requirement: RequirementId) {
      const judged = (await cellsOf(requirement)).filter(({ access }) => access.message)
      await eachPossible(judged, async ({ cell, access: { message = '', control } }) => {
        // Without a control, the message is judged all the same.
        const controlled = control && orNote('The control', () => send(control))
        const [[rejection], controlResponse] = await together([
          answeredWith(401, [send(cell)]),
          controlled,
        ])
        expectControl(controlResponse)
        expect(rejection).toHaveMessage(message)
      })
    },
  }
}
