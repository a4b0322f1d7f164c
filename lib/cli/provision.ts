import { Command, InvalidArgumentError, Option } from 'commander'
import { DEFAULT_PREFIX, isPrefix, prefixRule } from '../provision/names.ts'
import { envFileOption } from './options.ts'
import type { ProvisionOptions } from './provision-server.ts'
import type { Surroundings } from './surroundings.ts'

function prefix(text: string): string {
  if (!isPrefix(text)) throw new InvalidArgumentError(`It must be ${prefixRule}.`)
  return text
}

export function provisionCommand(
  finish: (status: Promise<number>) => Promise<void>,
  surroundings?: Surroundings,
): Command {
  return new Command('provision')
    .description(
      'make accounts and repositories on a staging server, for full coverage of the code hosting ' +
        'service, and print an environment file for them',
    )
    .addOption(
      new Option('--family <name>', 'the kind of server').choices(['gitea']).makeOptionMandatory(),
    )
    .option(
      '--prefix <text>',
      'begin the names of all that is made with it',
      prefix,
      DEFAULT_PREFIX,
    )
    .option('--yes', 'do not ask before anything is made or deleted')
    .option('--output <file>', 'write the environment file there, readable for its owner only')
    .option('--overwrite', 'replace that file when it is there')
    .option('--include-admin', 'write the credentials of the administrator into it too')
    .option('--remove', 'take away what was made with this prefix, and nothing else')
    .addOption(envFileOption())
    .addHelpText(
      'after',
      '\nIt acts as the site administrator of CODE_HOSTING_ADMIN_USERNAME and …_PASSWORD, at\n' +
        'CODE_HOSTING_BASE_URL. It uses the API and the sign-in pages of servers of the Gitea family,\n' +
        'which are not in the documents by which Plumbline judges.\n' +
        '\nExit status: 0 done, 1 the server refused something, 2 the configuration or the command line\n' +
        'is wrong and nothing was sent, 3 it was stopped or the server could not be reached.',
    )
    .action((options: ProvisionOptions) =>
      finish(
        import('./provision-server.ts').then(({ provision }) => provision(options, surroundings)),
      ),
    )
}
