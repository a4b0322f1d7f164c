import type { Command, Option } from 'commander'
import { printableSentence } from '../reports/printable.ts'
import { joinNames } from '../target/problems.ts'
import { invocation, isStartedByNpm, shellArgument } from './invocation.ts'
import { nearestOf } from './nearest.ts'
import { optionFor } from './surplus-arguments.ts'
import { UsageError } from './usage-error.ts'

/** Those are npm's own as well, and it sets some of them always. */
const npmsOwn = ['link', 'prefix', 'version', 'yes']

/** Settings of npm, of its earlier versions and of pnpm that look like options of ours. */
const settingsOfOthers = ['include', 'preid', 'reporter', 'spin']

const npmSetting = /^npm_config_(?<name>\w+)$/

interface TakenOption {
  option: Option
  /** As it was written, without the dashes in front. */
  spelling: string
  /** What stood behind `=`; none where npm took the option alone. */
  values: string[]
}

function isGiven({ long, short }: Option, words: readonly string[]): boolean {
  return words.some((word) => word === long || word === short || word.startsWith(`${long}=`))
}

/** Without the `no-` in front that npm takes away, too. */
function bareName(option: Option): string {
  return option.negate ? option.name().replace(/^no-/, '') : option.name()
}

/** The option as which npm tells of a name, or that it was most likely to be. */
function optionMeant(name: string, text: string, { options }: Command): Option | undefined {
  // Empty is what npm makes of an option with `no-` in front.
  const isNegated = text === ''
  const candidates = options.filter((option) => !isNegated || option.negate)
  const nameOf = isNegated ? bareName : (option: Option) => option.name()
  const same = candidates.find((option) => nameOf(option) === name)
  if (same !== undefined) return npmsOwn.includes(name) ? undefined : same
  if ([...npmsOwn, ...settingsOfOthers].includes(name)) return undefined
  const nearest = nearestOf(name, candidates.map(nameOf))
  return candidates.find((option) => nameOf(option) === nearest)
}

/** npm tells of an option that it does not know as it does of its own: `npm_config_<name>`. */
function takenOptions(
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): TakenOption[] {
  const taken = Object.entries(environment).flatMap(([variable, text = '']) => {
    const name = npmSetting.exec(variable)?.groups?.name?.replaceAll('_', '-')
    const option = name === undefined ? undefined : optionMeant(name, text, command)
    if (name === undefined || option === undefined || isGiven(option, words)) return []
    // Several of one name stand apart by an empty line.
    const values = text.split('\n\n').filter((value) => !['', 'true'].includes(value))
    return [{ option, spelling: text === '' ? `no-${name}` : name, values }]
  })
  const { options } = command
  return taken.toSorted((one, other) => options.indexOf(one.option) - options.indexOf(other.option))
}

function takesValue({ option }: TakenOption): boolean {
  return option.required || option.optional
}

/** Of the words that npm left, those that were to be the value of the only option without one. */
function valuesOfOne(
  { option }: TakenOption,
  command: Command,
  words: readonly string[],
): readonly string[] {
  if (option.argChoices !== undefined) {
    return words.filter((word) => option.argChoices?.includes(word)).slice(0, 1)
  }
  const areArguments = command.registeredArguments.length > 0
  if (areArguments || words.some((word) => word.startsWith('-'))) return []
  return option.variadic || words.length === 1 ? words : []
}

/** The same where several have none: a word may tell itself of which option it is the value. */
async function valuesOfSeveral(
  lacking: readonly TakenOption[],
  command: Command,
  words: readonly string[],
): Promise<Map<TakenOption, readonly string[]>> {
  const found = new Map<TakenOption, string[]>()
  const unknown: string[] = []
  for (const word of words) {
    const long = await optionFor(word, command)
    const taken = lacking.find(({ option }) => option.long === long)
    if (taken === undefined) unknown.push(word)
    else found.set(taken, [...(found.get(taken) ?? []), word])
  }
  const [last, another] = lacking.filter((taken) => !found.has(taken))
  if (last !== undefined && another === undefined) found.set(last, unknown)
  return found
}

/** By option: its values, those among the words that npm left too. */
async function valuesOf(
  taken: readonly TakenOption[],
  command: Command,
  words: readonly string[],
): Promise<Map<TakenOption, readonly string[]>> {
  const known = new Map(taken.map((one) => [one, one.values]))
  const lacking = taken.filter((one) => takesValue(one) && one.values.length === 0)
  const [only, another] = lacking
  if (only === undefined) return known
  if (another === undefined) return known.set(only, [...valuesOfOne(only, command, words)])
  const areArguments = command.registeredArguments.length > 0
  if (areArguments || words.some((word) => word.startsWith('-'))) return known
  return new Map([...known, ...(await valuesOfSeveral(lacking, command, words))])
}

/** `undefined` where a value is missing, or is more than one although one is all that there may be. */
function written({ option }: TakenOption, values: readonly string[]): string | undefined {
  const name = `--${option.name()}`
  if (!option.required && !option.optional) return name
  if (values.length > 1 && !option.variadic) return undefined
  if (values.length === 0 && option.required) return undefined
  return [name, ...values.map(shellArgument)].join(' ')
}

function namesOf(taken: readonly TakenOption[]): string {
  return joinNames(taken.map(({ spelling }) => `--${spelling}`))
}

/** Of options that are misspelt, what they are called. */
function correction(taken: readonly TakenOption[]): string {
  const misspelt = taken.filter(({ option, spelling }) => option.name() !== spelling)
  if (misspelt.length === 0) return ''
  const names = joinNames(misspelt.map(({ option }) => `--${option.name()}`))
  return ` ${namesOf(misspelt)} ${misspelt.length === 1 ? 'is' : 'are'} probably ${names}.`
}

/**
 * Of `npm start --fault NAME`, without two dashes in front, a command gets `NAME` alone, and of
 * `npm start --pin` nothing at all: it would do something else than its user has asked for. The same
 * goes for an option that is misspelt.
 *
 * @param words of the command line, behind the name of the command
 * @throws UsageError that tells how to write it
 */
export async function refuseOptionsTakenByNpm(
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const taken = isStartedByNpm(environment) ? takenOptions(command, words, environment) : []
  if (taken.length === 0) return
  const values = await valuesOf(taken, command, words)
  const options = taken.map((one) => written(one, values.get(one) ?? []))
  // Where a value has lost its option, it cannot be told from the arguments.
  const isClear = !options.includes(undefined)
  const stranded = taken.flatMap((one) => (one.values.length > 0 ? [] : (values.get(one) ?? [])))
  const kept = isClear ? words.filter((word) => !stranded.includes(word)) : []
  const line = [
    invocation(command.name(), environment),
    ...kept.map(shellArgument),
    ...taken.map(({ option }, index) => options[index] ?? option.flags),
  ]
  throw new UsageError(
    `npm took ${namesOf(taken)} for ${taken.length === 1 ? 'an option' : 'options'} of its own.` +
      `${correction(taken)} ` +
      'What is meant for Plumbline stands behind two dashes:\n' +
      `  ${printableSentence(line.join(' '))}`,
  )
}
