import { ajv } from '../conformance/ajv.ts'
import lineSchema from './history/line.schema.json' with { type: 'json' }
import waiversSchema from './waivers/waivers.schema.json' with { type: 'json' }

export const isHistoryLine = ajv.compile<object>(lineSchema)
export const isWaiversFile = ajv.compile(waiversSchema)
export const isWaiver = ajv.compile({
  $id: 'urn:plumbline:schema:waiver:1',
  ...waiversSchema.$defs.waiver,
})
