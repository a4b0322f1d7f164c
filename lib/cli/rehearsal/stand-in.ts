import { randomBytes } from 'node:crypto'
import type { CodeHostingFacts } from '../../doctor/facts.ts'
import { type Variant, variants } from '../../reference/index.ts'
import type { CodeHostingSettings } from '../../target/target.ts'

type CodeHosting = NonNullable<Variant['codeHosting']>
type EventPublishing = NonNullable<Variant['eventPublishing']>
type CodeHostingChange = NonNullable<CodeHosting['change']>
type EventPublishingChange = NonNullable<EventPublishing['change']>
type CodeHostingDeployment = Parameters<NonNullable<CodeHosting['environment']>>[1]
type EventDeployment = Parameters<NonNullable<EventPublishing['environment']>>[1]

/** Whose repositories the main account may read although it does not own them. */
const GUILD = 'guild'

/** Of conforming deployments that keep to themselves what others show or take. */
const reticences = {
  totalCount: ['no-total-count'],
  codeHosting: ['no-total-count', 'public-only-alone-refused', 'server-error-once'],
  eventType: ['event-types-limited-untold-inconclusive'],
  eventId: ['event-publish-answered-without-a-word'],
  replayBody: ['event-replay-body-untold-inconclusive'],
} as const

/** What a stand-in is made to be like. */
export interface Likeness {
  /** Without code hosting nothing depends on them, and they are the defaults. */
  settings: CodeHostingSettings | undefined
  facts: CodeHostingFacts
  reticent: boolean
  /** Whether the operator tells what a reticent event publishing service does not show. */
  told: { eventType: boolean; eventId: boolean; replayBody: boolean }
}

function variantNamed(name: string): Variant {
  const variant = variants.find((candidate) => candidate.name === name)
  if (variant === undefined) throw new Error(`there is no variant ${name}`)
  return variant
}

function codeHostingChanges(names: readonly string[]): CodeHostingChange {
  const changes = names.map((name) => variantNamed(name).codeHosting?.change)
  return (rules) => changes.reduce((changed, change) => change?.(changed) ?? changed, rules)
}

function eventChanges(names: readonly string[]): EventPublishingChange {
  const changes = names.map((name) => variantNamed(name).eventPublishing?.change)
  return (rules) => changes.reduce((changed, change) => change?.(changed) ?? changed, rules)
}

/** So many make three pages of any size, also for those who do not see the private one. */
export function enoughRepositories({ maxResponseItems }: CodeHostingSettings): number {
  return 2 * maxResponseItems + 3
}

/**
 * The repositories of the main account, and those of others that it is told about. Of a list that is
 * not read to its end, the configured ones may be on any page: the first or, `atTheEnd`, the last.
 */
function addRepositories(
  { store, settings }: CodeHostingDeployment,
  { main }: CodeHostingFacts,
  login: string,
  atTheEnd: boolean,
): { public: string; private: string; archived: string; own: string | undefined } {
  const enough = enoughRepositories(settings)
  const count = Math.min(main?.count ?? enough, enough)
  const configured = [
    { name: 'lighthouse', shown: main?.showsPublic, private: false, archived: false },
    { name: 'diary', shown: main?.showsPrivate, private: true, archived: false },
    { name: 'attic', shown: undefined, private: false, archived: true },
  ]
  const own = configured.filter(({ shown }) => shown ?? true).slice(0, count)
  const others = configured.filter((repository) => !own.includes(repository))
  const fillers = Array.from({ length: count - own.length }, (_, index) => ({
    name: `chart-${index}`,
    shown: true,
    private: false,
    archived: false,
  }))
  const isLast = ({ shown }: (typeof own)[number]) => atTheEnd && shown === undefined
  const owned = [
    ...own.filter((repository) => !isLast(repository)),
    ...fillers,
    ...own.filter(isLast),
  ]
  for (const [owner, repositories] of [
    [login, owned],
    [GUILD, others],
  ] as const) {
    for (const { shown: _, ...repository } of repositories) {
      store.addRepository({ ...repository, owner, description: '' })
    }
  }
  const [open = '', hidden = '', archived = ''] = configured.map(
    (repository) => `${own.includes(repository) ? login : GUILD}/${repository.name}`,
  )
  return { public: open, private: hidden, archived, own: owned[0]?.name }
}

