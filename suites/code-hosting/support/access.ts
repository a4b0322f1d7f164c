import {
  inconclusiveResponse,
  Skip,
  skip,
  skipWithoutControl,
} from '../../../lib/conformance/check-errors.ts'
import { contrast, isSuccess, responsesWithStatus } from '../../../lib/conformance/contrast.ts'
import { displayStatus, displayValue } from '../../../lib/conformance/describe-exchange.ts'
import { allOrWorst, forEachTestable } from '../../../lib/conformance/each.ts'
import { note } from '../../../lib/conformance/evidence-scope.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { sampleSeed } from '../../../lib/conformance/sample-seed.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { type Access, type Account, type Cell, expectedAccess } from '../access-model.ts'
import { coreCells, sampledCells } from '../access-table.ts'
import type { RepositoryPage } from '../client.ts'
import type { RequirementId } from '../requirements.ts'
import { type CellRequestParts, createCellRequests } from './cell-requests.ts'
import { describeCell } from './describe-cell.ts'
import { loginIn } from './exchange-filters.ts'
import { expect } from './matchers.ts'
import { UNRELATED_SCOPE } from './scopes.ts'

type JudgedCell = { cell: Cell; access: Access; name: string }

const unlessSkipped = <T>(work: Promise<T>): Promise<T | Skip> =>
  work.catch((error) => {
    if (error instanceof Skip) return error
    throw error
  })

export interface AccessChecks {
  send(cell: Cell, fresh?: boolean): Promise<Exchange>
  judge(requirement: RequirementId): Promise<void>
  /** Returns the responses to a token of another category, if a token with all scopes succeeds. */
  scopeRejections(): Promise<{ cell: Cell; response: Exchange }[]>
  /** Judges the messages of the rejections of a requirement, with controls if they are possible. */
  judgeMessages(requirement: RequirementId): Promise<void>
}

export function createAccess(parts: CellRequestParts): AccessChecks {
  const { target, accounts, tokens, repositories } = parts
  const { settings } = target
  const { accountOf, loginOf, send } = createCellRequests(parts)

  const cells = fixture('access table', async (): Promise<JudgedCell[]> => {
    const core = coreCells(target)
    return [...core, ...(await sampledCells(core, target, sampleSeed()))].flatMap((cell) => {
      const access = expectedAccess(cell, settings)
      return access ? [{ cell, access, name: describeCell(cell) }] : []
    })
  })

  const cellsOf = async (requirement: RequirementId) =>
    (await cells()).filter(({ access }) => access.requirement === requirement)

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
      inconclusiveResponse(`a server error does not show a rejection of ${name}`, response)
    }
  }

  /** @throws Skip for a response that another requirement explains */
  async function sendRejected({ cell, access }: JudgedCell): Promise<Exchange> {
    const { rejected = 'any', explainedBy } = access
    const response = await send(cell)
    const { status } = response
    const isExpected = rejected === 'any' ? !isSuccess(response) : rejected.includes(status)
    if (isExpected || explainedBy === undefined) return response
    const other = await unlessSkipped(send(explainedBy))
    if (!(other instanceof Skip) && other.status === status) {
      skip(`${describeCell(explainedBy)} gets status ${status} too`)
    }
    return response
  }

  /** Expects the list of a user. Reads it again if it changed. */
  async function expectListOf(user: Account, judged: JudgedCell): Promise<void> {
    const credentials = user === 'main' ? undefined : (await accountOf(user)).credentials
    let isAgain = false
    await repositories.retryWhileChanging(async (list) => {
      const all = await list.readAll()
      const page = (await send(judged.cell, isAgain)) as RepositoryPage
      isAgain = true
      expectStatus(judged, page, 200)
      const allNames = new Set(all.names)
      const isKnown = page.names?.every((name) => allNames.has(name))
      expect(page).toHoldItemsOf(isKnown ? all.names : await list.names())
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
    // If the control shows the same login, code-hosting/resources/user fails instead.
    const isExplained =
      !isActing && (login === undefined || (control && login === loginIn(control)))
    const expected = loginOf(user)
    expect(response).toShow(
      isExplained || login?.toLowerCase() === expected.toLowerCase(),
      `login "${expected}" for ${name}`,
      `login ${displayValue(response, login)}`,
    )
  }

  const needsListOf = ({ resource, actor, sudo }: Cell) =>
    resource === 'repositories' && (sudo !== undefined || actor !== 'main')

  async function judgeSuccess(judged: JudgedCell): Promise<void> {
    const { cell, access } = judged
    const { as, control } = access
    // The account may be configured wrongly.
    if (cell.sudo && as) await (as === 'main' ? tokens.mainCredentials() : accountOf(as))
    const sendControl = async () => control && (await send(control))
    if (as && needsListOf(cell)) {
      expectControl(await sendControl())
      return expectListOf(as, judged)
    }
    const [response, controlled] = await allOrWorst([send(cell), sendControl()])
    expectControl(controlled)
    if (!controlled && response.status === 404 && cell.resource === 'public repository') {
      skip('the repository does not exist')
    }
    if (cell.sentAs.startsWith('?') && response.status === 401) {
      const server = 'A server with DISABLE_QUERY_AUTH_TOKEN=true returns 401'
      note(`${server}: set CODE_HOSTING_DISABLE_QUERY_AUTH_TOKEN=true for it.`)
    }
    expectStatus(judged, response, 200)
    if (as && cell.resource === 'user') expectRecordOf(as, judged, response, controlled)
  }

  function expectControl(control: Exchange | undefined): void {
    if (control === undefined || isSuccess(control)) return
    skipWithoutControl(undefined, control)
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
      negative: () => sendRejected(judged),
      assertRejection: (response) => expectRejection(judged, response),
    })
  }

  return {
    send,

    judge: async (requirement) =>
      forEachTestable(await cellsOf(requirement), judge, (name, { kind }) =>
        kind === 'needs' ? 'A part of the requests' : name,
      ),

    async scopeRejections() {
      const judged = await cellsOf('code-hosting/scopes/missing-scope-status')
      const unrelated = judged.filter(({ cell }) => cell.scopes.join() === UNRELATED_SCOPE)
      const responses = new Map<Cell, Exchange>()
      await forEachTestable(unrelated, async ({ cell, access: { control = cell } }) => {
        const [response, controlled] = await allOrWorst([send(cell), send(control)])
        expectControl(controlled)
        responses.set(cell, response)
      })
      return unrelated.flatMap(({ cell }) => {
        const response = responses.get(cell)
        return response ? [{ cell, response }] : []
      })
    },

    async judgeMessages(requirement) {
      const judged = (await cellsOf(requirement)).filter(({ access }) => access.message)
      await forEachTestable(judged, async ({ cell, access: { message = '', control = cell } }) => {
        const [[rejection], controlled] = await allOrWorst([
          responsesWithStatus(401, [send(cell)]),
          unlessSkipped(send(control)),
        ])
        if (!(controlled instanceof Skip)) expectControl(controlled)
        expect(rejection).toHaveMessage(message)
      })
    },
  }
}
