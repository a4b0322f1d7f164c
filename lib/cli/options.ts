import { type Command, InvalidArgumentError, Option } from 'commander'
import { joinNames } from '../text/names.ts'
import { UsageError } from './context.ts'

export const formatOption = (description: string, formats: readonly string[]) =>
  new Option('--format <format>', description).choices(formats).default(formats[0])

export const faultOption = new Option(
  '--fault <name...>',
  'start the reference server with these faults; list them with "plumbline reference --list"',
)
export const variantOption = new Option(
  '--variant <name>',
  'start the reference server with this variant, which conforms; see the same list',
).argParser((name, before?: string) => {
  if (before === undefined) return name
  throw new InvalidArgumentError('Use one variant at a time.')
})

/** Returns a parser of whole numbers, which accepts only digits. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

export const waitOption = new Option(
  '--wait <seconds>',
  'first wait up to this time until the services respond, such as after an upgrade',
).argParser(wholeNumber(1, 86_400))

/** Parses a minimum: a number, or a share of all such as `50%`. */
export function atLeast(text: string): (all: number) => number {
  const [, digits, sign] = /^(\d{1,6})(%?)$/.exec(text) ?? []
  const number = Number(digits)
  if (number >= 1 && (sign === '' || number <= 100)) {
    return (all) => (sign === '' ? number : Math.ceil((all * number) / 100))
  }
  throw new InvalidArgumentError('It must be a number such as 40, or a share from 1% to 100%.')
}

/** Options that npm has too; it always sets some of them. */
const npmOptions = ['link', 'prefix', 'version', 'yes']

/**
 * Rejects options that npm consumed: of `npm start --fault NAME` a command receives only `NAME`. npm sets
 * `npm_config_<name>` for such an option, to an empty value if the option starts with `no-`.
 *
 * @throws UsageError with the correct form
 */
export function rejectOptionsConsumedByNpm(
  { options }: Command,
  args: readonly string[],
  { npm_lifecycle_event: script, npm_config_user_agent: agent, ...variables }: NodeJS.ProcessEnv,
): void {
  if (script === undefined || agent?.startsWith('npm/') === false) return
  const consumed = options.flatMap(({ long = '', negate }) => {
    const name = long.replace(negate ? '--no-' : '--', '')
    const value = variables[`npm_config_${name.replaceAll('-', '_')}`]
    const isUsed = value !== undefined && (value === '') === negate && !npmOptions.includes(name)
    return isUsed && !args.some((arg) => arg.split('=')[0] === long) ? [long] : []
  })
  if (consumed.length === 0) return
  const commands: Record<string, string> = { npx: 'npx', start: 'npm start' }
  throw new UsageError(
    `npm consumed ${joinNames(consumed)}. Put options for Plumbline after "--": ` +
      `${commands[script] ?? `npm run ${script}`} -- …`,
  )
}
