import {
  type Behaviour,
  changing,
  type Encounter,
  type Field,
  isList,
  withoutFields,
} from './behaviour.fixture.ts'

const COOKIE: Field = ['Set-Cookie', 'session=from-the-server-0123456789; Path=/']

const fields: Record<string, Behaviour> = {
  'status-999': changing(() => ({ status: 999 })),
  'sets-cookies': changing(({ fields }) => ({ fields: [...fields, COOKIE] })),
}

/** Replaces the target of every `next` link of a list. */
function nextTo(target: (encounter: Encounter) => string): Behaviour {
  return changing((honest, encounter) => {
    const isNext = ([field, value]: Field) => field.toLowerCase() === 'link' && /next/.test(value)
    if (!isList(encounter, honest) || !honest.fields.some(isNext)) return {}
    const link: Field = ['Link', `<${target(encounter)}>; rel="next"`]
    return { fields: [...withoutFields(honest.fields, 'link'), link] }
  })
}

const isPage: Record<string, Behaviour> = {
  'next-to-a-host': nextTo(
    ({ elsewhere, request }) => `//${new URL(elsewhere).host}${request.url}`,
  ),
}

function redirecting(status: number, location: (encounter: Encounter) => string): Behaviour {
  return changing((_, encounter) => ({
    status,
    fields: [['Location', location(encounter)]],
    body: Buffer.alloc(0),
  }))
}

const redirects: Record<string, Behaviour> = {
  'redirects-in-a-circle': redirecting(302, ({ request }) => request.url ?? '/'),
  ...Object.fromEntries(
    [307, 308].map((status) => [
      `redirects-elsewhere-${status}`,
      redirecting(status, ({ elsewhere, request }) => `${elsewhere}${request.url}`),
    ]),
  ),
}

/** Replaces link targets and keeps their relations. */
function linkedTo(change: (target: string) => string): Behaviour {
  return changing(({ fields }) => ({
    fields: fields.map(([name, value]): Field => {
      if (name.toLowerCase() !== 'link') return [name, value]
      return [name, value.replace(/<([^>]*)>/g, (_, target) => `<${change(target)}>`)]
    }),
  }))
}

const otherApplication = () => '/jenkins/job/deploy/build?delay=0sec'
const publishedElsewhere = changing(() => ({ body: Buffer.from('{"id":"../../../jenkins"}') }))

/** Leads away from the API by links, a redirect, and the id of an event. */
const leadingAway: Behaviour = (encounter) => {
  const { method, url = '' } = encounter.request
  if (url.endsWith('/api/swagger')) return redirecting(302, otherApplication)(encounter)
  const isPublishing = method === 'POST' && url.endsWith('/v1/events')
  return (isPublishing ? publishedElsewhere : linkedTo(otherApplication))(encounter)
}

export const responses = {
  ...fields,
  ...isPage,
  ...redirects,
  'next-to-another-application': leadingAway,
}
