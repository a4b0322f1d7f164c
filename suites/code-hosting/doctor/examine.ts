import type { Run } from '../../../lib/conformance/run.ts'
import { noteRedirect } from '../../../lib/doctor/answers.ts'
import type { Notes, ServiceDoctor } from '../../../lib/doctor/examine.ts'
import { anonymous } from '../../../lib/probe/credentials.ts'
import type { CodeHostingFacts } from '../needs.ts'
import {
  type CodeHostingContext,
  codeHostingPreflight,
  createCodeHostingContext,
} from '../support/context.ts'
import { codeHostingVariables } from '../variables.ts'
import { examineAccounts, examineMainAccount } from './accounts.ts'

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
    // Passwords are for a service that is there.
    const { baseUrl, settings: configured, gatewayRateLimits } = target
    const alone = { baseUrl, settings: configured, gatewayRateLimits }
    await codeHostingPreflight({ target: isThere ? target : alone, codeHosting })
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
  const named = Object(record.status === 200 ? record.json : {}) as Record<string, unknown>
  const shown = Object.entries(codeHostingVariables.table.settings).flatMap(([key, { name }]) => {
    const field = name.replace('CODE_HOSTING_', '').toLowerCase()
    const expected = settings[key as keyof typeof settings]
    return typeof named[field] === 'number' ? [{ name, field, expected }] : []
  })
  const differing = shown.filter(({ field, expected }) => named[field] !== expected)
  for (const { name, field, expected } of differing) {
    notes.add(
      'configuration',
      `The server says that ${field} is ${named[field]}, and ${name} is ${expected}: set it to what ` +
        'is in the configuration of the server.',
    )
  }
  if (differing.length === 0 && shown.length > 0) {
    notes.add('good', 'The server shows the settings that a run expects.')
  }
}

/** Looks at the configured repositories and at the main account's list. */
async function examineRepositories(
  { target, settings, repositories }: CodeHostingContext,
  notes: Notes,
): Promise<CodeHostingFacts> {
  const named = [
    await notes.attempt(repositories.readablePublicName, 'configuration'),
    await notes.attempt(repositories.readablePrivateName, 'configuration'),
  ].filter((name) => name !== undefined)
  if (named.length > 0) notes.add('good', `The main account reads ${named.join(' and ')}.`)
  const list = await notes.attempt(() =>
    repositories.observed(async ({ known, read }) => {
      const { names, isWhole } = await known()
      const total = read[0]?.headers.get('x-total-count')?.trim() ?? ''
      return { names, isWhole, total: /^\d{1,9}$/.test(total) ? Number(total) : undefined }
    }),
  )
  if (list === undefined) return {}
  const { names, isWhole, total } = list
  const count = isWhole ? names.length : Math.max(total ?? 0, names.length)
  const enough = 2 * settings.maxResponseItems
  notes.add(
    count > enough ? 'good' : 'warning',
    `Repositories of the main account: ${isWhole || total !== undefined ? '' : 'at least '}${count}` +
      (count > enough
        ? ', enough for every kind of page.'
        : `; with more than ${enough}, twice the largest page, pages have a first, a middle and a ` +
          'last one at every size.'),
  )
  const hidden = target.privateRepository?.toLowerCase()
  const listsPrivate =
    !isWhole || hidden === undefined || names.some((name) => name.toLowerCase() === hidden)
  if (!listsPrivate) {
    notes.add(
      'warning',
      `CODE_HOSTING_PRIVATE_REPOSITORY: the list of the main account does not show ` +
        `${target.privateRepository}. A repository of the main account lets more be judged.`,
    )
  }
  return { repositories: count, totalCount: total !== undefined, listsPrivate }
}

/**
 * Looks with GETs at a code hosting service and at what is configured of it.
 *
 * @returns `undefined` where it does not answer
 */
async function examine(run: Run, notes: Notes): Promise<CodeHostingFacts | undefined> {
  const context = createCodeHostingContext(run)
  if (!(await answers(context, notes))) return undefined
  await notes.attempt(() => examineSettings(context, notes))
  const isMainAccepted = await examineMainAccount(context, notes)
  const facts = isMainAccepted ? await examineRepositories(context, notes) : {}
  await examineAccounts(context, notes)
  return facts
}

export const codeHostingDoctor: ServiceDoctor = { examine, needsClock: true }
