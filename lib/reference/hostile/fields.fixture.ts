import { type Behaviour, changing, type Field, withoutFields } from './behaviour.fixture.ts'

const MEGABYTE = 1024 * 1024

function isOfPages([name]: Field): boolean {
  return /^x-(?:total-count|page|perpage|hasmore)$/i.test(name)
}

/** Servers whose header fields are odd. */
export const fields: readonly Behaviour[] = [
  changing('repeated-fields', 'sends the fields of a page twice', (honest) => ({
    ...honest,
    fields: [...honest.fields, ...honest.fields.filter(isOfPages)],
  })),
  changing(
    'contradictory-fields',
    'sends the fields of a page twice, with two values',
    (honest) => ({
      ...honest,
      fields: [
        ...honest.fields,
        ...honest.fields.filter(isOfPages).map(([name]): Field => [name, '77777']),
      ],
    }),
  ),
  changing('long-link', 'sends a Link of one megabyte', (honest) => ({
    ...honest,
    fields: [
      ...withoutFields(honest.fields, 'link'),
      ['Link', `<https://git.example.com/?${'a'.repeat(MEGABYTE)}>; rel="next"`],
    ],
  })),
  changing('many-links', 'sends as many links as a header holds', (honest) => ({
    ...honest,
    fields: [
      ...withoutFields(honest.fields, 'link'),
      ['Link', Array.from({ length: 1000 }, () => '<a>;rel=x').join()],
    ],
  })),
  changing('status-999', 'answers everything with status 999', (honest) => ({
    ...honest,
    status: 999,
  })),
  changing('sets-cookies', 'sets cookies', (honest) => ({
    ...honest,
    fields: [...honest.fields, ['Set-Cookie', 'session=from-the-server-0123456789; Path=/']],
  })),
]
