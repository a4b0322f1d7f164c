import type { Notes } from '../../../lib/doctor/notes.ts'
import type { RepositoryPage } from '../client.ts'
import type { CodeHostingFacts } from '../needs.ts'
import type { CodeHostingContext } from '../support/context.ts'

/** Of more pages than this nothing depends on how many there are, unless they are counted anyway. */
const MOST_PAGES = 3

function totalOf({ headers }: RepositoryPage): number | undefined {
  const field = headers.get('x-total-count')?.trim() ?? ''
  return /^\d{1,9}$/.test(field) ? Number(field) : undefined
}

/** What is seen of a list on its first pages. */
interface SeenList {
  /** In lower case. */
  names: ReadonlySet<string>
  /** How many there are; where they were not counted to the end, as many as were seen. */
  count: number
  /** Whether `count` is all of them. */
  counted: boolean
  totalCount: boolean
}

/** Reads the first pages of the main account's list; `undefined` where it is none. */
async function readList({
  codeHosting,
  run,
  settings,
}: CodeHostingContext): Promise<SeenList | undefined> {
  const pages = Math.min(MOST_PAGES, run.settings.target.probe.maxPages)
  const names = new Set<string>()
  let total: number | undefined
  for (let page = 1; page <= pages; page += 1) {
    const query = { page, limit: settings.maxResponseItems }
    const response = await codeHosting.repositories(query)
    if (response.status !== 200 || response.names === undefined) {
      if (page === 1) return undefined
      break
    }
    const before = names.size
    for (const name of response.names) names.add(name.toLowerCase())
    total = totalOf(response)
    const isLast = names.size === before || response.headers.get('x-hasmore') === 'false'
    if (isLast || total === names.size) {
      return { names, count: names.size, counted: true, totalCount: total !== undefined }
    }
  }
  const count = Math.max(total ?? 0, names.size)
  return { names, count, counted: total !== undefined, totalCount: total !== undefined }
}

/** Looks whether the main account reads a configured repository, and whether it is of its kind. */
async function examineRepository(
  { codeHosting }: CodeHostingContext,
  { name, variable, isPrivate }: { name: string; variable: string; isPrivate: boolean },
  notes: Notes,
): Promise<void> {
  const repository = await codeHosting.repository(name)
  const { status, headers } = repository
  const kind = isPrivate ? 'private' : 'public'
  const { private: told } = Object(repository.json) as { private?: unknown }
  if (status >= 300 && status < 400) {
    notes.add('configuration', `${variable}: ${name} has moved to ${headers.get('location')}.`)
  } else if (status === 401) {
    notes.add(
      'warning',
      `${variable}: the main account, which is accepted elsewhere, asked for ${name} and got 401: ` +
        'a run judges that.',
    )
  } else if (status !== 200) {
    notes.add(
      status >= 500 ? 'target' : 'configuration',
      `${variable}: the main account asked for ${name} and got ${status}. Name a ${kind} ` +
        'repository that it may read.',
    )
  } else if (told === !isPrivate) {
    notes.add(
      'configuration',
      `${variable}: ${name} is ${told ? 'private' : 'public'}, not ${kind}.`,
    )
  } else {
    notes.add('good', `The ${kind} repository ${name} is there.`)
  }
}

/** Looks at the main account's list and at the configured repositories. */
export async function examineRepositories(
  context: CodeHostingContext,
  notes: Notes,
): Promise<CodeHostingFacts> {
  const { target, settings } = context
  const configured = [
    { name: target.publicRepository, variable: 'CODE_HOSTING_PUBLIC_REPOSITORY', isPrivate: false },
    {
      name: target.privateRepository,
      variable: 'CODE_HOSTING_PRIVATE_REPOSITORY',
      isPrivate: true,
    },
  ]
  for (const { name, ...rest } of configured) {
    if (name === undefined) continue
    await notes.attempt(() => examineRepository(context, { name, ...rest }, notes), 'configuration')
  }
  const list = await notes.attempt(() => readList(context))
  if (list === undefined) return {}
  const enough = 2 * settings.maxResponseItems
  const counted = `${list.counted ? '' : 'at least '}${list.count}`
  const noun = list.count === 1 ? 'repository' : 'repositories'
  notes.add(
    list.count > enough ? 'good' : 'warning',
    list.count > enough
      ? `The main account has ${counted} ${noun}: enough for every kind of page.`
      : `The main account has ${counted} ${noun}; with more than ${enough}, twice the ` +
          'largest page, pages have a first, a middle and a last one at every size.',
  )
  const isWhole = list.counted && list.names.size === list.count
  const unlisted = configured.filter(
    ({ name }) => isWhole && name !== undefined && !list.names.has(name.toLowerCase()),
  )
  for (const { name, variable } of unlisted) {
    notes.add(
      'warning',
      `${variable}: the list of the main account does not show ${name}. A repository of the main ` +
        'account lets more be judged.',
    )
  }
  const listsPrivate = !unlisted.some(({ isPrivate }) => isPrivate)
  return { repositories: list.count, totalCount: list.totalCount, listsPrivate }
}
