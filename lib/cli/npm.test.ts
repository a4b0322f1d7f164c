import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { UsageError } from './context.ts'
import { refuseOptionsTakenByNpm } from './npm.ts'

const run = new Command('run')
  .option('--fault <name>')
  .option('--pin')
  .option('--no-embedded')
  .option('--env-file <file>')
  .option('--link <url>')

const npm = {
  npm_config_user_agent: 'npm/11.0.0 node/v24.0.0 linux x64',
  npm_lifecycle_event: 'start',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js run',
  npm_config_prefix: '/usr',
  npm_config_yes: '',
}

function refusal(words: string[], environment: NodeJS.ProcessEnv): string | undefined {
  try {
    refuseOptionsTakenByNpm(run, words, environment)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message
  }
}

describe('an option that npm took for its own', () => {
  it.each<[NodeJS.ProcessEnv, string[], string]>([
    [{ npm_config_fault: 'true' }, ['a'], '--fault a'],
    [{ npm_config_fault: 'a' }, [], '--fault a'],
    [{ npm_config_pin: 'true' }, [], '--pin'],
    [{ npm_config_pin: 'true' }, ['--fault', 'a'], '--pin --fault a'],
    [{ npm_config_embedded: '' }, [], '--no-embedded'],
    [{ npm_config_env_file: "it's" }, [], "--env-file 'it'\\''s'"],
  ])('and left as %j and %j is told of', (environment, words, options) => {
    expect(refusal(words, { ...npm, ...environment })).toMatch(/^npm took --[a-z-]+ for its own\./)
    expect(refusal(words, { ...npm, ...environment })?.split('\n  ')[1]).toBe(
      `npm start -- ${options}`,
    )
  })

  it('is told of by name, with no character for the terminal in it', () => {
    expect(
      refusal([], { ...npm, npm_config_fault: 'a\u001b[31m', npm_config_pin: 'true' }),
    ).toMatch(
      /^npm took --fault and --pin for its own\. What is meant for Plumbline stands behind two dashes:\n {2}npm start -- --fault '[ -~␛]*' --pin$/u,
    )
  })
})

it.each<[string, string[], NodeJS.ProcessEnv]>([
  ['without npm', ['a'], { npm_config_fault: 'true' }],
  [
    'of another package manager',
    [],
    { ...npm, npm_config_user_agent: 'pnpm/10.0.0 npm/? node/v24.0.0', npm_config_pin: 'true' },
  ],
  ['that npm did not take', [], npm],
  ['that was given all the same', ['--fault', 'a'], { ...npm, npm_config_fault: 'a' }],
  ['that was given with =', ['--fault=a'], { ...npm, npm_config_fault: 'a' }],
  ['that is an option of npm too', [], { ...npm, npm_config_link: 'true' }],
  ['that is off', [], { ...npm, npm_config_pin: '' }],
])('nothing is refused %s', (_name, words, environment) => {
  expect(refusal(words, environment)).toBeUndefined()
})
