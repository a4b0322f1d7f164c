import { type Catalogue, needsOf } from '../conformance/requirement.ts'
import type { Settings } from '../environment/environment.ts'
import { environmentLine } from '../environment/read-environment.ts'
import { type Variable, type VariableGroup, variablesOf } from '../environment/variable.ts'
import { counted } from '../reports/format.ts'
import { printableSentence, wrapped } from '../reports/printable.ts'

/** The variables of a service, and of the probe, which has no catalogue. */
export interface DescribedVariables {
  variables: VariableGroup
  catalogue?: Catalogue
}

const WIDTH = 100

const comment = (text: string) => wrapped(text, WIDTH - 2).map((row) => `# ${row}`)

/** What to do for the requirements that wait for a variable, and how many there are. */
function adviceOn({ name }: Variable, { needs, requirements }: Catalogue) {
  const waitedFor = Object.entries(needs).filter(
    ([, need]) => need.advice !== undefined && need.variables.includes(name),
  )
  const names = new Set(waitedFor.map(([needName]) => needName))
  const waiting = requirements.filter((row) => needsOf(row).some((need) => names.has(need)))
  const [first] = waitedFor
  if (first === undefined) return undefined
  const count = counted(waiting.length, 'requirement waits', 'requirements wait')
  return { advice: first[1].advice, count: `${count} for it.` }
}

/**
 * An environment file with every variable: a line for each that is set, but for secrets, and a comment
 * for each that is not, with what to do about it.
 *
 * @param values what is set, addresses too, and defaults; `$NAME` in place of a secret
 * @param holdsSecret whether a value must not be written
 */
export function environmentFile(
  groups: readonly DescribedVariables[],
  values: Settings,
  holdsSecret: (text: string) => boolean,
) {
  const written: string[] = []
  const withheld: string[] = []
  const blocks = groups.map(({ variables: { prefix, table }, catalogue }) => {
    let before: string | undefined
    const rows = variablesOf(table).flatMap((variable) => {
      const { name, meaning, example, default: fallback } = variable
      const value = values[name]
      const isSet = value !== undefined && value !== fallback
      const text = String(value)
      const isWithheld = isSet && (text === `$${name}` || holdsSecret(text))
      const { advice, count } = (!isSet && catalogue && adviceOn(variable, catalogue)) || {}
      const isAnother = advice === undefined || advice !== before
      before = advice
      if (isSet) (isWithheld ? withheld : written).push(name)
      return [
        ...(isAnother ? [''] : []),
        ...(advice && isAnother ? comment(`${advice} ${count}`) : []),
        ...comment(printableSentence(meaning)),
        ...(isWithheld
          ? comment('It is set, and no secret is copied: set it here or in the environment.')
          : []),
        isSet && !isWithheld
          ? environmentLine(name, text)
          : `#${environmentLine(name, isSet ? '' : String(fallback ?? example ?? ''))}`,
      ]
    })
    const { service = '', requirements = [] } = catalogue ?? {}
    const title = catalogue
      ? `The ${service} service, with ${requirements.length} requirements`
      : `How a run goes about it, whatever it probes (${prefix}*)`
    return ['', '', ...comment(`--- ${title} ---`), ...rows].join('\n')
  })
  const head = comment(
    'Take away the # in front of what you set, and ask "plumbline doctor --env-file" with the name of ' +
      'this file. What stands behind the # is a default or an example.',
  )
  return { text: `${head.join('\n')}${blocks.join('')}\n`, written, withheld }
}
