import type { CodeHostingTarget, Target } from '../../target/target.ts'
import { isListTooLong, type Situation } from './rehearse.ts'
import { enoughRepositories } from './stand-in.ts'

/** Something that an operator can add to a situation so that more can be judged. */
export interface Ingredient {
  id: string
  /** What to do, in a sentence. */
  text: string
  /** Variables to set, or to unset. */
  variables: readonly string[]
  /** What the reason of a requirement says for want of it. */
  wanted: RegExp
  /** Said in place of that reason, where it tells of the stand-in. */
  reason?: string
  isLacking(situation: Situation): boolean
  /** Id of another one that comes with it. */
  brings?: string
  /** What is added stands for whatever the operator will set. */
  add(situation: Situation): Situation
}

const account = { username: 'someone', password: 'something' }
const request = { method: 'GET', path: '/', body: null }

function names(...variables: readonly string[]): RegExp {
  return new RegExp(`(?<![A-Z_])(?:${variables.join('|')})(?![A-Z_])`)
}

function changed(situation: Situation, target: Partial<Target>): Situation {
  return { ...situation, target: { ...situation.target, ...target } }
}

type CodeHostingKey = keyof CodeHostingTarget

/** Something that is told of the code hosting service by variables of its own. */
function codeHostingPart<Key extends CodeHostingKey>(
  key: Key,
  variables: readonly string[],
  value: NonNullable<CodeHostingTarget[Key]>,
  text: string,
): Ingredient {
  return {
    id: key,
    text,
    variables,
    wanted: names(...variables),
    isLacking: ({ target }) =>
      target.codeHosting !== undefined && target.codeHosting[key] === undefined,
    add: (situation) => {
      const { codeHosting } = situation.target
      if (codeHosting === undefined) return situation
      return changed(situation, { codeHosting: { ...codeHosting, [key]: value } })
    },
  }
}

function incidentPart(key: 'apiKey' | 'incidentId' | 'updateBody', variable: string, text: string) {
  return {
    id: `incident ${key}`,
    text,
    variables: [variable],
    wanted: names(variable),
    isLacking: ({ target }) =>
      target.incidentStatus !== undefined && target.incidentStatus[key] === undefined,
    add: (situation) => {
      const { incidentStatus } = situation.target
      if (incidentStatus === undefined) return situation
      return changed(situation, { incidentStatus: { ...incidentStatus, [key]: '{}' } })
    },
  } satisfies Ingredient
}

const MAIN = ['CODE_HOSTING_USERNAME', 'CODE_HOSTING_PASSWORD']

function withPassword(situation: Situation): Situation {
  const { codeHosting } = situation.target
  if (codeHosting === undefined) return situation
  const { token: _, ...rest } = codeHosting
  return changed(situation, { codeHosting: { ...rest, ...account } })
}

