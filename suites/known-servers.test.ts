import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../lib/cli/command-line.ts'
import { createNestedContext } from '../lib/cli/context.ts'
import { createNormalizer } from '../lib/results/normalize.ts'
import { deviationsOf } from '../lib/results/run-report.ts'
import { readReport } from '../lib/runs/compare/read-report.ts'
import { matchWaiver } from '../lib/runs/waivers/apply.ts'
import {
  readWaivers,
  readWaiverTemplates,
  type WaiverTemplate,
} from '../lib/runs/waivers/waivers-file.ts'
import { groupBy } from '../lib/text/group-by.ts'
import * as services from './index.ts'

const textOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')

const texts = new Map<string, string>(
  Object.values(services).flatMap(({ catalogue }) =>
    catalogue.requirements.map(({ id, statement }) => [id, statement] as const),
  ),
)

function formatRow({ requirement, versions = [], reason }: WaiverTemplate): string {
  const statement = texts.get(requirement)
  expect(statement, requirement).toBeDefined()
  return `| \`${requirement}\`: ${statement} | ${versions.join(', ')} | ${reason} |`
}

const root = fileURLToPath(new URL('..', import.meta.url))
const page = 'suites/KNOWN-SERVERS.md'
const digests = readdirSync(`${root}config/known-servers`)
  .filter((name) => /-.*\.json$/.test(name))
  .map((name) => `config/known-servers/${name}`)

it('the page has what merge prints for the digests', async () => {
  const text = textOf(page)
  const [, command = ''] = /plumbline -- (merge .*)\n/.exec(text) ?? []
  const args = command.split(' ').flatMap((word) => (word.includes('*') ? digests : word))
  const context = createNestedContext(root)
  expect(await runCommandLine(args, context)).toBe(1)
  const marks = /(<!-- merge -->\n).*(<!-- end of merge -->)/s
  const { output, errors } = context.reported
  expect(errors).toBe('')
  const generated = text.replace(marks, (_, begin, end) => `${begin}${output}${end}`)
  await expect(generated).toMatchFileSnapshot(`${root}${page}`)
})

describe.each(digests)('%s', (file) => {
  const { report } = readReport(file, root)
  const [, family = '', version = ''] = /(\w+)-([\d.]+)\.json$/.exec(file) ?? []
  const templates = readWaiverTemplates(textOf(`config/waivers/${family}.yaml`), family)
  const failures = report.results.filter(({ verdict }) => verdict === 'fail')

  it('has no exchange, no address, and no secret', () => {
    expect(report.exchanges).toEqual([])
    expect(report.settings).toEqual({})
    expect(textOf(file)).not.toMatch(/"e\d+"|localhost|\b127\.|:\d{4}\b(?!:)|password"?:|\$[A-Z]/)
    const addresses = Object.values(report.target).map(({ baseUrl }) => baseUrl)
    expect(addresses).toEqual([`https://${family}-${version}.example.com`])
  })

  it('fails the requirements that the waivers name', () => {
    const named = templates.filter(({ versions }) => versions?.includes(version))
    expect(failures.map(({ requirement }) => requirement).toSorted()).toEqual(
      named.map(({ requirement }) => requirement).toSorted(),
    )
  })

  it('has deviations that the waivers cover', () => {
    const uncovered = failures
      // A digest that was rebuilt from the page has none.
      .filter(({ deviations }) => deviations !== undefined)
      .flatMap((result) => {
        const template = templates.find(({ requirement }) => requirement === result.requirement)
        return matchWaiver(template ?? {}, deviationsOf(result), createNormalizer(report)).others
      })
    expect(uncovered).toEqual([])
  })

  it('is named as not run again if it lacks requirements', () => {
    const contained = new Set(report.results.map(({ requirement }) => requirement))
    const lacking = [...texts.keys()].filter((id) => id.startsWith('code-hosting/'))
    expect(JSON.parse(textOf('config/known-servers/names.json'))[file]).toMatch(
      lacking.every((id) => contained.has(id)) ? /^[^()]+$/ : / \(not run again\)$/,
    )
  })
})

it('README.md has the smallest and the largest number of failures', () => {
  const versions = ['gitea', 'forgejo'].flatMap((family) => {
    const templates = readWaiverTemplates(textOf(`config/waivers/${family}.yaml`), family)
    return templates.flatMap(({ versions = [] }) => versions.map((one) => `${family} ${one}`))
  })
  const counts = [...groupBy(versions, (version) => version).values()].map(({ length }) => length)
  const [, ...range] = /servers fail (\d+) to (\d+) requirements/.exec(textOf('README.md')) ?? []
  expect(range.map(Number)).toEqual([Math.min(...counts), Math.max(...counts)])
})

describe.each([
  ['Gitea', 'config/waivers/gitea.yaml'],
  ['Forgejo', 'config/waivers/forgejo.yaml'],
])('deviations of %s', (family, file) => {
  const [, section = ''] = textOf(page).split(`\n## ${family}\n`)
  const [table = ''] = section.split('\n## ')
  const deviations = readWaiverTemplates(textOf(file), file)

  it('are equal on the page and in the file', () => {
    const rows = table.split('\n').filter((line) => line.startsWith('| `'))
    expect(rows).toEqual(deviations.map(formatRow))
  })

  it('have the versions that the page lists as probed', () => {
    const probed = [...textOf(page).matchAll(/^\| (\w+) ([\d.]+)[^|]* \|/gm)]
      .filter(([, name]) => name === family)
      .map(([, , version]) => version)
    expect(probed).not.toEqual([])
    const versions = new Set(deviations.flatMap((deviation) => deviation.versions ?? ['none']))
    expect([...versions].toSorted()).toEqual(probed.toSorted())
  })

  it('match no other failure', () => {
    const body = 'the body {"message":[]} (/message must be string)'
    const actuals = { 500: 'status 500', 200: 'status 200', 403: body }
    const others = Object.entries(actuals).map(([status, actual]) => {
      return { subject: `GET /api/v1/user ${status}`, expected: 'another', actual }
    })
    for (const template of deviations) {
      expect(template.actual, template.requirement).toBeDefined()
      const { covered } = matchWaiver(template, others, (text) => text)
      expect(covered, template.requirement).toEqual([])
    }
  })

  it('are rejected as waivers, since they have no owner', () => {
    expect(() => readWaivers(textOf(file), file)).toThrow('`plumbline waive --from` this file')
  })
})
