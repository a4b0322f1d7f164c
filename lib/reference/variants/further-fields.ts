import { tolerance } from '../tolerance-ids.ts'
import type { MakeIntermediary, Variant } from '../variant.ts'

const further = {
  url: 'https://elsewhere.example/records/7',
  further_text: 'Grüße',
  further_record: { id: 7, login: 'nobody', full_name: null, url: '', message: ['none'] },
  further_list: [{ deep: [1.5, false, null] }],
}

function withFurtherFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFurtherFields)
  return typeof value === 'object' && value !== null ? { ...further, ...value } : value
}

const everyRecord: MakeIntermediary = () => async (request, answer) => {
  const parts = await answer(request)
  const isJson = parts.headers.get('Content-Type')?.includes('json') === true
  if (typeof parts.body !== 'string' || !isJson) return parts
  return { ...parts, body: JSON.stringify(withFurtherFields(JSON.parse(parts.body)), undefined, 2) }
}

/** Records and error bodies that have more than the documents show. */
export const furtherFieldVariants: readonly Variant[] = [
  {
    name: 'further-fields',
    tolerances: tolerance('further-fields', [
      'code-hosting/errors/body',
      'code-hosting/tokens/created',
      'code-hosting/resources/user',
      'code-hosting/resources/repository',
      'code-hosting/resources/repositories',
      'code-hosting/settings/record',
    ]),
    intermediary: everyRecord,
  },
]
