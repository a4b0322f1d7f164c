import type { Run } from '../../../lib/conformance/run.ts'
import type { ServiceDoctor } from '../../../lib/doctor/examine.ts'
import type { Notes } from '../../../lib/doctor/notes.ts'
import { redirectedBase } from '../../../lib/doctor/redirect.ts'
import { anonymous } from '../../../lib/probe/credentials.ts'
import type { CodeHostingFacts } from '../needs.ts'
import {
  type CodeHostingContext,
  codeHostingPreflight,
  createCodeHostingContext,
} from '../support/context.ts'
import { examineAccounts } from './accounts.ts'
import { examineMainAccount } from './main-account.ts'
import { examineRepositories } from './repositories.ts'
import { examineSettings } from './settings.ts'

/** Without what is told of its accounts and repositories. */
function withoutAccounts(context: CodeHostingContext): CodeHostingContext {
  const { username: _, password: __, token: ___, publicRepository: ____, ...rest } = context.target
  return { ...context, target: rest }
}

/** Whether a code hosting service answers at the base URL; what speaks against it is noted. */
async function answers(context: CodeHostingContext, notes: Notes): Promise<boolean> {
  const { codeHosting, target } = context
  const ready = await notes.attempt(async () => {
    // At once, for a server that is silent; the preflight has the same answers and does not ask again.
    const [settings, ...others] = await Promise.allSettled([
      codeHosting.settings({ credentials: anonymous }),
      codeHosting.user({ credentials: anonymous }),
      codeHosting.repositories({}, { credentials: anonymous }),
    ])
    const base =
      settings.status === 'fulfilled' ? redirectedBase(target.baseUrl, settings.value) : undefined
    if (base !== undefined) {
      notes.add(
        'configuration',
        `${target.baseUrl} redirects to ${base}, and redirects are not followed: set ` +
          `CODE_HOSTING_BASE_URL=${base}`,
      )
      return false
    }
    const isThere = [settings, ...others].some(({ status }) => status === 'fulfilled')
    await codeHostingPreflight(isThere ? context : withoutAccounts(context))
    return true
  })
  if (ready) notes.add('good', `The service answers at ${target.baseUrl}.`)
  return ready === true
}

/**
 * Looks with GETs at a code hosting service and at what is told of it.
 *
 * @returns `undefined` where it does not answer
 */
async function examine(run: Run, notes: Notes): Promise<CodeHostingFacts | undefined> {
  const context = createCodeHostingContext(run)
  if (!(await answers(context, notes))) return undefined
  await examineSettings(context, notes)
  const isMainAccepted = await examineMainAccount(context, notes)
  const list = isMainAccepted ? await examineRepositories(context, notes) : {}
  await examineAccounts(context, notes)
  const serverErrors = run.exchanges.some(
    ({ request, status }) => status === 500 && request.endpoint !== undefined,
  )
  return { ...list, serverErrors }
}

export const codeHostingDoctor: ServiceDoctor = { examine, needsClock: true }
