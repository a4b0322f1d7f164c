import { Command, InvalidArgumentError } from 'commander'
import { environmentLine } from '../target/environment-line.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { envFileOption, faultOption, variantOption } from './options.ts'

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Names of faults with the requirements that each breaks, then names of variants. */
async function list(): Promise<number> {
  const { faults, variants } = await import('../reference/index.ts')
  const lines = [
    'Faults, and the requirements that each breaks:',
    ...faults.map(({ name, requirements }) => `  ${name}: ${requirements.join(', ')}`),
    '',
    'Variants, which break none:',
    ...variants.map(({ name }) => `  ${name}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

async function serve(options: EmbeddedOptions): Promise<number> {
  const reference = await startEmbedded(options)
  const lines = Object.entries(reference.environment).map((entry) => environmentLine(...entry))
  process.stdout.write(`${lines.join('\n')}\n`)
  process.stderr.write(
    `The reference deployment listens at ${reference.baseUrl} until Ctrl-C. With its environment,\n` +
      'which went to standard output, in a file: npm start -- --env-file FILE\n',
  )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await reference.close()
  return 0
}

export function referenceCommand(finish: (status: Promise<number>) => Promise<void>): Command {
  return new Command('reference')
    .description('serve the reference deployment and print an environment file for it')
    .option('--port <number>', 'listen there instead of at a free port', wholeNumber)
    .option('--latency <ms>', 'hold back each response by so many milliseconds', wholeNumber)
    .option('--list', 'list the faults and variants instead')
    .addOption(faultOption())
    .addOption(variantOption())
    .addOption(envFileOption())
    .action((options: EmbeddedOptions & { list?: boolean }) =>
      finish(options.list ? list() : serve(options)),
    )
}