/** In the order in which they are looked for: the first that is lacking explains a reason. */
export const ingredients: readonly Ingredient[] = [
  {
    id: 'writing',
    text: 'Unset PROBE_READ_ONLY: then a run sends more than GET, and creates tokens.',
    variables: ['PROBE_READ_ONLY'],
    wanted: names('PROBE_READ_ONLY'),
    isLacking: ({ target }) => target.probe.readOnly,
    add: (situation) =>
      changed(situation, { probe: { ...situation.target.probe, readOnly: false } }),
  },
  {
    id: 'password in place of a token',
    brings: 'login name beside a token',
    text: 'Set the password of the main account in place of its token: then a run creates tokens.',
    variables: MAIN,
    wanted: /CODE_HOSTING_TOKEN is set|CODE_HOSTING_PASSWORD/,
    isLacking: ({ target }) => target.codeHosting?.token !== undefined,
    add: withPassword,
  },
  {
    id: 'login name beside a token',
    text: 'Set the login name of the main account, whose token is given.',
    variables: ['CODE_HOSTING_USERNAME'],
    wanted: names('CODE_HOSTING_USERNAME'),
    isLacking: ({ target: { codeHosting } }) =>
      codeHosting?.token !== undefined && codeHosting.username === undefined,
    add: (situation) => {
      const { codeHosting } = situation.target
      if (codeHosting === undefined) return situation
      return changed(situation, { codeHosting: { ...codeHosting, username: account.username } })
    },
  },
  {
    id: 'main account',
    text: 'Set the main account: an ordinary user, no site admin, best with many repositories.',
    variables: MAIN,
    wanted: names(...MAIN),
    isLacking: ({ target: { codeHosting } }) =>
      codeHosting !== undefined &&
      codeHosting.token === undefined &&
      codeHosting.password === undefined,
    add: withPassword,
  },
  codeHostingPart(
    'publicRepository',
    ['CODE_HOSTING_PUBLIC_REPOSITORY'],
    'owner/name',
    'Name a public repository of the main account, as owner/name.',
  ),
  codeHostingPart(
    'privateRepository',
    ['CODE_HOSTING_PRIVATE_REPOSITORY'],
    'owner/name',
    'Name a private repository of the main account, as owner/name.',
  ),
  codeHostingPart(
    'other',
    ['CODE_HOSTING_OTHER_USERNAME', 'CODE_HOSTING_OTHER_PASSWORD'],
    account,
    'Set another ordinary account, which cannot see the private repository.',
  ),
  codeHostingPart(
    'otp',
    ['CODE_HOSTING_OTP_USERNAME', 'CODE_HOSTING_OTP_PASSWORD', 'CODE_HOSTING_OTP_SECRET'],
    { ...account, secret: 'AAAA' },
    'Set an account with two-factor authentication, and its secret in base32.',
  ),
  codeHostingPart(
    'admin',
    ['CODE_HOSTING_ADMIN_USERNAME', 'CODE_HOSTING_ADMIN_PASSWORD'],
    account,
    'Set a site admin, for sudo.',
  ),
  codeHostingPart(
    'archivedChange',
    ['CODE_HOSTING_ARCHIVED_CHANGE'],
    request,
    'Supply a request that changes an archived repository: METHOD /path {json}.',
  ),
  codeHostingPart(
    'conflict',
    ['CODE_HOSTING_CONFLICT'],
    request,
    'Supply a request that creates something that is there already: METHOD /path {json}.',
  ),
  codeHostingPart(
    'noContent',
    ['CODE_HOSTING_NO_CONTENT'],
    request,
    'Supply a request that succeeds with status 204: METHOD /path {json}.',
  ),
  {
    id: 'repositories',
    text:
      'Give the main account more repositories, best more than twice as many as a page holds at ' +
      'most (CODE_HOSTING_MAX_RESPONSE_ITEMS).',
    variables: [],
    wanted:
      /needs (?:more than \d+|an account with \d+ or more) repositories|needs an account with repositories|no page has a Link;|needs a response with all of/,
    isLacking: ({ target: { codeHosting }, facts }) => {
      const { main } = facts.codeHosting
      if (codeHosting === undefined || main === undefined) return false
      return main.count <= 2 * codeHosting.settings.maxResponseItems
    },
    add: (situation) => {
      const { codeHosting } = situation.target
      const { main } = situation.facts.codeHosting
      if (codeHosting === undefined || main === undefined) return situation
      const count = enoughRepositories(codeHosting.settings)
      const facts = { codeHosting: { ...situation.facts.codeHosting, main: { ...main, count } } }
      return { ...situation, facts }
    },
  },
  {
    id: 'pages',
    text: 'Raise PROBE_MAX_PAGES, so that the whole list of the main account is read.',
    variables: ['PROBE_MAX_PAGES'],
    wanted: names('PROBE_MAX_PAGES'),
    reason: 'the list of the main account has more pages than PROBE_MAX_PAGES lets a run read',
    isLacking: isListTooLong,
    add: (situation) => {
      const probe = { ...situation.target.probe, maxPages: Number.MAX_SAFE_INTEGER }
      return changed(situation, { probe })
    },
  },
  {
    id: 'event publishing key',
    text: 'Set the API key of the event publishing service.',
    variables: ['EVENT_PUBLISHING_API_KEY'],
    wanted: names('EVENT_PUBLISHING_API_KEY'),
    isLacking: ({ target }) =>
      target.eventPublishing !== undefined && target.eventPublishing.apiKey === undefined,
    add: (situation) => {
      const { eventPublishing } = situation.target
      if (eventPublishing === undefined) return situation
      return changed(situation, { eventPublishing: { ...eventPublishing, apiKey: 'something' } })
    },
  },
  incidentPart(
    'apiKey',
    'INCIDENT_STATUS_API_KEY',
    'Set the API key of the incident status service.',
  ),
  incidentPart(
    'incidentId',
    'INCIDENT_STATUS_INCIDENT_ID',
    'Name an incident that is kept for tests.',
  ),
  incidentPart(
    'updateBody',
    'INCIDENT_STATUS_UPDATE_BODY',
    'Set the JSON of an update that the incident status service accepts.',
  ),
]
