import { describe, expect, it } from 'vitest'
import { faults, variants } from '../reference/index.ts'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { enclosedContext } from './context.ts'
import { catalogues } from './services.ts'

interface Answer {
  status: number
  output: string
  errors: string
}

async function told(args: string[], environment: NodeJS.ProcessEnv = {}): Promise<Answer> {
  const context = { ...enclosedContext(temporaryDirectory()), environment }
  const status = await runCommandLine(args, context)
  return { status, ...context.told }
}

const npmStart = {
  npm_config_user_agent: 'npm/11.0.0 node/v24.0.0 linux x64',
  npm_command: 'start',
  npm_lifecycle_event: 'start',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js run',
  npm_config_prefix: '/usr',
  npm_config_yes: '',
}
const npmRun = {
  ...npmStart,
  npm_command: 'run',
  npm_lifecycle_event: 'plumbline',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js',
}

describe('an option that npm took for its own', () => {
  it.each<[NodeJS.ProcessEnv, string[], string, string]>([
    [{ npm_config_fault: 'true' }, ['run', 'a'], '--fault', 'npm start -- --fault a'],
    [{ npm_config_fault: 'a' }, ['run'], '--fault', 'npm start -- --fault a'],
    [{ npm_config_pin: 'true' }, ['run', '--fault', 'a'], '--pin', 'npm start -- --pin --fault a'],
    [{ npm_config_embedded: '' }, ['run'], '--no-embedded', 'npm start -- --no-embedded'],
    [{ npm_config_env_file: "it's" }, ['run'], '--env-file', "npm start -- --env-file 'it'\\''s'"],
    [
      { ...npmRun, npm_config_reason: 'spring' },
      ['waive'],
      '--reason',
      'npm run plumbline -- waive --reason spring',
    ],
    [
      { npm_config_fault: 'a\u001b[31m', npm_config_pin: 'true' },
      ['run'],
      '--pin and --fault',
      "npm start -- --pin --fault 'a\\u001b[31m'",
    ],
  ])('is told of: %j and %j', async (environment, args, names, line) => {
    const { status, errors } = await told(args, { ...npmStart, ...environment })
    expect(status).toBe(2)
    expect(errors).toBe(
      `plumbline: npm took ${names} for its own. What is meant for Plumbline stands behind two ` +
        `dashes:\n  ${line}\n`,
    )
  })

  it.each<[string, NodeJS.ProcessEnv, string[]]>([
    ['without npm', { npm_config_fault: 'true' }, []],
    [
      'of another package manager',
      { ...npmStart, npm_config_user_agent: 'pnpm/10.0.0 npm/? node/v24.0.0', npm_config_pin: '1' },
      [],
    ],
    [
      'that was given all the same',
      { ...npmStart, npm_config_fault: 'base-url' },
      ['--fault=limit-not-lowered'],
    ],
    ['that is off', { ...npmStart, npm_config_pin: '' }, []],
  ])('is not seen in one %s', async (_name, environment, options) => {
    const { errors } = await told(['run', '--service', 'nope', ...options], environment)
    expect(errors).toContain('--service nope')
  })
})

