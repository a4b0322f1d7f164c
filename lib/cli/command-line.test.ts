import { describe, expect, it } from 'vitest'
import { versions } from '../conformance/requirement.ts'
import { faults, variants } from '../reference/index.ts'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { createNestedContext, version } from './context.ts'
import { sharedSuites } from './enclosed-run.fixture.ts'
import { catalogues } from './services.ts'

async function reported(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const context = { ...createNestedContext(temporaryDirectory(), sharedSuites), environment }
  const status = await runCommandLine(args, context)
  return { status, ...context.reported }
}

const npmStart = {
  npm_config_user_agent: 'npm/11.0.0 node/v24.0.0 linux x64',
  npm_command: 'start',
  npm_lifecycle_event: 'start',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js run',
  npm_config_prefix: '/usr',
}
const npmRun = {
  ...npmStart,
  npm_command: 'run',
  npm_lifecycle_event: 'plumbline',
  npm_lifecycle_script: 'node -- lib/cli/plumbline.js',
}

describe('an option that npm consumed', () => {
  it.each<[NodeJS.ProcessEnv, string[], string, string]>([
    [{ npm_config_fault: 'true' }, ['run', 'a'], '--fault', 'npm start'],
    [{ npm_config_embedded: '' }, ['run'], '--no-embedded', 'npm start'],
    [{ npm_config_env_file: 'a' }, ['run'], '--env-file', 'npm start'],
    [{ ...npmRun, npm_config_reason: 'a' }, ['waive'], '--reason', 'npm run plumbline'],
  ])('is rejected: %j and %j', async (environment, args, names, line) => {
    const { status, errors } = await reported(args, { ...npmStart, ...environment })
    expect(status).toBe(2)
    expect(errors).toBe(
      `plumbline: npm consumed ${names}. Put options for Plumbline after "--": ${line} -- …\n`,
    )
  })

  it('is accepted if the command received it too', async () => {
    const environment = { ...npmStart, npm_config_service: 'code-hosting' }
    const { errors } = await reported(['run', '--service=nope'], environment)
    expect(errors).toContain('--service nope')
  })
})

describe('a wrong command line', () => {
  it.each<[string[], string]>([
    [['runn'], "unknown command 'runn'\n(Did you mean run?)"],
    [['doctor', '--fault=x'], "unknown option '--fault=x'"],
    [['run', '--baseline', 'b', '--pin', '--update-baseline'], 'cannot be used with option'],
    [['provision', '--family', 'gitea', '--remove', '--overwrite'], 'cannot be used with option'],
    [['run', 'nope'], "too many arguments for 'run'"],
    [['compare', 'a.json', 'b.json'], 'a.json does not exist.'],
    [['history', '--history', 'h.ndjson'], 'h.ndjson does not exist'],
    [['compare', 'a'], 'Usage: plumbline compare [options] <before> <after>'],
    [['run', '--fault', 'limit-not-lowerd'], 'Did you mean limit-not-lowered? "plumbline refer'],
    [['run', '--fault', 'limit-*'], '--fault limit-* names no fault. '],
    [
      ['run', '--fault', 'wrong-password-accepted', '--fault', 'basic-refused'],
      'the faults wrong-password-accepted and basic-refused change the same rule, passwordHolds.',
    ],
    [
      ['run', '--variant', 'base-path', '--fault', 'disabled-legacy-accepted'],
      'disabled-legacy-accepted needs the variant legacy-disabled, not base-path.',
    ],
    [['run', '--variant', 'base-path', '--variant', 'link-relative'], 'Use one variant at a time.'],
    [['run', '--requirement', 'limit-lowerd'], 'mean code-hosting/pagination/limit-lowered?'],
    [['run', '--requirement', ''], '--requirement  matches no requirement'],
    [['run', '--service', 'nope'], '--service nope is not known; there is code-hosting,'],
    [['run', '--service', 'code-hosting', '--no-embedded'], 'set one of CODE_HOSTING_BASE_URL'],
    [['run', '--no-embedded', '--fault', 'limit-not-lowered'], 'cannot be used with option'],
    [['run', '--env-file', 'nope.env'], '--env-file  nope.env does not exist: name'],
    [
      ['run', '--reports', '/dev/null/reports'],
      '(ENOTDIR); nothing was sent. Name another folder, such as --reports "$(mktemp -d)"',
    ],
    [['provision', '--family', 'nope'], 'Allowed choices are gitea.'],
    [['run', '--as-of', '0.0.9'], versions.join(', ')],
    [
      ['provision', '--family', 'gitea', '--prefix', 'Mine'],
      'lower-case letters and digits followed',
    ],
    [['reference', '--port', '1e3'], 'It must be a whole number from 0 to 65535.'],
    [['reference', '--list', 'base-pth'], 'Did you mean base-path?'],
    [['reference', '--overwrite'], '--overwrite needs --output'],
  ])('is rejected: %j', async (args, text) => {
    const { status, output, errors } = await reported(args)
    expect([status, output]).toEqual([2, ''])
    expect(errors).toMatch(/^plumbline: /)
    expect(errors).toContain(text)
    expect(errors).not.toMatch(/\n\s+at .*:\d+:\d+/)
  })
})

