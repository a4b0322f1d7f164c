import type { Catalogue } from '../conformance/catalogue.ts'
import type { Settings } from '../environment/environment.ts'
import { environmentLine } from '../environment/read-environment.ts'
import { type Variable, type VariableGroup, variablesOf } from '../environment/variable.ts'
import { printableSentence, wrapped } from '../text/printable.ts'

/** Variables of a service, or of the probe, which has no catalogue. */
interface DescribedVariables {
  variables: VariableGroup
  catalogue?: Catalogue
}

const WIDTH = 100

const comment = (text: string) => wrapped(text, WIDTH - 2).map((row) => `# ${row}`)

/** Returns the advice of the first need of a variable. */
const findAdvice = ({ name }: Variable, { needs }: Catalogue) =>
  Object.values(needs).find(({ advice, variables }) => advice && variables.includes(name))?.advice

/**
 * Creates an environment file with all variables. Unset variables and secrets are comments, with advice.
 *
 * @param values configured values and defaults; `$NAME` instead of a secret
 * @param holdsSecret returns true if a value must not be written
 */
export function environmentFile(
  groups: readonly DescribedVariables[],
  values: Settings,
  holdsSecret: (text: string) => boolean,
) {
  const written: string[] = []
  const withheld: string[] = []
  const blocks = groups.map(({ variables: { prefix, table }, catalogue }) => {
    let previousAdvice: string | undefined
    const rows = variablesOf(table).flatMap((variable) => {
      const { name, meaning, example, default: fallback } = variable
      const value = values[name]
      const isSet = value !== undefined && value !== fallback
      const text = String(value)
      const isWithheld = isSet && (variable.secret || text === `$${name}` || holdsSecret(text))
      const advice = isSet || catalogue === undefined ? undefined : findAdvice(variable, catalogue)
      const isNewAdvice = advice === undefined || advice !== previousAdvice
      previousAdvice = advice
      if (isSet) (isWithheld ? withheld : written).push(name)
      return [
        ...(isNewAdvice ? [''] : []),
        ...(advice && isNewAdvice ? comment(advice) : []),
        ...comment(printableSentence(meaning)),
        ...(isWithheld
          ? comment('This secret is set but not copied. Set it here or in the environment.')
          : []),
        isSet && !isWithheld
          ? environmentLine(name, text)
          : `#${environmentLine(name, isSet ? '' : String(fallback ?? example ?? ''))}`,
      ]
    })
    const { service = '', requirements = [] } = catalogue ?? {}
    const title = catalogue
      ? `The ${service} service, with ${requirements.length} requirements`
      : `Settings of all runs (${prefix}*)`
    return ['', '', ...comment(`--- ${title} ---`), ...rows].join('\n')
  })
  const head = comment(
    'Remove the # of the variables that you set, then run "plumbline doctor --env-file" with the name of ' +
      'this file. Values after a # are defaults or examples.',
  )
  return { text: `${head.join('\n')}${blocks.join('')}\n`, written, withheld }
}
