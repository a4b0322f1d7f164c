import type { Command, Option } from 'commander'
import { printableSentence } from '../reports/printable.ts'
import { joinNames } from '../target/problems.ts'
import { invocation, isStartedByNpm, shellArgument } from './invocation.ts'
import { UsageError } from './usage-error.ts'

/** Those are npm's own as well, and it sets some of them always. */
const npmsOwn = ['link', 'prefix', 'version', 'yes']

interface TakenOption {
  option: Option
  /** What stood behind `=`; none where npm took the option alone. */
  values: string[]
}

function isGiven({ long, short }: Option, words: readonly string[]): boolean {
  return words.some((word) => word === long || word === short || word.startsWith(`${long}=`))
}

/** npm tells of an option that it does not know as it does of its own: `npm_config_<name>`. */
function takenOptions(
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): TakenOption[] {
  return command.options.flatMap((option) => {
    const name = option.name()
    if (npmsOwn.includes(name) || isGiven(option, words)) return []
    const known = option.negate ? name.replace(/^no-/, '') : name
    const text = environment[`npm_config_${known.replaceAll('-', '_')}`]
    // Empty is what npm makes of an option with `no-` in front.
    if (text === undefined || (text === '') !== option.negate) return []
    // Several of one name stand apart by an empty line.
    return [{ option, values: text.split('\n\n').filter((value) => !['', 'true'].includes(value)) }]
  })
}

/** Of the words that npm left, those that were to be the value of the only option that it took. */
function strandedValues(
  { option, values }: TakenOption,
  command: Command,
  words: readonly string[],
): readonly string[] {
  const takesNone = !option.required && !option.optional
  if (takesNone || values.length > 0) return []
  if (option.argChoices !== undefined) {
    return words.filter((word) => option.argChoices?.includes(word)).slice(0, 1)
  }
  const areArguments = command.registeredArguments.length > 0
  if (areArguments || words.some((word) => word.startsWith('-'))) return []
  return option.variadic || words.length === 1 ? words : []
}

function written({ option, values }: TakenOption): string {
  const name = `--${option.name()}`
  if (values.length > 0) return [name, ...values.map(shellArgument)].join(' ')
  return option.required ? option.flags : name
}

/**
 * Of `npm start --fault NAME`, without two dashes in front, a command gets `NAME` alone, and of
 * `npm start --pin` nothing at all: it would do something else than its user has asked for.
 *
 * @param words of the command line, behind the name of the command
 * @throws UsageError that tells how to write it
 */
export function refuseOptionsTakenByNpm(
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): void {
  const taken = isStartedByNpm(environment) ? takenOptions(command, words, environment) : []
  const [first, ...others] = taken
  if (first === undefined) return
  const stranded = others.length === 0 ? strandedValues(first, command, words) : []
  const firstWritten = written({ ...first, values: [...first.values, ...stranded] })
  // Where a value has lost its option, it cannot be told from the arguments.
  const isClear = others.length === 0 && !firstWritten.includes('<')
  const kept = isClear ? words.filter((word) => !stranded.includes(word)) : []
  const line = [
    invocation(command.name(), environment),
    ...kept.map(shellArgument),
    firstWritten,
    ...others.map(written),
  ]
  const names = joinNames(taken.map(({ option }) => `--${option.name()}`))
  throw new UsageError(
    `npm took ${names} for ${others.length === 0 ? 'an option' : 'options'} of its own. ` +
      'What is meant for Plumbline stands behind two dashes:\n' +
      `  ${printableSentence(line.join(' '))}`,
  )
}
