import type { Credentials } from '../../probe/credentials.ts'
import type { Exchange } from '../../probe/exchange.ts'
import type { CodeHostingClient, TokenRequest } from '../../services/code-hosting.ts'
import type { CodeHostingTarget } from '../../target/target.ts'
import { atClose } from '../closing.ts'
import type { Creation } from '../ledger.ts'
import { NAMELESS } from '../ledger-reading.ts'
import { Interrupted, skip } from '../outcome.ts'
import type { Run } from '../run.ts'
import { CLEAN_UP, createScope, runInScope } from '../scope.ts'
import { untilAnswered } from '../until-answered.ts'
import type { KnownAccount } from './accounts.ts'
import { isTooLong, mintedValues, valueIn } from './minted-values.ts'
import { createTokenDeletion } from './token-deletion.ts'

/** A token value that the service has handed out and that can be used, and the exchange in which it did. */
export interface MintedToken {
  value: string
  exchange: string
}

export interface CreationOptions {
  /** Names the token and, in reports, stands for its value. */
  label: string
  /**
   * Defaults to a body with the label's name and these scopes. Asked for once an attempt: the name is
   * another one each time, since a lost answer leaves open whether the name is taken.
   */
  body?: (name: string, attempt: number) => TokenRequest | Promise<TokenRequest>
  scopes?: readonly string[]
  /** Defaults to the account's password. */
  credentials?: Credentials
  /** Asked for once an attempt. */
  oneTimeCode?: () => string | undefined
  priority?: number
  /** No check uses the token: it is taken away as soon as it is there. */
  unused?: boolean
}

/** Asks for tokens, notes each in the ledger first, and takes away at the end what was made. */
export interface TokenCreation {
  /** @throws Skip when nothing may be created */
  request(account: KnownAccount, options: CreationOptions): Promise<Exchange>
  nameOf(label: string): string
  /** Why nothing may be created; `undefined` when it may. */
  readonly obstacle: string | undefined
  minted: readonly MintedToken[]
}

interface MadeToken extends Creation {
  owner: KnownAccount
  /** No answer told whether it was made. */
  lost: boolean
  /** It may still be made: nobody waited for the answer. */
  late: boolean
}

function isRefused({ status }: Exchange): boolean {
  return status >= 400 && status < 500
}

function secretName(label: string): string {
  return `${label.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN`
}

function obstacleTo(run: Run, target: CodeHostingTarget): string | undefined {
  if (run.settings.target.probe.readOnly) return 'PROBE_READ_ONLY is true'
  if (target.token === undefined) return undefined
  return 'nothing is created while CODE_HOSTING_TOKEN is set: set CODE_HOSTING_PASSWORD in its place'
}

export function createTokenCreation(
  run: Run,
  target: CodeHostingTarget,
  client: CodeHostingClient,
): TokenCreation {
  const made: MadeToken[] = []
  const minted: MintedToken[] = []

  const obstacle = obstacleTo(run, target)
  const nameOf = (label: string) => `plumbline-${run.settings.runId}-${label}`
  const deletion = createTokenDeletion(run, target, client)

  /** Whether another token could be deleted at the path, so that its 404 tells something. */
  let pathIsRight = false

  async function takeAway(token: MadeToken): Promise<void> {
    const path = target.tokenDeletePath
    const { outcome } =
      path === undefined ? { outcome: 'refused' } : await deletion.remove(token, token.owner, path)
    if (outcome === 'deleted') pathIsRight = true
    const neverMade = outcome === 'absent' && token.lost && !token.late && pathIsRight
    const gone = outcome === 'deleted' || neverMade
    if (gone) run.ledger.settle(token)
    else run.leftBehind.push({ kind: token.kind, name: token.name, account: token.account })
  }

  /** It was not made. */
  function settle(token: MadeToken): void {
    run.ledger.settle(token)
    const index = made.indexOf(token)
    if (index >= 0) made.splice(index, 1)
  }

  const leaving: Promise<void>[] = []
  atClose(async () => {
    await Promise.all([...leaving, ...made.filter(({ lost }) => !lost).map(takeAway)])
    await Promise.all(made.filter(({ lost }) => lost).map(takeAway))
  })

  /** One attempt. It is noted, and until the service has said otherwise, the token may exist. */
  async function requestOnce(
    account: KnownAccount,
    name: string,
    body: TokenRequest,
    { label, priority, unused = false, ...options }: CreationOptions,
  ): Promise<Exchange> {
    const token: MadeToken = {
      kind: 'access token',
      // Text is made malformed on purpose: a server that reads it all the same finds this name.
      name: (typeof body === 'string' ? name : body.name) ?? NAMELESS,
      account: account.username,
      service: 'code-hosting',
      baseUrl: target.baseUrl,
      owner: account,
      lost: false,
      late: false,
    }
    run.ledger.intend(token)
    made.push(token)
    const creating = client.createToken(account.username, body, {
      credentials: options.credentials ?? account.credentials,
      oneTimeCode: options.oneTimeCode?.(),
      priority,
      secretsIn: (json, text) =>
        mintedValues(json, text, { runId: run.settings.runId, redactor: run.redactor }).map(
          (value) => ({ name: secretName(label), value }),
        ),
    })
    const exchange = await creating.catch((error: unknown) => {
      if (error instanceof Interrupted && !error.sent) settle(token)
      token.lost = true
      token.late = error instanceof Interrupted
      throw error
    })
    const value = valueIn(exchange.json)
    if (value !== undefined && !isTooLong(value)) minted.push({ value, exchange: exchange.id })
    if (exchange.status < 300 && token.name === NAMELESS) run.ledger.confirm(token)
    if (isRefused(exchange)) settle(token)
    else if (unused) {
      made.splice(made.indexOf(token), 1)
      leaving.push(runInScope(createScope(CLEAN_UP), () => takeAway(token)))
    }
    return exchange
  }

  return {
    minted,
    nameOf,
    obstacle,

    async request(account, { body, scopes = [], ...options }) {
      if (obstacle !== undefined) skip(`needs a token to be created, and ${obstacle}`)
      const exchange = await untilAnswered(run, async (attempt) => {
        const name = nameOf(attempt === 1 ? options.label : `${options.label}-${attempt}`)
        const asked = (await body?.(name, attempt)) ?? { name, scopes }
        return requestOnce(account, name, asked, options)
      })
      // The same request was refused when it came before, and there is no name to delete it by.
      if (isRefused(exchange)) {
        for (const token of made.filter(({ lost, name }) => lost && name === NAMELESS))
          settle(token)
      }
      return exchange
    },
  }
}
