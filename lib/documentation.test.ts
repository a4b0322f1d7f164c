import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from './cli/command-line.ts'
import { enclosedContext } from './cli/context.ts'
import { services } from './cli/services.ts'
import { probeVariables } from './environment/target.ts'
import { type VariableGroup, variablesOf } from './environment/variable.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const folders = ['config', 'lib', 'reports', 'suites']
const pages = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(folder, name),
    ),
  ),
].filter((name) => /^(?!reports\/.*\/|reports\/(?!README)).*\.md$/.test(name))

const contentOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(content: string): string[] {
  const headings = [...content.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('links', () => {
  it.each(pages)('in %s lead to a file, and to a heading in it', (page) => {
    const links = [...contentOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    for (const [link, path = '', anchor] of links) {
      const target = path === '' ? page : relative(root, join(root, dirname(page), path))
      expect(existsSync(join(root, target)), `${link} in ${page}`).toBe(true)
      if (anchor !== undefined) expect(anchorsOf(contentOf(target)), link).toContain(anchor)
    }
  })
})

describe('commands', () => {
  const help = new Map<string, string>()

  async function helpOf(name: string): Promise<string> {
    const context = enclosedContext(root)
    await runCommandLine([name, '--help'], context)
    return context.reported.output
  }

  beforeAll(async () => {
    const context = enclosedContext(root)
    await runCommandLine(['--help'], context)
    const names = [...context.reported.output.matchAll(/^ {2}([a-z]+) .*\[options\]/gm)]
    for (const [, name = ''] of names) help.set(name, await helpOf(name))
    expect(help.has('run')).toBe(true)
  })

  it.each(pages)('in %s have options that there are', (page) => {
    const commands = [
      ...contentOf(page).matchAll(
        /(?:plumbline(?:\.js)?|npm start)(?: --)? ((?:[a-z]+ |--)[^`#\n]*)/g,
      ),
    ]
    for (const [command, words = ''] of commands) {
      const name = command.startsWith('npm start') ? 'run' : (words.split(' ')[0] ?? '')
      const usage = help.get(name)
      if (usage === undefined) continue
      for (const [option] of words.matchAll(/--[a-z][a-z-]+/g)) {
        expect(usage, command).toMatch(new RegExp(`${option}\\b`))
      }
    }
  })
})

it('config/VARIABLES.md has all variables', async () => {
  const tableOf = ({ table }: Pick<VariableGroup, 'table'>) =>
    variablesOf(table)
      .map(({ name, meaning, example, default: fallback }) => {
        const value =
          fallback === undefined ? '–' : `\`${String(fallback).replaceAll('|', '\\|')}\``
        const shown = example === undefined ? '' : ` Example: \`${example}\`.`
        return `| \`${name}\` | ${meaning}${shown} | ${value} |`
      })
      .join('\n')
  const heading = '| variable | meaning | default |\n| --- | --- | --- |\n'
  const groups = [...Object.values(services).map(({ variables }) => variables), probeVariables]
  const tables = groups.map((group) => `## \`${group.prefix}*\`\n\n${heading}${tableOf(group)}\n`)
  const page = `# Variables\n\nThis page is made of the tables in the code; [README.md](README.md) says how variables are read.\n\n${tables.join('\n')}`

  await expect(page).toMatchFileSnapshot(join(root, 'config/VARIABLES.md'))
})
