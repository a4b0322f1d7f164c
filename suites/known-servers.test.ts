import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { groupBy } from '../lib/environment/group-by.ts'
import { matchWaiver } from '../lib/runs/waivers/patterns.ts'
import { readWaivers, readWaiverTemplates, type WaiverTemplate } from '../lib/runs/waivers/read.ts'
import * as services from './index.ts'

const textOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')

const statements = new Map<string, string>(
  Object.values(services).flatMap(({ catalogue }) =>
    catalogue.requirements.map(({ id, statement }) => [id, statement] as const),
  ),
)

function formatRow({ requirement, versions = [], reason }: WaiverTemplate): string {
  const statement = statements.get(requirement)
  expect(statement, requirement).toBeDefined()
  return `| \`${requirement}\`: ${statement} | ${versions.join(', ')} | ${reason} |`
}

const page = 'suites/KNOWN-SERVERS.md'

it('README.md has the smallest and the largest number of failures', () => {
  const versions = ['gitea', 'forgejo'].flatMap((family) => {
    const file = `config/waivers/${family}.yaml`
    return readWaiverTemplates(textOf(file), file).flatMap(({ versions = [] }) =>
      versions.map((version) => `${family} ${version}`),
    )
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
    const others = [
      { subject: 'GET /api/v1/user 500', actual: 'status 500' },
      { subject: 'GET /api/v1/user 200', actual: 'status 200' },
      {
        subject: 'GET /api/v1/user 403',
        actual: 'the body {"message":[]} (/message must be string)',
      },
    ].map((deviation) => ({ expected: 'another', ...deviation }))
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
