import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from './cli/command-line.ts'
import { createNestedContext } from './cli/context.fixture.ts'
import { catalogues, services } from './cli/services.ts'
import { probeVariables } from './environment/probe-variables.ts'
import { type VariableGroup, variablesOf } from './environment/variable.ts'
import { requirementsPage } from './requirements-page.fixture.ts'
import { changeKinds } from './results/changes.ts'
import { isTestable } from './results/requirement.ts'
import { faults, variants } from './test-bed/reference/index.ts'

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

/** Returns the anchors of the headings of a page, as GitHub creates them. */
function anchorsOf(content: string): string[] {
  const headings = [...content.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it.each(pages)('links in %s lead to existing files and headings', (page) => {
  const links = [...contentOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
  for (const [link, path = '', anchor] of links) {
    const target = path === '' ? page : relative(root, join(root, dirname(page), path))
    expect(existsSync(join(root, target)), `${link} in ${page}`).toBe(true)
    if (anchor !== undefined) expect(anchorsOf(contentOf(target)), link).toContain(anchor)
  }
})

describe('commands', () => {
  const help = new Map<string, string>()

  async function helpOf(name: string): Promise<string> {
    const context = createNestedContext(root)
    await runCommandLine([name, '--help'], context)
    return context.reported.output
  }

  beforeAll(async () => {
    const context = createNestedContext(root)
    await runCommandLine(['--help'], context)
    const names = [...context.reported.output.matchAll(/^ {2}([a-z]+) .*\[options\]/gm)]
    for (const [, name = ''] of names) help.set(name, await helpOf(name))
    expect(help.has('run')).toBe(true)
  })

  it.each(pages)('in %s have valid options', async (page) => {
    const commands = [
      ...contentOf(page).matchAll(
        /(?:plumbline(?:\.js)?|npm start)(?: --)? ((?:[a-z]+ |--)[^`#\n]*)/g,
      ),
    ]
    for (const [command, args = ''] of commands) {
      const name = command.startsWith('npm start') ? 'run' : (args.split(' ')[0] ?? '')
      const usage = help.get(name)
      if (usage === undefined) continue
      // Runs commands that need no server.
      if (/^(?:requirements |reference --list)/.test(`${args} `) && !/[[\]|…]/.test(args)) {
        const context = createNestedContext(root)
        const argv = (args.split('>')[0] ?? '').trim().split(/\s+/)
        expect(await runCommandLine(argv, context), `${command} ${context.reported.errors}`).toBe(0)
      }
      for (const [option] of args.matchAll(/--[a-z][a-z-]+/g)) {
        expect(usage, command).toMatch(new RegExp(`${option}\\b`))
      }
    }
  })
})

it('README.md has at most 127 lines and one for each service, and 1400 words', () => {
  const text = contentOf('README.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(128 + catalogues.length)
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(1400)
})

it('README.md has the services, with the numbers of requirements and faults', async () => {
  const text = contentOf('README.md')
  const rows = Object.values(services).map(({ about, catalogue: { document, requirements } }) => {
    return `| ${document} | ${about} | ${requirements.length} | ${requirements.filter(isTestable).length} |\n`
  })
  const all = catalogues.flatMap(({ requirements }) => [...requirements])
  const untestable = all.filter((requirement) => !isTestable(requirement)).length
  const page = text
    .replace(/(?<=\n\| document \|.*\n.*\n)(?:\|.*\n)+/, rows.join(''))
    .replace(/\d+(?= in all)/, String(all.length))
    .replace(/\d+(?=\nthat are not testable)/, String(untestable))
  await expect(page).toMatchFileSnapshot(join(root, 'README.md'))
  const [, broken, conforming] =
    /over (\d+) broken servers.*over (\d+) servers that/s.exec(text) ?? []
  expect(faults.length).toBeGreaterThan(Number(broken))
  expect(variants.length).toBeGreaterThan(Number(conforming))
})

it('config/VARIABLES.md has all variables', async () => {
  const tableOf = ({ table }: Pick<VariableGroup, 'table'>) =>
    variablesOf(table)
      .map(({ name, meaning, example, default: fallback }) => {
        const value =
          fallback === undefined ? '–' : `\`${String(fallback).replaceAll('|', '\\|')}\``
        const exampleText = example === undefined ? '' : ` Example: \`${example}\`.`
        return `| \`${name}\` | ${meaning}${exampleText} | ${value} |`
      })
      .join('\n')
  const heading = '| variable | meaning | default |\n| --- | --- | --- |\n'
  const groups = [...Object.values(services).map(({ variables }) => variables), probeVariables]
  const tables = groups.map((group) => `## \`${group.prefix}*\`\n\n${heading}${tableOf(group)}\n`)
  const page = `# Variables\n\nThis page is made of the tables in the code; [README.md](README.md) says how variables are read.\n\n${tables.join('\n')}`

  await expect(page).toMatchFileSnapshot(join(root, 'config/VARIABLES.md'))
})

it('reports/README.md names each kind of change', () => {
  const page = contentOf('reports/README.md')
  const kinds = [...page.matchAll(/^\| `(\w+)` \| \w/gm)].map(([, kind]) => kind)
  expect(kinds).toEqual(expect.arrayContaining([...changeKinds]))
})

it('suites/REQUIREMENTS.md has all requirements and scenarios', async () => {
  const all = catalogues.flatMap(({ requirements }) => [...requirements])
  const page = requirementsPage(all, { faults, variants })
  await expect(page).toMatchFileSnapshot(join(root, 'suites/REQUIREMENTS.md'))
})