/** Every `CODE_HOSTING_*` variable, whatever the operator has set. */
function everythingTold(
  environment: Record<string, string>,
  deployment: CodeHostingDeployment,
  { facts, reticent }: Likeness,
): Record<string, string> {
  const { CODE_HOSTING_USERNAME: login = '' } = environment
  const names = addRepositories(deployment, facts, login, reticent)
  const value = randomBytes(20).toString('hex')
  deployment.store.addToken({ login, name: 'given', scopes: ['all'], value })
  const archivedChange = `PATCH /api/v1/repos/${names.archived} {"description":"changed"}`
  return {
    ...environment,
    CODE_HOSTING_TOKEN: value,
    CODE_HOSTING_PUBLIC_REPOSITORY: names.public,
    CODE_HOSTING_PRIVATE_REPOSITORY: names.private,
    CODE_HOSTING_ARCHIVED_CHANGE: archivedChange,
    // Without a name that is taken it would make a repository.
    CODE_HOSTING_CONFLICT:
      names.own === undefined
        ? archivedChange
        : `POST /api/v1/user/repos ${JSON.stringify({ name: names.own })}`,
    CODE_HOSTING_NO_CONTENT: `PUT /api/v1/user/starred/${names.public}`,
  }
}

function eventEnvironment(
  environment: Record<string, string>,
  { store }: EventDeployment,
): Record<string, string> {
  const idempotencyKey = undefined
  const { id } = store.add({ id: 'prepared', type: 'a.test', payload: {}, idempotencyKey })
  return {
    ...environment,
    EVENT_PUBLISHING_EVENT_ID: id,
    EVENT_PUBLISHING_EVENT_ID_POINTER: '/id',
  }
}

function reticentAboutEvents(told: Likeness['told']): string[] {
  return [
    ...(told.eventType ? [] : reticences.eventType),
    ...(told.eventId ? [] : reticences.eventId),
    ...(told.replayBody ? [] : reticences.replayBody),
  ]
}

/**
 * A conforming deployment of our own that is like the operator's in all that decides whether a
 * requirement can be judged: settings, and how many repositories the accounts have. It conforms in
 * the plain way or, where it is `reticent`, shows and takes as little as the documents allow.
 */
export function standIn(likeness: Likeness): Variant {
  const { settings, facts, reticent, told } = likeness
  const fullPage = settings?.maxResponseItems ?? 1
  const countsItems = facts.main?.totalCount ?? true
  const hidden = [
    ...(countsItems ? [] : reticences.totalCount),
    ...(reticent
      ? reticences.codeHosting.filter(
          (name) => facts.main === undefined || name !== 'no-total-count',
        )
      : []),
  ]
  const change = codeHostingChanges(hidden)
  let mainLogin: string | undefined
  return {
    name: 'stand-in',
    codeHosting: {
      ...(settings && { settings }),
      population: {
        mainRepositories: 0,
        otherRepositories: Math.min(facts.other?.count ?? 1, fullPage),
        adminRepositories: Math.min(facts.admin?.count ?? 1, fullPage),
      },
      change: (rules) => {
        const changed = change(rules)
        return {
          ...changed,
          maySee: (repository, caller, context) =>
            changed.maySee(repository, caller, context) ||
            (repository.owner === GUILD && caller.account.login === mainLogin),
        }
      },
      environment: (environment, deployment) => {
        mainLogin = environment.CODE_HOSTING_USERNAME
        return everythingTold(environment, deployment, likeness)
      },
    },
    eventPublishing: {
      ...(reticent ? { change: eventChanges(reticentAboutEvents(told)) } : {}),
      environment: eventEnvironment,
    },
  }
}