it('a message hides a secret, and keeps its own text despite a short secret', async () => {
  const context = createNestedContext(temporaryDirectory(), sharedSuites)
  context.redactor.add('EVENT_PUBLISHING_API_KEY', 'hunter2')
  context.redactor.add('INCIDENT_STATUS_API_KEY', 'in')
  expect(await runCommandLine(['run', '--fault', 'hunter2'], context)).toBe(2)
  expect(context.reported.errors).toContain('--fault $EVENT_PUBLISHING_API_KEY names no fault')
  expect(await runCommandLine(['run', '--env-file', 'nope.env'], context)).toBe(2)
  expect(context.reported.errors).toContain(
    'the working directory. An empty value counts as not set.',
  )
})

describe('--help', () => {
  it('of every command lists exit statuses, --env-file and examples', async () => {
    const { status, output } = await reported(['--help'])
    const names = [...output.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name]) => name)

    expect(status).toBe(0)
    expect(names.length).toBeGreaterThan(10)
    for (const name of names) {
      const help = await reported([name ?? '', '--help'])
      expect(help.status).toBe(0)
      const [usage = ''] = help.output.match(/(?<=^Usage: plumbline ).*/) ?? []
      expect(output).toContain(`\n  ${usage} `)
      expect(help.output, name).toMatch(/\n\nExit status: /)
      expect(help.output, name).toContain('--env-file')
      const [options = '', examples = ''] = help.output.split('\n\nExamples:\n')
      expect(examples).toMatch(new RegExp(`^(  plumbline ${name}( .*)?\n)+$`))
      for (const [option] of examples.matchAll(/--[a-z-]+/g)) expect(options).toContain(option)
    }
  })

  it('--version prints the versions of Plumbline and Node.js', async () => {
    const { output } = await reported(['--version'])
    expect(output).toBe(`plumbline ${version}, Node.js ${process.versions.node}\n`)
  })
})

describe('lists', () => {
  const requirements = catalogues.flatMap((catalogue) => [...catalogue.requirements])

  it('contain every requirement and how it is judged, also from a process', async () => {
    const { status, output } = await plumbline(['requirements'])

    expect(status).toBe(0)
    for (const { id } of requirements) expect(output).toContain(`${id}\n`)
    expect(output).toContain('judged by: probe, invariant')
    expect(output).toContain('not tested: ')
  })

  it('are JSON for programs, and can be filtered', async () => {
    const args = ['requirements', '--format', 'json', '--requirement', 'incident-status']
    expect(JSON.parse((await reported(args)).output)).toHaveLength(8)
  })

  it('contain every fault with the requirements that it breaks, and every variant', async () => {
    const { status, output } = await reported(['reference', '--list'])

    expect(status).toBe(0)
    for (const { name, requirements: broken } of faults) {
      expect(output).toContain(`\n  ${[name, ...broken].join('\n      ')}\n`)
    }
    for (const { name } of variants) expect(output).toContain(`\n  ${name}\n`)
  })
})
