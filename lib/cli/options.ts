import { type Command, InvalidArgumentError, Option } from 'commander'
import { joinNames } from '../environment/errors.ts'
import { UsageError } from './context.ts'

export const formatOption = (words: string, formats: readonly string[]) =>
  new Option('--format <format>', words).choices(formats).default(formats[0])

export const faultOption = new Option(
  '--fault <name...>',
  'give the embedded reference deployment these faults; "plumbline reference --list" has all',
)
export const variantOption = new Option(
  '--variant <name>',
  'let the embedded reference deployment choose differently; the same list has all',
).argParser((name, before?: string) => {
  if (before === undefined) return name
  throw new InvalidArgumentError('One variant at a time.')
})

/** Reads the value of an option that is a whole number in digits alone. */
export function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= from && number <= to) return number
    throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}.`)
  }
}

/** Reads the seed of samples: a whole number, or the day in UTC as one. */
export function seed(text: string): number {
  if (text === 'today') return Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''))
  return wholeNumber(0, 2 ** 31 - 1)(text)
}

/** Reads how many of all at least: a number, or a share of them such as `50%`. */
export function atLeast(text: string): (all: number) => number {
  const [, digits, sign] = /^(\d{1,6})(%?)$/.exec(text) ?? []
  const number = Number(digits)
  if (number >= 1 && (sign === '' || number <= 100)) {
    return (all) => (sign === '' ? number : Math.ceil((all * number) / 100))
  }
  throw new InvalidArgumentError('It must be a number such as 40, or a share from 1% to 100%.')
}

/** Options of npm as well, some of which it sets always. */
const npmsOwn = ['link', 'prefix', 'version', 'yes']

/**
 * Of `npm start --fault NAME`, without two dashes in front, a command gets `NAME` alone, and of
 * `npm start --pin` nothing at all: it would do something else than its user has asked for. npm tells
 * of an option that it took as `npm_config_<name>`, which is empty for one with `no-` in front.
 *
 * @throws UsageError that tells how to write it
 */
export function refuseOptionsTakenByNpm(
  { options }: Command,
  words: readonly string[],
  { npm_lifecycle_event: script, npm_config_user_agent: agent, ...variables }: NodeJS.ProcessEnv,
): void {
  if (script === undefined || agent?.startsWith('npm/') === false) return
  const taken = options.flatMap(({ long = '', negate }) => {
    const name = long.replace(negate ? '--no-' : '--', '')
    const value = variables[`npm_config_${name.replaceAll('-', '_')}`]
    const isTaken = value !== undefined && (value === '') === negate && !npmsOwn.includes(name)
    return isTaken && !words.some((word) => word.split('=')[0] === long) ? [long] : []
  })
  if (taken.length === 0) return
  const others: Record<string, string> = { npx: 'npx', start: 'npm start' }
  throw new UsageError(
    `npm took ${joinNames(taken)} for its own. What is meant for Plumbline stands behind two dashes: ` +
      `${others[script] ?? `npm run ${script}`} -- …`,
  )
}
