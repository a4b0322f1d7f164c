import type { Run } from '../../../lib/conformance/run.ts'
import { noteRedirect } from '../../../lib/doctor/answers.ts'
import type { ServiceDoctor } from '../../../lib/doctor/examine.ts'
import type { Notes } from '../../../lib/doctor/notes.ts'
import { anonymous } from '../../../lib/probe/credentials.ts'
import type { CodeHostingFacts } from '../needs.ts'
import {
  type CodeHostingContext,
  codeHostingPreflight,
  createCodeHostingContext,
} from '../support/context.ts'
import { examineAccounts, examineMainAccount } from './accounts.ts'
import { examineRepositories } from './repositories.ts'

/** Without what is told of its accounts and repositories. */
function withoutAccounts(context: CodeHostingContext): CodeHostingContext {
  const { baseUrl, settings, gatewayRateLimits } = context.target
  return { ...context, target: { baseUrl, settings, gatewayRateLimits } }
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
    const place = { baseUrl: target.baseUrl, variable: 'CODE_HOSTING_BASE_URL' }
    if (settings.status === 'fulfilled' && noteRedirect(place, settings.value, notes)) return false
    const isThere = [settings, ...others].some(({ status }) => status === 'fulfilled')
    await codeHostingPreflight(isThere ? context : withoutAccounts(context))
    return true
  })
  if (ready) notes.add('good', `The service answers at ${target.baseUrl}.`)
  return ready === true
}

/** Compares the settings record, which anybody may read, with the variables. */
async function examineSettings(
  { codeHosting, settings }: CodeHostingContext,
  notes: Notes,
): Promise<void> {
  const record = await codeHosting.settings({ credentials: anonymous })
  if (record.status !== 200) {
    notes.add(
      'warning',
      `The settings record was answered with ${record.status}: a run judges that.`,
    )
    return
  }
  const expected = {
    max_response_items: settings.maxResponseItems,
    default_paging_num: settings.defaultPagingNum,
    default_git_trees_per_page: settings.defaultGitTreesPerPage,
    default_max_blob_size: settings.defaultMaxBlobSize,
    default_max_response_size: settings.defaultMaxResponseSize,
  }
  const named = Object(record.json) as Record<string, unknown>
  const fields = Object.entries(expected)
  for (const [field, value] of fields) {
    if (typeof named[field] !== 'number' || named[field] === value) continue
    const variable = `CODE_HOSTING_${field.toUpperCase()}`
    notes.add(
      'configuration',
      `The server says that ${field} is ${named[field]}, and ${variable} is ${value}: set it to ` +
        'what is in the configuration of the server.',
    )
  }
  const agreeing = fields.filter(([field, value]) => named[field] === value)
  if (agreeing.length > 0) {
    const names = agreeing.map(([field, value]) => `${field} (${value})`).join(', ')
    notes.add('good', `The server shows the settings that a run expects: ${names}.`)
  }
  const missing = fields.filter(([field]) => typeof named[field] !== 'number')
  if (missing.length > 0) {
    const names = missing.map(([field]) => field).join(', ')
    notes.add('warning', `The settings record has no number for ${names}: a run judges that.`)
  }
}

/**
 * Looks with GETs at a code hosting service and at what is told of it.
 *
 * @returns `undefined` where it does not answer
 */
async function examine(run: Run, notes: Notes): Promise<CodeHostingFacts | undefined> {
  const context = createCodeHostingContext(run)
  if (!(await answers(context, notes))) return undefined
  await notes.attempt(() => examineSettings(context, notes))
  const isMainAccepted = await examineMainAccount(context, notes)
  const list = isMainAccepted ? await examineRepositories(context, notes) : {}
  await examineAccounts(context, notes)
  const serverErrors = run.exchanges.some(
    ({ request, status }) => status === 500 && request.endpoint !== undefined,
  )
  return { ...list, serverErrors }
}

export const codeHostingDoctor: ServiceDoctor = { examine, needsClock: true }
