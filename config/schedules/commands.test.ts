import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Returns the arguments of a command for the deployment staging. */
const forStaging = (command: string) =>
  command
    .replaceAll(/\$[({]?MIN_JUDGED(:-50%)?[)}]?/g, '50%')
    .replaceAll(/\$\{\{ matrix\.deployment \}\}|\$DEPLOYMENT|%i/g, 'staging')
    .replaceAll('"', '')
    .split(' ')

describe.each(templates)('the commands of %s', (name, commands) => {
  const [run = ''] = commands

  it('exist in Plumbline, with their options', async () => {
    for (const command of commands) {
      const [first = '', ...words] = command.split(' ')
      const { output } = await enclosedCommand([first, '--help'])
      expect(first).toBe('run')
      // Never the reference server.
      expect(words).toContain('--no-embedded')
      for (const word of words.filter((candidate) => candidate.startsWith('--'))) {
        expect(output, `${word} of ${command}`).toMatch(new RegExp(`^ +${word}\\b`, 'm'))
      }
    }
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
