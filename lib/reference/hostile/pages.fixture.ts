import {
  type Behaviour,
  changing,
  type Encounter,
  type Field,
  type HonestResponse,
  withoutFields,
} from './behaviour.fixture.ts'

function isList({ request }: Encounter, { status }: HonestResponse): boolean {
  return status === 200 && /\/user\/repos(?:\?|$)/.test(request.url ?? '')
}

/** A list whose `next` leads to this target wherever there is a next page. */
function nextTo(name: string, does: string, target: (encounter: Encounter) => string): Behaviour {
  return changing(name, does, (honest, encounter) => {
    const isNext = ([field, value]: Field) => field.toLowerCase() === 'link' && /next/.test(value)
    if (!isList(encounter, honest) || !honest.fields.some(isNext)) return honest
    const link: Field = ['Link', `<${target(encounter)}>; rel="next"`]
    return { ...honest, fields: [...withoutFields(honest.fields, 'link'), link] }
  })
}

function queryOf({ request }: Encounter): URLSearchParams {
  return new URL(request.url ?? '/', 'http://relative.invalid').searchParams
}

/** A page of a list that has no last one. */
function pageWithoutEnd(honest: HonestResponse, encounter: Encounter): HonestResponse {
  if (!isList(encounter, honest)) return honest
  const query = queryOf(encounter)
  const page = Math.max(1, Number(query.get('page')) || 1)
  const asked = Number(query.get('limit'))
  const limit = asked > 0 ? Math.min(25, asked) : 20
  const items = Array.from({ length: limit }, (_, index) => ({
    full_name: `maria/r-${(page - 1) * limit + index}`,
  }))
  query.set('page', String(page + 1))
  const fields: Field[] = [
    ['X-Page', String(page)],
    ['X-PerPage', String(limit)],
    ['X-HasMore', 'true'],
    ['Link', `</api/v1/user/repos?${query}>; rel="next"`],
  ]
  const kept = withoutFields(honest.fields, 'x-total-count', ...fields.map(([name]) => name))
  return { ...honest, fields: [...kept, ...fields], body: Buffer.from(JSON.stringify(items)) }
}

/** Servers whose lists lead astray. */
export const pages: readonly Behaviour[] = [
  nextTo(
    'next-to-itself',
    'has a next that leads to the same page',
    ({ request }) => request.url ?? '',
  ),
  nextTo('next-back', 'has a next that leads back to the first page', () => '?page=1'),
  nextTo(
    'next-elsewhere',
    'has a next that leads to another origin',
    ({ elsewhere, request }) => `${elsewhere}${request.url}`,
  ),
  nextTo(
    'next-to-a-host',
    'has a next that names a host alone',
    ({ elsewhere, request }) => `//${new URL(elsewhere).host}${request.url}`,
  ),
  nextTo('next-to-a-file', 'has a next that leads to a file', () => 'file:///etc/passwd'),
  nextTo('next-to-a-script', 'has a next that is a script', () => 'javascript:alert(1)'),
  changing('endless-list', 'has a list without an end', pageWithoutEnd),
]
