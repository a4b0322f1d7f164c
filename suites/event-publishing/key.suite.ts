import { statusAndBody } from '../../lib/conformance/body-shape.ts'
import { observe, verify } from './dsl.ts'

const rejections = [
  ['key-required', 'none'],
  ['key-checked', 'wrong'],
  ['key-in-header', 'elsewhere'],
] as const

for (const endpoint of ['publish', 'status', 'replay'] as const) {
  for (const [name, kind] of rejections) {
    verify(`event-publishing/${endpoint}/${name}`, ({ keyed }) =>
      keyed.judge(endpoint, kind, 'rejected'),
    )
  }

  observe(`event-publishing/${endpoint}/missing-key`, async ({ keyed }) =>
    statusAndBody(await keyed.exchange(endpoint, 'no key')),
  )

  observe(`event-publishing/${endpoint}/wrong-key`, async ({ keyed }) =>
    statusAndBody(await keyed.exchange(endpoint, 'a wrong key')),
  )
}
