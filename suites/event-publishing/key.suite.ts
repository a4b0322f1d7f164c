import { statusAndBody } from '../../lib/conformance/body-shape.ts'
import { contrast } from '../../lib/conformance/contrast.ts'
import { each, forEachTestable } from '../../lib/conformance/each.ts'
import { observe, verify } from './dsl.ts'

for (const endpoint of ['publish', 'status', 'replay'] as const) {
  verify(`event-publishing/${endpoint}/key-required`, ({ keyed }) => {
    const { control, withoutKey } = keyed[endpoint]
    return contrast({ control, negative: withoutKey, serverErrorRejects: true })
  })

  verify(`event-publishing/${endpoint}/key-checked`, ({ keyed }) => {
    const { control, withWrongKeys } = keyed[endpoint]
    return forEachTestable(withWrongKeys, ({ rejected: negative }) =>
      contrast({ control, negative, serverErrorRejects: true }),
    )
  })

  verify(`event-publishing/${endpoint}/key-in-header`, ({ keyed }) => {
    const { control, withKeyElsewhere } = keyed[endpoint]
    return each(withKeyElsewhere, (negative) =>
      contrast({ control, negative, serverErrorRejects: true }),
    )
  })

  observe(`event-publishing/${endpoint}/missing-key`, async ({ keyed }) =>
    statusAndBody(await keyed[endpoint].withoutKey()),
  )

  observe(`event-publishing/${endpoint}/wrong-key`, async ({ keyed }) =>
    statusAndBody(await keyed[endpoint].withWrongKey()),
  )
}
