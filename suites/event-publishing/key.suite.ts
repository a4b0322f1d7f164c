import {
  expectKeyChecked,
  expectKeyInPlace,
  expectKeyRequired,
} from '../../lib/conformance/api-key.ts'
import { statusAndBody } from '../../lib/conformance/body-shape.ts'
import { observe, verify } from './dsl.ts'

for (const endpoint of ['publish', 'status', 'replay'] as const) {
  verify(`event-publishing/${endpoint}/key-required`, ({ keyed }) =>
    expectKeyRequired(keyed[endpoint]),
  )

  verify(`event-publishing/${endpoint}/key-checked`, ({ keyed }) =>
    expectKeyChecked(keyed[endpoint]),
  )

  verify(`event-publishing/${endpoint}/key-in-header`, ({ keyed }) =>
    expectKeyInPlace(keyed[endpoint]),
  )

  observe(`event-publishing/${endpoint}/missing-key`, async ({ keyed }) =>
    statusAndBody(await keyed[endpoint].withoutKey()),
  )

  observe(`event-publishing/${endpoint}/wrong-key`, async ({ keyed }) =>
    statusAndBody(await keyed[endpoint].withWrongKey()),
  )
}
