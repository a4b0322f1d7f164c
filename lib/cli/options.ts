import { Command, InvalidArgumentError, Option } from 'commander'

/** Takes the exit status of a command, when it has one. */
export type Finish = (status: Promise<number>) => Promise<void>

/** @param exitStatus what the statuses mean, for the end of its help */
export function newCommand(name: string, description: string, exitStatus: string): Command {
  return new Command(name)
    .description(description)
    .addHelpText('after', `\nExit status: ${exitStatus}`)
}

/** Taken by every command. */
export const envFileOption = () =>
  new Option('--env-file <file>', 'read variables from this file instead of .env')

export const faultOption = () =>
  new Option(
    '--fault <name>',
    'give the embedded reference deployment this fault; "plumbline reference --list" has all',
  )

export const variantOption = () =>
  new Option(
    '--variant <name>',
    'let the embedded reference deployment choose differently; the same list has all',
  )

export const noEmbeddedOption = () =>
  new Option('--no-embedded', 'take it for a mistake when no deployment is configured')

/**
 * Reads the value of an option that is a whole number in digits alone.
 *
 * @param words what the limits are, where they do not speak for themselves
 */
export function wholeNumber(from: number, to: number, words = ''): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= from && number <= to) return number
    throw new InvalidArgumentError(`It must be a whole number from ${from} to ${to}${words}.`)
  }
}
