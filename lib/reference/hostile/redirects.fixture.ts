import { type Behaviour, changing, type Field } from './behaviour.fixture.ts'

const statuses = [300, 301, 302, 303, 305, 307, 308] as const

function redirecting(
  status: number,
  location: string,
): { status: number; fields: Field[]; body: Buffer } {
  return { status, fields: [['Location', location]], body: Buffer.alloc(0) }
}

/** Servers that send a client away. */
export const redirects: readonly Behaviour[] = [
  changing('redirects-in-a-circle', 'redirects each request to itself', (_, { request }) =>
    redirecting(302, request.url ?? '/'),
  ),
  changing('redirects-on-and-on', 'redirects each request to another path', (_, { request }) =>
    redirecting(302, `${request.url}/a`),
  ),
  ...statuses.map((status) =>
    changing(
      `redirects-elsewhere-${status}`,
      `redirects each request to another origin with ${status}`,
      (_, { request, elsewhere }) => redirecting(status, `${elsewhere}${request.url}`),
    ),
  ),
  changing(
    'points-elsewhere',
    'names another origin wherever a response may name one',
    (honest, { request, elsewhere }) => {
      const text = honest.body.toString('latin1')
      const url = JSON.stringify(`${elsewhere}/api/swagger`)
      const body = text.replace(/"url":"[^"]*"/, `"url":${url}`)
      const somewhere = `${elsewhere}${request.url}`
      return {
        ...honest,
        body: Buffer.from(body, 'latin1'),
        fields: [
          ...honest.fields,
          ['Location', somewhere],
          ['Content-Location', somewhere],
          ['Refresh', `0; url=${somewhere}`],
          ['Link', `<${somewhere}>; rel="next", <${somewhere}>; rel="preload"`],
          ['Alt-Svc', `h2="${new URL(elsewhere).host}", http/1.1="${new URL(elsewhere).host}"`],
          ['Set-Cookie', 'session=from-the-server-0123456789; Path=/'],
        ],
      }
    },
  ),
]
