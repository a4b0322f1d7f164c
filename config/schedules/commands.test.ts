import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { enclosedCommand } from '../../lib/cli/enclosed-run.fixture.ts'
import { template } from './template.fixture.ts'

/** Commands of Plumbline in a text for a shell, each from its name to the end of its line. */
function commandsIn(shell: string): string[] {
  const lines = shell.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.flatMap((line) => /\bplumbline(?:\.js)? (\w+ [^'`]*)/.exec(line)?.[1] ?? [])
}

function inGitHubActions(): string[] {
  const { jobs } = parse(template('github-actions.yml'))
  return Object.values<{ steps: { run?: string }[] }>(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run = '' }) => commandsIn(run)),
  )
}

function inGitLabCi(): string[] {
  return parse(template('gitlab-ci.yml')).probe.script.flatMap(commandsIn)
}

function inKubernetes(): string[] {
  return parseAllDocuments(template('kubernetes.yaml'))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === 'CronJob')
    .map(({ spec }) => spec.jobTemplate.spec.template.spec.containers[0].args.join(' '))
}

const templates: [string, string[]][] = [
  ['github-actions.yml', inGitHubActions()],
  ['gitlab-ci.yml', inGitLabCi()],
  ['Jenkinsfile', commandsIn(template('Jenkinsfile'))],
  ['kubernetes.yaml', inKubernetes()],
  ['plumbline@.service', commandsIn(template('plumbline@.service'))],
]

const readme = template('README.md')

/** Returns the arguments of a command for the deployment staging. */
const forStaging = (command: string) =>
  command
    .replaceAll(/\$[({]?MIN_JUDGED(:-50%)?[)}]?/g, '50%')
    .replaceAll(/\$\{\{ matrix\.deployment \}\}|\$DEPLOYMENT|%i/g, 'staging')
    .replaceAll('"', '')
    .split(' ')

const fileAfter = (option: string, words: readonly string[]) =>
  words[words.indexOf(option) + 1] ?? ''

it('a repository for the schedule ignores exactly the files that the commands write', () => {
  const directory = temporaryDirectory()
  const [, patterns = ''] = /^printf '%s\\n' (.*) > \.gitignore$/m.exec(readme) ?? []
  const written = templates.slice(0, 3).flatMap(([, commands]) =>
    commands.map((command) => {
      const words = forStaging(command)
      return `${fileAfter('--reports', words)}/report.json`
    }),
  )
  const others = ['waivers/staging.yaml', 'package-lock.json']
  writeFileSync(join(directory, '.gitignore'), patterns.replaceAll("'", '').replaceAll(' ', '\n'))
  execFileSync('git', ['init', '--quiet'], { cwd: directory })
  const files = ['staging.env', 'production/junit.xml', ...written]
  const { stdout } = spawnSync('git', ['check-ignore', ...files, ...others], {
    cwd: directory,
    encoding: 'utf8',
  })

  expect(new Set(written)).toEqual(new Set(['reports/report.json', 'staging/report.json']))
  expect(stdout.trim().split('\n')).toEqual(files)
})

// Node.js 20 takes --env-file of npx for its own.
it('commands for people in a README have dashes after npx', () => {
  for (const text of [readme, readFileSync(new URL('../README.md', import.meta.url), 'utf8')]) {
    expect(text).toContain('npx -- plumbline')
    expect(text).not.toMatch(/npx (?!-- )plumbline/)
  }
})

describe.each(templates)('the commands of %s', (name, commands) => {
  const [run = ''] = commands

  it('exist in Plumbline, with their options', async () => {
    for (const command of commands) {
      const [first = '', ...words] = command.split(' ')
      const { output } = await enclosedCommand([first, '--help'])
      expect(first).toBe('run')
      for (const word of words.filter((candidate) => candidate.startsWith('--'))) {
        expect(output, `${word} of ${command}`).toMatch(new RegExp(`^ +${word}\\b`, 'm'))
      }
    }
  })

  it('name a waiver file per deployment', () => {
    expect([
      'waivers/staging.yaml',
      '/etc/plumbline/staging.waivers.yaml',
      // In the ConfigMap that is named after the deployment.
      '/etc/plumbline/known/waivers.yaml',
    ]).toContain(fileAfter('--waivers', forStaging(run)))
  })

  it('require half of the testable requirements, or the share in a variable, of a deployment', () => {
    expect(fileAfter('--min-judged', run.split(' '))).toContain('MIN_JUDGED')
    expect(fileAfter('--min-judged', forStaging(run))).toBe('50%')
    expect(template(name)).toMatch(/MIN_JUDGED(:-| = |=| \|\| |\n +value: )'?50%/)
    // Never the reference server.
    expect(run.split(' ')).toContain('--no-embedded')
  })

  it("report the exit status of a run to a dead man's switch, if there is one", () => {
    const ping = 'node_modules/plumbline/config/schedules/ping.js'
    // The items of lists in YAML, and the lines of a command, as words.
    const words = template(name)
      .replaceAll(/[\s\\]+/g, ' ')
      .replaceAll(/ -(?= )/g, '')
    expect(words).toMatch(
      new RegExp(`node -- \\S*${ping} (\\S*node -- )?\\S*plumbline(\\.js)? (args: )?run `),
    )
    expect(template(name)).toMatch(/^\W.*\bPING_URL\b/m)
    expect(existsSync(new URL(basename(ping), import.meta.url))).toBe(true)
  })

  it.runIf(name.endsWith('.yml'))('are red without a variable', async () => {
    const waivers = join(temporaryDirectory(), 'staging.yaml')
    writeFileSync(waivers, 'waivers: []\n')
    const empty = join(temporaryDirectory(), 'deployment.env')
    writeFileSync(empty, '\n')
    const words = forStaging(run).map((word) => {
      return word.endsWith('.yaml') ? waivers : word.endsWith('.env') ? empty : word
    })
    const { status, errors } = await enclosedCommand(words)
    expect(status).toBe(2)
    expect(errors).toMatch(/--no-embedded|--env-file/)
  })
})
