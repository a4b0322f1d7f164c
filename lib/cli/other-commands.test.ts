import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faults, variants } from '../reference/index.ts'
import { catalogues } from './catalogues.ts'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { commandsOf } from './command-line.ts'
import { enclosedContext } from './context.ts'

const ids = Object.values(catalogues).flatMap(({ requirements }) =>
  requirements.map(({ id }) => id),
)

describe.concurrent('plumbline requirements', () => {
  it('prints every statement with what judges it', async () => {
    const { status, output } = await plumbline(['requirements'])

    expect(status).toBe(0)
    for (const id of ids) expect(output).toContain(`${id}\n`)
    expect(output).toContain('judged by: probe, invariant')
    expect(output).toContain('not tested: ')
  })

  it('prints JSON for programs, and a part when asked', async () => {
    const { output } = await plumbline([
      'requirements',
      '--format',
      'json',
      '--requirement',
      'incident-status',
    ])

    expect(JSON.parse(output)).toHaveLength(6)
  })
})

describe.concurrent('plumbline reference', () => {
  it('serves the deployment, whose environment leads a run to it', async () => {
    let environment = ''
    let run: ReturnType<typeof plumbline> | undefined
    const served = await plumbline(['reference', '--variant', 'base-path'], {}, (child) => {
      child.stdout?.on('data', (chunk) => {
        environment += chunk
      })
      child.stderr?.on('data', () => {
        const file = join(temporaryDirectory(), 'reference.env')
        writeFileSync(file, environment)
        run ??= plumbline(['run', '--env-file', file]).finally(() => child.kill('SIGTERM'))
      })
    })
    const outcome = await run

    expect(served.status).toBe(0)
    expect(environment).toContain('CODE_HOSTING_BASE_URL=http://127.0.0.1:')
    expect(outcome?.status).toBe(0)
    expect(outcome?.report.target.codeHosting?.baseUrl).toMatch(/\/git$/)
    expect(outcome?.report.target.codeHosting?.embedded).toBeUndefined()
  })

  it('lists its faults and variants', async () => {
    const { status, output } = await plumbline(['reference', '--list'])

    expect(status).toBe(0)
    for (const { name } of [...faults, ...variants]) expect(output).toContain(`  ${name}`)
  })
})

describe.concurrent('--help', () => {
  it.each([[], ['run'], ['requirements'], ['reference'], ['provision']])(
    'of plumbline %s',
    async (...command) => {
      const { status, output } = await plumbline([...command, '--help'])

      expect(status).toBe(0)
      expect(output).toMatch(/^Usage: plumbline/)
      if (command.length > 0) expect(output).toContain('--env-file')
    },
  )

  it('of every command tells its exit statuses', () => {
    const context = enclosedContext('.')
    const finish = async () => {}
    const commands = commandsOf(finish, context)

    expect(commands.length).toBeGreaterThan(10)
    for (const command of commands) {
      let help = ''
      command.configureOutput({
        writeOut: (text) => {
          help += text
        },
      })
      command.outputHelp()
      expect(help, command.name()).toMatch(/\n\nExit status: /)
    }
  })
})
