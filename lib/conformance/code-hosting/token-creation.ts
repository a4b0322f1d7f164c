import type { Credentials } from '../../probe/credentials.ts'
import type { Exchange } from '../../probe/exchange.ts'
import type { CodeHostingClient, TokenRequest } from '../../services/code-hosting.ts'
import type { CodeHostingTarget } from '../../target/target.ts'
import { atClose } from '../closing.ts'
import type { Creation } from '../ledger.ts'
import { Interrupted, skip } from '../outcome.ts'
import type { Run } from '../run.ts'
import { CLEAN_UP, createScope, runInScope } from '../scope.ts'
import type { KnownAccount } from './accounts.ts'
import { currentCode } from './one-time-code.ts'
import { priorities } from './priorities.ts'

/** A token value that the service has handed out, and the exchange in which it did. */
export interface MintedToken {
  value: string
  exchange: string
}

export interface CreationOptions {
  /** Names the token and, in reports, stands for its value. */
  label: string
  /** Defaults to a body with the label's name and these scopes. */
  body?: TokenRequest
  scopes?: readonly string[]
  /** Defaults to the account's password. */
  credentials?: Credentials
  oneTimeCode?: string
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
}

function valueIn(json: unknown): string | undefined {
  const value = (json as { sha1?: unknown } | null | undefined)?.sha1
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What may be a token: names of tokens, which are as long, say which run they are of. */
const TOKEN_LIKE = /^(?=.*\d)[\w.~+/=-]{20,}$/

function textsIn(json: unknown): string[] {
  if (typeof json === 'string') return [json]
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(textsIn) : []
}

/**
 * The token value first, then whatever else looks like one and holds no other secret: a server that
 * differs from its document may show it in another place.
 */
function tokensIn(json: unknown, text: string, { redactor, settings }: Run): string[] {
  const texts = json === undefined ? text.split(/[^\w.~+/=-]+/) : textsIn(json)
  const likely = texts.filter(
    (word) =>
      TOKEN_LIKE.test(word) && !word.includes(settings.runId) && redactor.redact(word) === word,
  )
  return [valueIn(json) ?? '', ...likely].filter((value) => value !== '')
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

  async function deleteToken({ name, account, owner }: MadeToken, path: string): Promise<boolean> {
    const request = {
      method: 'DELETE',
      body: null,
      path: path
        .replaceAll('{username}', encodeURIComponent(account))
        .replaceAll('{name}', encodeURIComponent(name)),
    }
    const { status } = await client.undocumented(request, {
      credentials: owner.credentials,
      priority: priorities.cleaning,
    })
    if (status === 401 && account === target.otp?.username) {
      const oneTimeCode = currentCode(run, target.otp.secret)
      const again = await client.undocumented(request, {
        credentials: owner.credentials,
        oneTimeCode,
        priority: priorities.cleaning,
      })
      return again.status >= 200 && again.status < 300
    }
    return status >= 200 && status < 300
  }

  async function takeAway(token: MadeToken): Promise<void> {
    const path = target.tokenDeletePath
    const gone = path !== undefined && (await deleteToken(token, path).catch(() => false))
    if (gone) run.ledger.settle(token)
    else run.leftBehind.push({ kind: token.kind, name: token.name, account: token.account })
  }

  /** It was not made. */
  function settle(token: MadeToken): void {
    run.ledger.settle(token)
    made.splice(made.indexOf(token), 1)
  }

  const leaving: Promise<void>[] = []
  atClose(async () => {
    await Promise.all([...leaving, ...made.map(takeAway)])
  })

  return {
    minted,
    nameOf,
    obstacle,

    async request(account, { label, scopes = [], priority, unused = false, ...options }) {
      if (obstacle !== undefined) skip(`needs a token to be created, and ${obstacle}`)
      const body = options.body ?? { name: nameOf(label), scopes }
      // Text is made malformed on purpose: a server that reads it all the same finds this name.
      const name = typeof body === 'string' ? nameOf(label) : body.name
      const token: MadeToken = {
        kind: 'access token',
        name: name ?? '(without a name)',
        account: account.username,
        service: 'code-hosting',
        baseUrl: target.baseUrl,
        owner: account,
      }
      run.ledger.intend(token)
      // Until the service has said otherwise, the token may exist.
      made.push(token)
      const creating = client.createToken(account.username, body, {
        credentials: options.credentials ?? account.credentials,
        oneTimeCode: options.oneTimeCode,
        priority,
        secretsIn: (json, text) =>
          tokensIn(json, text, run).map((value) => ({
            name: secretName(label),
            value,
          })),
      })
      const exchange = await creating.catch((error: unknown) => {
        if (error instanceof Interrupted) settle(token)
        throw error
      })
      const value = valueIn(exchange.json)
      if (value !== undefined) minted.push({ value, exchange: exchange.id })
      const refused = exchange.status >= 400 && exchange.status < 500
      if (refused) settle(token)
      else if (unused) made.splice(made.indexOf(token), 1)
      if (!refused && unused) {
        leaving.push(runInScope(createScope(CLEAN_UP), () => takeAway(token)))
      }
      return exchange
    },
  }
}
