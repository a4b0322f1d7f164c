import type { CodeHostingContext } from '../conformance/code-hosting/context.ts'
import { displayValue } from '../conformance/exchange-words.ts'
import { anonymous } from '../probe/credentials.ts'
import type { CodeHostingSettings } from '../target/target.ts'
import type { Notes } from './notes.ts'

/** Fields of the settings record, with what the operator says of each. */
const fields: readonly [field: string, setting: keyof CodeHostingSettings][] = [
  ['max_response_items', 'maxResponseItems'],
  ['default_paging_num', 'defaultPagingNum'],
  ['default_git_trees_per_page', 'defaultGitTreesPerPage'],
  ['default_max_blob_size', 'defaultMaxBlobSize'],
  ['default_max_response_size', 'defaultMaxResponseSize'],
]

/** Compares the settings record, which anybody may read, with the variables. */
export async function examineSettings(
  { codeHosting, settings }: CodeHostingContext,
  notes: Notes,
): Promise<void> {
  const record = await notes.attempt(() => codeHosting.settings({ credentials: anonymous }))
  if (record === undefined) return
  if (record.status !== 200) {
    notes.add(
      'warning',
      `The settings record was answered with ${record.status}: a run judges that.`,
    )
    return
  }
  const named = (record.json ?? {}) as Record<string, unknown>
  const different = fields.filter(
    ([field, setting]) => named[field] !== undefined && named[field] !== settings[setting],
  )
  for (const [field, setting] of different) {
    const variable = `CODE_HOSTING_${field.toUpperCase()}`
    const value = named[field]
    const shown = typeof value === 'number' ? value : displayValue(record, value)
    notes.add(
      'configuration',
      `The server says that ${field} is ${shown}, and ${variable} is ${settings[setting]}: set it ` +
        'to what is in the configuration of the server.',
    )
  }
  if (different.length === 0)
    notes.add('good', 'The settings of the server are as the variables say.')
}
