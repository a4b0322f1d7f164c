import { Command, CommanderError } from 'commander'
import { withoutWorkflowCommands } from '../reports/annotations.ts'
import { printableText } from '../reports/printable.ts'
import { proveCommand } from './prove.ts'
import { referenceCommand } from './reference.ts'
import { requirementsCommand } from './requirements.ts'
import { runCommand } from './run.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'

const USAGE_STATUS = 2
const DEFECT_STATUS = 3

async function main(): Promise<number> {
  let status = 0
  const finish = async (outcome: Promise<number>) => {
    status = await outcome
  }
  const program = new Command('plumbline')
    .description(
      'Probes a live deployment of code hosting, event publishing and incident status services ' +
        'and tells, statement by statement, whether it does what their documents say.',
    )
    .version(version)
    .addCommand(runCommand(finish))
    .addCommand(requirementsCommand(finish))
    .addCommand(referenceCommand(finish))
    .addCommand(proveCommand(finish))
    .addHelpText(
      'after',
      '\nExit status: 0 conformant, 1 a requirement failed, 2 the configuration or the command\n' +
        'line is wrong, 3 no failure but something got no verdict.',
    )
  for (const command of [program, ...program.commands]) {
    command.exitOverride().showHelpAfterError('("--help" tells more)')
  }
  try {
    await program.parseAsync()
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_STATUS
    if (error instanceof UsageError) {
      process.stderr.write(`plumbline: ${error.message}\n`)
      return USAGE_STATUS
    }
    process.stderr.write(`plumbline: a defect of Plumbline itself; please report it:\n`)
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${withoutWorkflowCommands(printableText(told))}\n`)
    return DEFECT_STATUS
  }
}

process.exit(await main())
