import { InvalidArgumentError, Option } from 'commander'

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
