import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { enclosedContext } from './context.ts'

const npmStart = {
  npm_config_user_agent: 'npm/11.0.0 node/v24.0.0 linux x64',
  npm_command: 'start',
  npm_lifecycle_event: 'start',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js run',
}
const npmRun = {
  ...npmStart,
  npm_command: 'run',
  npm_lifecycle_event: 'plumbline',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js',
}

/** What a command line that is wrong is answered with. */
async function refused(args: string[], environment: Record<string, string> = {}): Promise<string> {
  const context = { ...enclosedContext(temporaryDirectory()), environment }
  const status = await runCommandLine(args, context)
  const { told } = context
  expect([status, told.output]).toEqual([2, ''])
  return told.errors
}

describe('an option that npm kept to itself', () => {
  it('is told of before anything is done', async () => {
    const errors = await refused(['run', 'limit-not-lowered'], {
      ...npmStart,
      npm_config_fault: 'true',
    })
    expect(errors).toContain('npm took --fault')
    expect(errors).toContain('\n  npm start -- --fault limit-not-lowered\n')
    expect(await refused(['run'], { ...npmStart, npm_config_pin: 'true' })).toContain('-- --pin')
    expect(await refused(['waive'], { ...npmRun, npm_config_reason: 'spring' })).toContain(
      'npm run plumbline -- waive --reason spring',
    )
  })
})

describe('a word that is misspelt or misplaced', () => {
  it.each<[string[], string]>([
    [['runn'], "unknown command 'runn'\n(Did you mean run?)"],
    [['run', '--requirment', 'x'], 'Did you mean --requirement?'],
    [['--fault', 'x'], "unknown option '--fault'"],
    [['doctor', '--fault=x'], "unknown option '--fault=x'"],
    [['run', 'nope'], "too many arguments for 'run'"],
    [['compare', 'a', 'b', 'c'], "too many arguments for 'compare'"],
    [['compare', 'a'], 'Usage: plumbline compare [options] <before> <after>'],
    [['run', '--fault', 'nope'], '--fault nope names no fault. "plumbline reference --list" lists'],
    [['run', '--fault', 'limit-not-lowerd'], 'Did you mean limit-not-lowered? "plumbline refer'],
    [['run', '--variant', 'limit-not-lowered'], 'is a fault: --fault limit-not-lowered.'],
    [['prove', '--fault', 'base-*'], 'base-path is a variant: --variant base-path.'],
    [['prove', '--variant', 'nope'], '--variant nope names no variant. "plumbline reference'],
    [['run', '--requirement', 'limit-lowerd'], 'mean code-hosting/pagination/limit-lowered?'],
    [
      ['run', '--requirement', 'nix'],
      'nix matches no requirement of the chosen services. "plumbline',
    ],
    [['requirements', '--requirement', 'walk'], '. Did you mean code-hosting/pagination/walk?'],
    [['provision', '--family', 'nope'], 'Allowed choices are gitea.'],
    [['reference', '--port', '65536'], 'It must be a whole number from 0 to 65535.'],
    [['reference', '--port', '-1'], 'It must be a whole number from 0 to 65535.'],
    [['reference', '--port', '1e3'], 'It must be a whole number from 0 to 65535.'],
    [['reference', '--latency', '3600001'], 'from 0 to 3600000, which is an hour.'],
    [['reference', '--list', 'nope'], '--list nope names no fault and no variant. Without'],
    [['reference', '--list', 'base-pth'], 'Did you mean base-path?'],
    [['reference', '--overwrite'], '--overwrite needs --output'],
    [
      ['reference', '--output', 'missing/reference.env'],
      'missing cannot be written to: no such file',
    ],
  ])('is told of: %j', async (args, text) => {
    const errors = await refused(args)
    expect(errors).toMatch(/^plumbline: /)
    expect(errors).toContain(text)
  })
})

describe('a secret of a few characters', () => {
  /** What is answered when the redactor knows a secret. */
  async function refusedWith(secret: string, ...args: string[]): Promise<string> {
    const context = enclosedContext(temporaryDirectory())
    context.redactor.add('EVENT_PUBLISHING_API_KEY', secret)
    expect(await runCommandLine(args, context)).toBe(2)
    return context.told.errors
  }

  it.each(['k', 'e', 'in', 'ing', '-'])(
    '%s is not seen in the words of a message',
    async (secret) => {
      const errors = await refusedWith(secret, 'run', '--env-file', 'nope.env')
      expect(errors).toContain(
        'give a readable file with lines of the form NAME=value; its path starts',
      )
      expect(errors).toContain('the working directory. An empty value counts as not set.')
    },
  )

  it('of some more is hidden in a message', async () => {
    expect(await refusedWith('hunter2', 'run', '--fault', 'hunter2')).toContain(
      '--fault $EVENT_PUBLISHING_API_KEY names no fault',
    )
  })
})
