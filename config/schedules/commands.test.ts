import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { plumbline, temporaryDirectory } from '../../lib/cli/command.fixture.ts'
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
  const { probe, fleet } = parse(template('gitlab-ci.yml'))
  return [...probe.script, ...fleet.script].flatMap(commandsIn)
}

function inKubernetes(): string[] {
  return parseAllDocuments(template('kubernetes.yaml'))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === 'CronJob')
    .map(({ spec }) => spec.jobTemplate.spec.template.spec.containers[0].args.join(' '))
}

function inUnits(): string[] {
  return commandsIn(template('plumbline@.service'))
}

/** The deployments whose reports a command puts side by side. */
const mergedBy = (command: string) =>
  command
    .split(' ')
    .slice(1)
    .filter((word) => /^[\w/-]+$/.test(word) && !word.startsWith('--'))
    .map((path) => basename(path).replace('plumbline-', ''))

/** The deployments that a matrix lists, as `[staging, production]` or `'staging', 'production'`. */
const listedIn = (text: string) =>
  (/(?:deployment: \[|values )(.*?)\]?$/im.exec(text)?.[1] ?? '').replaceAll("'", '').split(', ')

const templates = [
  ['github-actions.yml', inGitHubActions],
  ['gitlab-ci.yml', inGitLabCi],
  ['Jenkinsfile', () => commandsIn(template('Jenkinsfile'))],
  ['kubernetes.yaml', inKubernetes],
  ['plumbline@.service', inUnits],
] as const

const readme = template('README.md')

/** A command as the shell, or the CI system, makes one of it for a deployment named staging. */
const forStaging = (command: string) =>
  command
    .replaceAll(/\$\{\{ matrix\.deployment \}\}|\$DEPLOYMENT|%i/g, 'staging')
    .replaceAll('"', '')
    .split(' ')

const runOf = (commands: readonly string[]) =>
  commands.find((command) => command.startsWith('run ')) ?? ''

const fileAfter = (option: string, words: readonly string[]) => words[words.indexOf(option) + 1]

describe('a repository for the schedule', () => {
  it('keeps out what commands of the templates write there, and nothing that belongs into it', () => {
    const directory = temporaryDirectory()
    const [, patterns = ''] = /^printf '%s\\n' (.*) > \.gitignore$/m.exec(readme) ?? []
    const lines = patterns.replaceAll("'", '').replaceAll(' ', '\n')
    const commands = [inGitHubActions(), inGitLabCi(), commandsIn(template('Jenkinsfile'))].flat()
    const written = commands.map((command) => {
      const words = forStaging(command)
      const reports = fileAfter('--reports', words)
      return words[0] === 'run' ? `${reports}/report.json` : (fileAfter('--output', words) ?? '')
    })
    const others = ['waivers/staging.yaml', 'baselines/staging.json', 'package-lock.json']
    const packed = 'plumbline-0.1.0.tgz'
    writeFileSync(join(directory, '.gitignore'), `${lines}\n`)
    execFileSync('git', ['init', '--quiet'], { cwd: directory })
    const { stdout } = spawnSync(
      'git',
      ['check-ignore', 'staging.env', 'production/junit.xml', ...written, ...others, packed],
      { cwd: directory, encoding: 'utf8' },
    )

    expect(new Set(written)).toEqual(
      new Set(['reports/report.json', 'staging/report.json', 'fleet.html']),
    )
    expect(stdout.trim().split('\n')).toEqual(['staging.env', 'production/junit.xml', ...written])
  })
})

describe('commands for people', () => {
  const project = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

  // Node.js 20 takes --env-file of npx for its own.
  it.each([
    ['the schedules', readme],
    ['this folder', project],
  ])('in the README of %s have the dashes behind npx', (_, text) => {
    expect(text).toContain('npx -- plumbline')
    expect(text).not.toMatch(/npx (?!-- )plumbline/)
  })
})

describe.concurrent('the commands of the schedules', () => {
  const help = new Map<string, string>()

  beforeAll(async () => {
    for (const name of ['run', 'merge']) help.set(name, (await plumbline([name, '--help'])).output)
  })

  it.each(templates)('are ones to Plumbline: %s', (_, commandsOf) => {
    const commands = commandsOf()

    expect(new Set(commands.map((command) => command.split(' ')[0]))).toEqual(
      new Set(['run', 'merge']),
    )
    for (const command of commands) {
      const [name = '', ...words] = command.split(' ')
      const usage = help.get(name)
      expect(usage, command).toMatch(new RegExp(`^Usage: plumbline ${name} `))
      for (const word of words.filter((candidate) => candidate.startsWith('--'))) {
        expect(usage, `${word} of ${command}`).toMatch(new RegExp(`^ +${word}\\b`, 'm'))
      }
    }
  })

  it.each(templates)('of %s have deviations of each deployment in a file of its own', (_, of) => {
    const file = fileAfter('--waivers', forStaging(runOf(of())))
    expect([
      'waivers/staging.yaml',
      '/etc/plumbline/staging.waivers.yaml',
      // In the ConfigMap that is named after the deployment.
      '/etc/plumbline/known/waivers.yaml',
    ]).toContain(file)
  })

  it.each(templates)('of %s never probe the deployment that comes with Plumbline', (_, of) => {
    expect(runOf(of()).split(' ')).toContain('--no-embedded')
  })

  it.each(templates.slice(0, 2))('of %s are red without a variable', async (_, of) => {
    const waivers = join(temporaryDirectory(), 'staging.yaml')
    writeFileSync(waivers, 'waivers: []\n')
    const words = forStaging(runOf(of())).map((word) => (word.endsWith('.yaml') ? waivers : word))
    const { status, errors } = await plumbline(words)

    expect([status, errors]).toEqual([2, expect.stringContaining('No deployment is configured')])
  })

  it.each(templates)('of %s may have a baseline, as the README adds it', (name, of) => {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` | \``)) ?? ''
    const [, added = ''] = /\| `(--baseline .*)` \|$/.exec(row) ?? []
    const words = forStaging(`${runOf(of())} ${added}`)
    const baseline = fileAfter('--baseline', words) ?? ''

    expect(help.get('run')).toMatch(/^ +--baseline\b/m)
    expect(words.filter((word) => word === '--baseline')).toHaveLength(1)
    expect(baseline.replace(/baselines?/, 'waivers').replace('.json', '.yaml')).toBe(
      fileAfter('--waivers', words),
    )
  })

  it.each([
    ['github-actions.yml', inGitHubActions],
    ['gitlab-ci.yml', inGitLabCi],
    ['Jenkinsfile', () => commandsIn(template('Jenkinsfile'))],
  ])('of %s put side by side what they have probed', (name, commandsOf) => {
    const [, merge = ''] = commandsOf()

    expect(mergedBy(merge)).toEqual(listedIn(template(name)))
    for (const deployment of listedIn(template(name))) {
      expect(readme).toContain(`echo 'waivers: []' > waivers/${deployment}.yaml`)
    }
  })
})
