import { describe, expect, it } from 'vitest'
import { faults, variants } from '../test-bed/reference/index.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { runCommandLine } from './command-line.ts'
import { createNestedContext } from './context.fixture.ts'
import { enclosedCommand, sharedSuites } from './enclosed-run.fixture.ts'
import { catalogues } from './services.ts'

it('a message hides a secret, and keeps its own text despite a short secret', async () => {
  const context = createNestedContext(temporaryDirectory(), sharedSuites)
  context.redactor.add('EVENT_PUBLISHING_API_KEY', 'hunter2')
  context.redactor.add('INCIDENT_STATUS_API_KEY', 'in')
  expect(await runCommandLine(['run', '--fault', 'hunter2'], context)).toBe(2)
  expect(context.reported.errors).toContain('--fault $EVENT_PUBLISHING_API_KEY ')
  expect(await runCommandLine(['run', '--env-file', 'nope.env'], context)).toBe(2)
  expect(context.reported.errors).not.toContain('INCIDENT_STATUS_API_KEY')
})

it('--help of every command lists exit statuses and examples, and --env-file if it reads variables', async () => {
  const { status, output } = await enclosedCommand(['--help'])
  const names = [...output.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name]) => name)

  expect(status).toBe(0)
  expect(names.length).toBe(10)
  // The second paragraph names the services.
  const texts = [output.replace(/\n\n.*?\n\n/s, '\n\n')]
  for (const name of names) {
    const help = await enclosedCommand([name ?? '', '--help'])
    expect(help.status).toBe(0)
    const [usage = ''] = help.output.match(/(?<=^Usage: plumbline ).*/) ?? []
    expect(output).toContain(`\n  ${usage} `)
    expect(help.output, name).toMatch(/\n\nExit status: /)
    const readsVariables = /^(run|doctor|requirements|provision|sweep)$/.test(name ?? '')
    expect(help.output.includes('  --env-file <file>'), name).toBe(readsVariables)
    const [options = '', examples = ''] = help.output.split('\n\nExamples:\n')
    expect(examples).toMatch(new RegExp(`^(  plumbline ${name}( .*)?\n)+$`))
    for (const [option] of examples.matchAll(/--[a-z-]+/g)) expect(options).toContain(option)
    texts.push(help.output)
  }
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/help.txt')
})

describe('lists', () => {
  const requirements = catalogues.flatMap((catalogue) => [...catalogue.requirements])

  it('contain every requirement and how it is judged', async () => {
    const { status, output } = await enclosedCommand(['requirements'])

    expect(status).toBe(0)
    for (const { id } of requirements) expect(output).toContain(`${id}\n`)
    expect(output).toContain('judged by: probe, invariant')
    expect(output).toContain('not tested: ')
  })

  it('contain the cases of a run, always the same', async () => {
    const { output } = await enclosedCommand(['requirements', '--cases'])
    await expect(output).toMatchFileSnapshot('snapshots/cases.txt')
  })

  it('contain every fault with the requirements that it breaks, and every variant', async () => {
    const { status, output } = await enclosedCommand(['reference', '--list'])

    expect(status).toBe(0)
    for (const { name, requirements: broken } of faults) {
      expect(output).toContain(`\n  ${[name, ...broken].join('\n      ')}\n`)
    }
    for (const { name } of variants) expect(output).toContain(`\n  ${name}\n`)
  })
})
