import { ajv } from '../conformance/ajv.ts'
import baselineSchema from './baseline/baseline.schema.json' with { type: 'json' }
import lineSchema from './history/line.schema.json' with { type: 'json' }
import waiversSchema from './waivers/waivers.schema.json' with { type: 'json' }

const { waiver } = waiversSchema.$defs
const { deviations: _, ...templateProperties } = waiver.properties

/** Members of waivers that a template does not have. `versions` are versions of servers. */
const templateSchema = {
  ...waiversSchema,
  $id: 'urn:plumbline:schema:waivers-template:1',
  $defs: {
    waiver: {
      ...waiver,
      required: ['requirement', 'reason'],
      properties: {
        ...templateProperties,
        versions: { type: 'array', items: { type: 'string' } },
      },
    },
  },
}

export const isBaseline = ajv.compile(baselineSchema)
export const isHistoryLine = ajv.compile<object>(lineSchema)
export const isWaiversFile = ajv.compile(waiversSchema)
export const isTemplateFile = ajv.compile(templateSchema)
export const isWaiver = ajv.compile({ $id: 'urn:plumbline:schema:waiver:1', ...waiver })
export const isNames = ajv.compile({
  $id: 'urn:plumbline:schema:names:1',
  type: 'object',
  additionalProperties: { type: 'string', pattern: '\\S' },
})