describe('a word that is misspelt or misplaced', () => {
  it.each<[string[], string]>([
    [['runn'], "unknown command 'runn'\n(Did you mean run?)"],
    [['run', '--requirment', 'x'], 'Did you mean --requirement?'],
    [['doctor', '--fault=x'], "unknown option '--fault=x'"],
    [['run', 'nope'], "too many arguments for 'run'"],
    [['compare', 'a'], 'Usage: plumbline compare [options] <before> <after>'],
    [['compare', 'a.json', 'b.json'], 'a.json does not exist.'],
    [['run', '--fault', 'nope'], '--fault nope names no fault. "plumbline reference --list" lists'],
    [['run', '--fault', 'limit-not-lowerd'], 'Did you mean limit-not-lowered? "plumbline refer'],
    [['run', '--variant', 'limit-not-lowered'], 'is a fault: --fault limit-not-lowered.'],
    [['prove', '--fault', 'base-*'], 'base-path is a variant: --variant base-path.'],
    [['prove', '--variant', 'nope'], '--variant nope names no variant. "plumbline reference'],
    [['run', '--requirement', 'limit-lowerd'], 'mean code-hosting/pagination/limit-lowered?'],
    [['run', '--requirement', 'nix'], 'nix matches no requirement of the chosen services.'],
    [['run', '--requirement', ''], '--requirement names nothing'],
    [['requirements', '--requirement', 'walk'], 'Did you mean code-hosting/pagination/walk?'],
    [['run', '--service', 'nope'], '--service nope is not known; there is code-hosting,'],
    [['run', '--service', 'code-hosting', '--no-embedded'], 'set one of CODE_HOSTING_BASE_URL'],
    [['run', '--no-embedded', '--fault', 'limit-not-lowered'], 'contradict each other'],
    [['run', '--env-file', 'nope.env'], '--env-file  cannot be read: no such file or directory'],
    [['run', '--reports', ''], '--reports names no directory'],
    [['run', '--reports', '/dev/null'], 'cannot be written to: not a directory (ENOTDIR)'],
    [['run', '--reports', '/dev/null/reports'], 'cannot be written to: not a directory (ENOTDIR)'],
    [['run', '--reports', '/proc/none/reports'], 'cannot be written to: no such file'],
    [['provision', '--family', 'nope'], 'Allowed choices are gitea.'],
    [['provision', '--family', 'gitea', '--prefix', 'Mine'], 'lower case letters and digits with'],
    [['reference', '--port', '65536'], 'It must be a whole number from 0 to 65535.'],
    [['reference', '--port', '1e3'], 'It must be a whole number from 0 to 65535.'],
    [['reference', '--latency', '3600001'], 'from 0 to 3600000, which is an hour.'],
    [['reference', '--list', 'nope'], '--list nope names no fault and no variant. Without'],
    [['reference', '--list', 'base-pth'], 'Did you mean base-path?'],
    [['reference', '--overwrite'], '--overwrite needs --output'],
    [['reference', '--output', 'missing/dir/r.env'], 'the directory of missing/dir/r.env does not'],
    [['reference', '--output', '/dev/null/r.env'], '/dev/null/r.env is below the file /dev/null'],
  ])('is told of: %j', async (args, text) => {
    const { status, output, errors } = await told(args)
    expect([status, output]).toEqual([2, ''])
    expect(errors).toMatch(/^plumbline: /)
    expect(errors).toContain(text)
    expect(errors).not.toMatch(/\n\s+at .*:\d+:\d+/)
  })
})

describe('a secret', () => {
  async function refusedWith(secret: string, ...args: string[]): Promise<string> {
    const context = enclosedContext(temporaryDirectory())
    context.redactor.add('EVENT_PUBLISHING_API_KEY', secret)
    expect(await runCommandLine(args, context)).toBe(2)
    return context.told.errors
  }

  it.each(['k', 'in', '-'])('%s of few characters is not seen in our own words', async (secret) => {
    const errors = await refusedWith(secret, 'run', '--env-file', 'nope.env')
    expect(errors).toContain('give a readable file with lines of the form NAME=value; its path')
    expect(errors).toContain('the working directory. An empty value counts as not set.')
  })

  it('of some more is hidden in a message', async () => {
    expect(await refusedWith('hunter2', 'run', '--fault', 'hunter2')).toContain(
      '--fault $EVENT_PUBLISHING_API_KEY names no fault',
    )
  })
})

describe('--help', () => {
  it('of every command tells its exit statuses and takes an environment file', async () => {
    const { status, output } = await told(['--help'])
    const names = [...output.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name]) => name)

    expect(status).toBe(0)
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      const help = await told([name ?? '', '--help'])
      expect(help.status).toBe(0)
      expect(help.output).toContain(`Usage: plumbline ${name}`)
      expect(help.output, name).toMatch(/\n\nExit status: /)
      expect(help.output, name).toContain('--env-file')
    }
  })
})

describe('what can be listed', () => {
  const requirements = catalogues.flatMap((catalogue) => [...catalogue.requirements])

  it('is every statement with what judges it, by a process too', async () => {
    const { status, output } = await plumbline(['requirements'])

    expect(status).toBe(0)
    for (const { id } of requirements) expect(output).toContain(`${id}\n`)
    expect(output).toContain('judged by: probe, invariant')
    expect(output).toContain('not tested: ')
  })

  it('is JSON for programs, and a part when asked', async () => {
    const { output } = await told([
      'requirements',
      '--format',
      'json',
      '--requirement',
      'incident-status',
    ])
    expect(JSON.parse(output)).toHaveLength(6)
  })

  it('is every fault with the requirements that it breaks, and every variant', async () => {
    const { status, output } = await told(['reference', '--list'])

    expect(status).toBe(0)
    for (const { name, requirements: broken } of faults) {
      expect(output).toContain(`\n  ${[name, ...broken].join('\n      ')}\n`)
    }
    for (const { name } of variants) expect(output).toContain(`\n  ${name}\n`)
  })

  it('is what names and globs match, each once', async () => {
    expect((await told(['reference', '--list', 'base-path', 'base-p*'])).output).toBe(
      'Variants, which break none (1)\n  base-path\n',
    )
  })
})
