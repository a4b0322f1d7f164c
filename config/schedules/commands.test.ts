import { basename } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { plumbline } from '../../lib/cli/command.fixture.ts'
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

describe.concurrent('the commands of the schedules', () => {
  const help = new Map<string, string>()

  beforeAll(async () => {
    for (const name of ['run', 'merge']) help.set(name, (await plumbline([name, '--help'])).output)
  })

  it.each([
    ['GitHub Actions', inGitHubActions],
    ['GitLab CI', inGitLabCi],
    ['Jenkins', () => commandsIn(template('Jenkinsfile'))],
    ['Kubernetes', inKubernetes],
    ['systemd', inUnits],
  ])('are ones to Plumbline: %s', (_, commandsOf) => {
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
  it.each([
    ['github-actions.yml', inGitHubActions],
    ['gitlab-ci.yml', inGitLabCi],
    ['Jenkinsfile', () => commandsIn(template('Jenkinsfile'))],
  ])('of %s put side by side what they have probed', (name, commandsOf) => {
    const [, merge = ''] = commandsOf()

    expect(mergedBy(merge)).toEqual(listedIn(template(name)))
  })
})
