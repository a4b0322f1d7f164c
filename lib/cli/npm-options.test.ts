import { Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { refuseOptionsTakenByNpm } from './npm-options.ts'
import { UsageError } from './usage-error.ts'

const run = new Command('run')
  .option('--fault <name>')
  .option('--service <name...>')
  .option('--pin')
  .option('--no-embedded')
  .option('--env-file <file>')

const compare = new Command('compare')
  .argument('<before>')
  .argument('<after>')
  .option('--quiet')
  .addOption(new Option('--style <style>').choices(['text', 'json']))
  .option('--title <text>')

const waive = new Command('waive').argument('[pattern...]').option('--link <url>')

const npm = {
  npm_config_user_agent: 'npm/11.0.0 node/v24.0.0 linux x64',
  npm_lifecycle_event: 'start',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js run',
  npm_config_prefix: '/usr',
  npm_config_yes: '',
}
const npmRun = {
  ...npm,
  npm_lifecycle_event: 'plumbline',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js',
}

/** The command line that is told, or `undefined` where nothing is refused. */
async function told(command: Command, words: string[], environment: NodeJS.ProcessEnv) {
  try {
    await refuseOptionsTakenByNpm(command, words, environment)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message.split('\n  ')[1]
  }
}

describe('an option that npm took for its own', () => {
  it.each<[NodeJS.ProcessEnv, string[], string]>([
    [{ npm_config_fault: 'true' }, ['a'], '--fault a'],
    [{ npm_config_fault: 'a' }, [], '--fault a'],
    [{ npm_config_fault: 'true' }, ['a', 'b'], '--fault <name>'],
    [{ npm_config_fault: 'true' }, ['a', '--pin'], '--fault <name>'],
    [{ npm_config_service: 'true\n\ntrue' }, ['a', 'b'], '--service a b'],
    [{ npm_config_service: 'a\n\nb' }, [], '--service a b'],
    [{ npm_config_pin: 'true' }, [], '--pin'],
    [{ npm_config_embedded: '' }, [], '--no-embedded'],
    [{ npm_config_env_file: "it's" }, [], "--env-file 'it'\\''s'"],
    [{ npm_config_fault: 'true', npm_config_pin: 'true' }, ['a'], '--fault a --pin'],
    [{ npm_config_service: 'true', npm_config_env_file: 'x' }, ['a'], '--service a --env-file x'],
    [
      { npm_config_service: 'true', npm_config_env_file: 'true' },
      ['incident-status', 'x.env', 'code-hosting'],
      '--service incident-status code-hosting --env-file x.env',
    ],
    [
      { npm_config_service: 'true', npm_config_fault: 'true' },
      ['code-hosting', 'x'],
      '--fault x --service code-hosting',
    ],
    [
      { npm_config_service: 'true', npm_config_fault: 'true' },
      ['a', 'b'],
      '--fault <name> --service <name...>',
    ],
  ])('and left as %j and %j is told of', async (environment, words, options) => {
    expect(await told(run, words, { ...npm, ...environment })).toBe(`npm start -- ${options}`)
  })

  it.each<[NodeJS.ProcessEnv, string[], string]>([
    [{ npm_config_quiet: 'true' }, ['a', 'b'], 'a b --quiet'],
    [{ npm_config_style: 'true' }, ['json', 'a', 'b'], 'a b --style json'],
    [{ npm_config_title: 'x' }, ['a', 'b'], 'a b --title x'],
    [{ npm_config_title: 'true' }, ['a', 'x', 'b'], '--title <text>'],
    [{ npm_config_title: 'x', npm_config_quiet: 'true' }, ['a', 'b'], 'a b --quiet --title x'],
  ])('and left as %j and %j among arguments', async (environment, words, rest) => {
    expect(await told(compare, words, { ...npmRun, ...environment })).toBe(
      `npm run plumbline -- compare ${rest}`,
    )
  })

  it.each<[NodeJS.ProcessEnv, string[], string]>([
    [{ npm_config_embeded: '' }, [], '--no-embedded'],
    [{ npm_config_noembedded: 'true' }, [], '--no-embedded'],
    [{ npm_config_fualt: 'x' }, [], '--fault x'],
    [{ npm_config_evn_file: 'x' }, [], '--env-file x'],
    [{ npm_config_envfile: 'true' }, ['x.env'], '--env-file x.env'],
    [{ npm_config_services: 'true' }, ['a', 'b'], '--service a b'],
    [{ npm_config_srevice: 'a', npm_config_pinn: 'true' }, [], '--service a --pin'],
  ])('and is misspelt, as %j with %j', async (environment, words, options) => {
    expect(await told(run, words, { ...npm, ...environment })).toBe(`npm start -- ${options}`)
  })

  it('is told of as what it probably is where it is misspelt', async () => {
    const refusal = (environment: NodeJS.ProcessEnv) =>
      refuseOptionsTakenByNpm(run, [], { ...npm, ...environment })

    await expect(refusal({ npm_config_embeded: '' })).rejects.toThrow(
      'npm took --no-embeded for an option of its own. --no-embeded is probably --no-embedded. What',
    )
    await expect(
      refusal({ npm_config_fualt: 'x', npm_config_services: 'y', npm_config_pin: 'true' }),
    ).rejects.toThrow(
      'npm took --fualt, --services and --pin for options of its own. ' +
        '--fualt and --services are probably --fault and --service. What',
    )
  })

  it('is told of by name, with no character for the terminal in it', async () => {
    const environment = { ...npm, npm_config_fault: 'a\u001b[31m' }
    await expect(refuseOptionsTakenByNpm(run, [], environment)).rejects.toThrow(
      /^npm took --fault for an option of its own\. What is meant for Plumbline stands behind two dashes:\n {2}npm start -- --fault '[ -~␛]*'$/u,
    )
  })
})

describe('nothing is refused', () => {
  it.each<[string, Command, string[], NodeJS.ProcessEnv]>([
    ['without npm', run, ['a'], { npm_config_fault: 'true' }],
    [
      'of another package manager',
      run,
      [],
      { ...npm, npm_config_user_agent: 'pnpm/10.0.0 npm/? node/v24.0.0', npm_config_pin: 'true' },
    ],
    ['that npm did not take', run, [], npm],
    ['that was given all the same', run, ['--fault', 'a'], { ...npm, npm_config_fault: 'a' }],
    ['that was given with =', run, ['--fault=a'], { ...npm, npm_config_fault: 'a' }],
    ['that is an option of npm too', waive, [], { ...npmRun, npm_config_link: 'true' }],
    [
      'that is not near, as settings of npm and of other tools',
      run,
      [],
      {
        ...npm,
        npm_config_audit: '',
        npm_config_cafile: '/etc/ssl/certs/authorities.pem',
        npm_config_include: 'dev',
        npm_config_nodedir: '/usr',
        npm_config_noproxy: '',
        npm_config_python: '/usr/bin/python3',
        npm_config_reporter: 'silent',
        npm_config_spin: 'true',
        npm_config_target_arch: 'x64',
        npm_config_user_agent: npm.npm_config_user_agent,
        'npm_config_//packages.example.com/:_authToken': 'x',
      },
    ],
    [
      'that was given all the same, beside one that is misspelt',
      run,
      ['--fault', 'a'],
      { ...npm, npm_config_fualt: 'a' },
    ],
    ['that is off', run, [], { ...npm, npm_config_pin: '' }],
  ])('%s', async (_name, command, words, environment) => {
    expect(await told(command, words, environment)).toBeUndefined()
  })
})
