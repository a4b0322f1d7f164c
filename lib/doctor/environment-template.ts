import type { Settings } from '../environment/environment.ts'
import { type VariableGroup, variablesOf } from '../environment/variable.ts'
import { printableSentence, wrapped } from '../text/printable.ts'

const WIDTH = 100

const comment = (text: string) => wrapped(text, WIDTH - 2).map((row) => `# ${row}`)

/** Returns a line of an environment file. dotenv has no escapes: the value is in quotes that it does not contain. */
export function environmentLine(name: string, value: string): string {
  if (/^[\w./:{}-]*$/.test(value)) return `${name}=${value}`
  const quote = ["'", '`', '"'].find((candidate) => !value.includes(candidate)) ?? "'"
  return `${name}=${quote}${value}${quote}`
}

/** Returns an environment file with all variables. Unset variables and secrets (`$NAME`, or what `holdsSecret`) are comments. */
export function environmentFile(
  groups: readonly VariableGroup[],
  values: Settings,
  holdsSecret: (text: string) => boolean,
) {
  const withheld: string[] = []
  const rows = groups.flatMap(({ prefix, table }) => [
    '',
    ...comment(`--- ${prefix}* ---`),
    ...variablesOf(table).flatMap(({ name, meaning, example, default: fallback, secret }) => {
      const explained = ['', ...comment(printableSentence(meaning))]
      const value = values[name]
      if (value === undefined || value === fallback) {
        return [...explained, `#${environmentLine(name, String(fallback ?? example ?? ''))}`]
      }
      const text = String(value)
      const isSecret = secret || text === `$${name}` || holdsSecret(text)
      if (!isSecret) return [...explained, environmentLine(name, text)]
      withheld.push(name)
      const advice = 'This secret is set but not copied. Set it here or in the environment.'
      return [...explained, ...comment(advice), `#${environmentLine(name, '')}`]
    }),
  ])
  const head = comment(
    'Remove the # of the variables that you set, then run "plumbline doctor --env-file" with the name of ' +
      'this file. Values after a # are defaults or examples.',
  )
  return { text: `${[...head, ...rows].join('\n')}\n`, withheld }
}
