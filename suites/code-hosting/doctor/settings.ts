import { displayValue } from '../../../lib/conformance/exchange-words.ts'
import type { Notes } from '../../../lib/doctor/notes.ts'
import { anonymous } from '../../../lib/probe/credentials.ts'
import type { CodeHostingContext } from '../support/context.ts'
import { type CodeHostingSettings, codeHostingVariables } from '../variables.ts'

const { settings: variables } = codeHostingVariables.table

/** Fields of the settings record, with what the operator says of each. */
const fields = [
  { field: 'max_response_items', setting: 'maxResponseItems' },
  { field: 'default_paging_num', setting: 'defaultPagingNum' },
  { field: 'default_git_trees_per_page', setting: 'defaultGitTreesPerPage' },
  { field: 'default_max_blob_size', setting: 'defaultMaxBlobSize' },
  { field: 'default_max_response_size', setting: 'defaultMaxResponseSize' },
] as const

type Field = (typeof fields)[number]

/** What agrees, and with what: most operators set none of the variables. */
function agreement(agreeing: readonly Field[], settings: CodeHostingSettings): string {
  const shown =
    agreeing.length === fields.length
      ? 'The settings that the server shows'
      : `${agreeing.map(({ field }) => field).join(', ')} of the server`
  const set = agreeing.filter(({ setting }) => settings[setting] !== variables[setting].default)
  if (set.length === 0) return `${shown} are the defaults, which a run expects.`
  const values = set
    .map(({ setting }) => `${variables[setting].name} (${settings[setting]})`)
    .join(', ')
  const rest = set.length === agreeing.length ? '' : '; the others are the defaults'
  return `${shown} agree with ${values}${rest}.`
}

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
  const shown = fields.filter(({ field }) => typeof named[field] === 'number')
  for (const { field, setting } of shown) {
    const value = named[field] as number
    if (value === settings[setting]) continue
    notes.add(
      'configuration',
      `The server says that ${field} is ${value}, and ${variables[setting].name} is ${settings[setting]}: set it ` +
        'to what is in the configuration of the server.',
    )
  }
  const agreeing = shown.filter(({ field, setting }) => named[field] === settings[setting])
  if (agreeing.length > 0) notes.add('good', agreement(agreeing, settings))
  const missing = fields.filter((one) => !shown.includes(one)).map(({ field }) => field)
  if (missing.length === 0) return
  const instead = missing
    .filter((field) => named[field] !== undefined)
    .map((field) => `${field} is ${displayValue(record, named[field])}`)
  notes.add(
    'warning',
    `The settings record has no number for ${missing.join(', ')}` +
      `${instead.length === 0 ? '' : ` (${instead.join(', ')})`}: a run judges that.`,
  )
}
