import type { Command } from 'commander'
import type { Catalogue } from '../conformance/requirement.ts'
import { printableSentence } from '../reports/printable.ts'
import { joinNames } from '../target/problems.ts'
import { invocation, shellArgument } from './invocation.ts'
import { UsageError } from './usage-error.ts'

interface Kind {
  /** Of the option that takes such a value. */
  option: string
  isOne: (word: string) => boolean | Promise<boolean>
}

/** What a word may be that stands where no argument belongs. */
const kinds: readonly Kind[] = [
  { option: '--env-file', isOne: (word) => word.endsWith('.env') },
  {
    option: '--service',
    isOne: async (word) => {
      const { catalogues } = await import('./catalogues.ts')
      return Object.values(catalogues).some(({ service }) => service === word)
    },
  },
  {
    option: '--requirement',
    isOne: async (word) => {
      const { catalogues } = await import('./catalogues.ts')
      const { matcherOf } = await import('./select-requirements.ts')
      const matches = matcherOf(word)
      return Object.values<Catalogue>(catalogues).some(({ requirements }) =>
        requirements.some(({ id }) => matches(id)),
      )
    },
  },
  {
    option: '--fault',
    isOne: async (word) => (await import('./reference-names.ts')).isNameOf('fault', word),
  },
  {
    option: '--variant',
    isOne: async (word) => (await import('./reference-names.ts')).isNameOf('variant', word),
  },
]

/** `--fault` for the name of a fault, and so on; of the options of a command alone. */
export async function optionFor(word: string, { options }: Command): Promise<string | undefined> {
  const choice = options.find(({ argChoices }) => argChoices?.includes(word))
  if (choice !== undefined) return `--${choice.name()}`
  for (const { option, isOne } of kinds) {
    if (options.some(({ long }) => long === option) && (await isOne(word))) return option
  }
  return undefined
}

/** The command line that was probably meant; `undefined` where nothing tells. */
async function meantLine(
  command: Command,
  word: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const { registeredArguments: places, args, parent } = command
  if (parent?.commands.some((other) => other.name() === word)) {
    const [, ...rest] = words
    const others = rest.toSpliced(rest.indexOf(word), 1).map(shellArgument)
    // The script of `npm start` is one command, and no argument makes another of it.
    const isOther = environment.npm_lifecycle_event === 'start' && word !== command.name()
    const place = isOther
      ? { ...environment, npm_lifecycle_event: 'plumbline', npm_lifecycle_script: undefined }
      : environment
    return [invocation(word, place), ...others].join(' ')
  }
  const option = await optionFor(word, command)
  if (option === undefined) return undefined
  const kept = args.slice(0, places.length).map(shellArgument)
  return [invocation(command.name(), environment), ...kept, option, shellArgument(word)].join(' ')
}

/**
 * Refuses an argument for which a command has no place, and tells what it was probably to be. The
 * parser itself only counts them.
 *
 * @param words the whole command line
 * @throws UsageError when there is one
 */
export async function refuseSurplusArguments(
  command: Command,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { registeredArguments: places, args } = command
  const [first] = places.at(-1)?.variadic === true ? [] : args.slice(places.length)
  if (first === undefined) return
  const taken = joinNames(places.map((place) => `<${place.name()}>`))
  const line = await meantLine(command, first, words, environment)
  throw new UsageError(
    `${command.name()} takes ${taken === '' ? 'no arguments' : `${taken} alone`}, and there is no ` +
      `place for ${printableSentence(first)}. ${
        line === undefined
          ? `"plumbline ${command.name()} --help" tells more.`
          : `Did you mean this?\n  ${printableSentence(line)}`
      }`,
  )
}
