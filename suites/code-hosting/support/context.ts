import { together } from '../../../lib/conformance/each.ts'
import { currentRun, type Run } from '../../../lib/conformance/run.ts'
import { bearer } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { type CodeHostingClient, createCodeHostingClient, type RepositoryPage } from '../client.ts'
import type { CodeHostingSettings, CodeHostingTarget } from '../variables.ts'
import { type Accounts, createAccounts, createSudo, type Sudo } from './accounts.ts'
import { type Creations, createCreations } from './creations.ts'
import {
  messagesOf,
  type ProtectedEndpoint,
  protectedEndpoints,
  readableEndpoints,
  readSettingsRecord,
  type ScopeRefusal,
  type ScopeRefusalMessage,
  scopeRefusals,
} from './endpoints.ts'
import type { Listing } from './listing.ts'
import { observePageSizes, singlePages } from './pages.ts'
import { preflight } from './preflight.ts'
import { createRepositories, type Repositories } from './repositories.ts'
import type { Scope } from './scopes.ts'
import { createSupplied, type Supplied } from './supplied.ts'
import { createTokenCreation, type TokenCreation } from './token-creation.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { legacyResponses, unknownToken } from './ways-to-send.ts'

/** What the checks of the code hosting service have at hand. */
export interface CodeHostingContext {
  run: Run
  target: CodeHostingTarget
  /** The configured settings of the server. */
  settings: CodeHostingSettings
  /** Calls without credentials of their own are made as the main account. */
  codeHosting: CodeHostingClient
  accounts: Accounts
  tokens: Tokens
  tokenCreation: TokenCreation
  creations: Creations
  supplied: Supplied
  repositories: Repositories
  /** The documented endpoints that ask for a token. */
  endpoints(): ProtectedEndpoint[]
  /** Those of them that the main account can read with a token. */
  readableEndpoints(): Promise<ProtectedEndpoint[]>
  /** The responses of the readable endpoints to a token with these scopes. */
  readingWith(...scopes: Scope[]): Promise<Exchange[]>
  /** The site admin and whom to name. */
  sudo(): Promise<Sudo>
  /** The settings record, however it can be read. */
  settingsRecord(): Promise<Exchange>
  /** The page sizes that a list has. */
  observedPageSizes(list: Listing): Promise<{ usual: number; largest: number }>
  /** Pages that are the only one of their list. */
  singlePages(list: Listing): Promise<RepositoryPage[]>
  /** The responses to a token that lacks every scope which these endpoints ask for. */
  scopeRefusals(): Promise<ScopeRefusal[]>
  /** Those of them with status 403, and their messages. */
  scopeMessages(): Promise<ScopeRefusalMessage[]>
  /** The responses to the old prefix, of the endpoints where it authenticates. */
  legacyResponses(): Promise<Exchange[]>
  /** A token of the usual form that the service has never handed out. */
  unknownToken: string
}

export function isCodeHostingProbed(): boolean {
  return currentRun().settings.target.codeHosting !== undefined
}

export function createCodeHostingContext(run: Run = currentRun()): CodeHostingContext {
  const target = run.settings.target.codeHosting
  if (target === undefined) throw new Error('the target has no code hosting service')

  const codeHosting = createCodeHostingClient(
    target.baseUrl,
    (request) => run.send('code-hosting', request),
    () => tokens.mainCredentials(),
  )
  const accounts = createAccounts(run, target, codeHosting)
  const tokenCreation = createTokenCreation(run, target, codeHosting)
  const tokens: Tokens = createTokens(target, codeHosting, accounts, tokenCreation)
  const repositories = createRepositories(run, target, codeHosting)
  const record = () => readSettingsRecord(codeHosting)
  const readable = async () =>
    readableEndpoints(protectedEndpoints(target, codeHosting), await tokens.working())
  const refusals = () => scopeRefusals(readable(), tokens)
  return {
    run,
    target,
    settings: target.settings,
    codeHosting,
    accounts,
    tokens,
    tokenCreation,
    creations: createCreations(run, codeHosting, accounts, tokens, tokenCreation),
    supplied: createSupplied(run, target, codeHosting, tokens),
    repositories,
    endpoints: () => protectedEndpoints(target, codeHosting),
    readableEndpoints: readable,
    settingsRecord: record,
    observedPageSizes: async (list) => observePageSizes(list, await record(), target.settings),
    singlePages: (list) =>
      singlePages(list, accounts, repositories, target.settings.maxResponseItems),
    async readingWith(...scopes) {
      const [token, endpoints] = await together([tokens.with(...scopes), readable()])
      const credentials = bearer(token)
      return together(endpoints.map(({ request }) => request({ credentials })))
    },
    sudo: createSudo(target, codeHosting, accounts),
    scopeRefusals: refusals,
    scopeMessages: async () => messagesOf(await refusals()),
    legacyResponses: () => legacyResponses(readable, codeHosting, tokens),
    unknownToken: unknownToken(),
  }
}

export function codeHostingPreflight({ target, codeHosting }: CodeHostingContext): Promise<void> {
  return preflight(target, codeHosting)
}
