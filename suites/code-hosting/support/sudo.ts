import { displayValue } from '../../../lib/conformance/exchange-words.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { skip } from '../../../lib/conformance/outcome.ts'
import type { Credentials } from '../../../lib/probe/credentials.ts'
import type { CodeHostingTarget } from '../../../lib/target/target.ts'
import type { CodeHostingClient } from '../client.ts'
import { needed } from '../needs.ts'
import type { Accounts } from './accounts.ts'

/** A site admin and the login name of a user as whom to act. */
export interface Sudo {
  credentials: Credentials
  as: string
}

/**
 * The site admin, once a request without sudo has shown the admin's own record.
 *
 * @throws Skip when no admin is configured, nobody can be named, or that control fails
 */
export function createSudo(
  target: CodeHostingTarget,
  client: CodeHostingClient,
  accounts: Accounts,
): () => Promise<Sudo> {
  return fixture('sudo', async () => {
    const { credentials } = await accounts.admin()
    const as = target.username ?? target.other?.username ?? needed('user to act as')
    const control = await client.user({ credentials })
    const login = (control.json as { login?: unknown } | null | undefined)?.login
    if (control.status !== 200 || String(login).toLowerCase() === as.toLowerCase()) {
      const shown = displayValue(control, login)
      skip(`no control: without sudo the admin got status ${control.status} and login ${shown}`)
    }
    return { credentials, as }
  })
}
