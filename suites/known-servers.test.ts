import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { idParts } from '../lib/results/ids.ts'
import { isTestable, type Requirement } from '../lib/results/requirement.ts'
import { deviationText } from '../lib/results/run-report.ts'
import { matchWaiver } from '../lib/runs/waivers/match-waiver.ts'
import {
  readWaivers,
  readWaiverTemplates,
  type WaiverTemplate,
} from '../lib/runs/waivers/waivers-file.ts'
import { groupBy } from '../lib/text/group-by.ts'
import * as services from './index.ts'

const textOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')

const requirements: Requirement[] = Object.values(services).flatMap(({ catalogue }) => [
  ...catalogue.requirements,
])
const texts = new Map(requirements.map(({ id, statement }) => [id, statement]))

function formatRow({ requirement, versions = [], reason }: WaiverTemplate): string {
  const statement = texts.get(requirement)
  expect(statement, requirement).toBeDefined()
  return `| \`${requirement}\`: ${statement} | ${versions.join(', ')} | ${reason} |`
}

const root = fileURLToPath(new URL('..', import.meta.url))
const page = 'suites/KNOWN-SERVERS.md'

/** Results of a server other than passes; failures with their deviations. */
interface Digest {
  name: string
  plumbline: string
  date: string
  testable: number
  failed: Readonly<Record<string, readonly string[]>>
  noVerdict: readonly string[]
}

const familyOf = (name: string) => name.replace(/-.*/, '')

/** Servers in the order of the page: first those that the documents describe. */
const order = ['gitlite', 'pulseforge', 'gitea', 'gogs', 'forgejo']

const digests = readdirSync(`${root}config/known-servers`)
  .filter((name) => name.endsWith('.json'))
  .toSorted((one, other) => order.indexOf(familyOf(one)) - order.indexOf(familyOf(other)))
  .map((name) => {
    const [, version = ''] = /-([\d.]+)\.json$/.exec(name) ?? []
    const family = familyOf(name)
    const digest: Digest = JSON.parse(textOf(`config/known-servers/${name}`))
    const [first = ''] = Object.keys(digest.failed)
    const rows = [...Object.keys(digest.failed), ...digest.noVerdict]
    return { file: name, family, version, service: idParts(first).service, rows, ...digest }
  })
const families = [...groupBy(digests, ({ family }) => family)]

const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
const table = (columns: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [row(columns), row(columns.map(() => '---')), ...rows.map(row), ''].join('\n')

/** Returns the counts of each server, and for each service the verdicts on the requirements that fail somewhere. */
function formatTables(): string {
  const counts = digests.map(({ name, plumbline, date, testable, failed, noVerdict }) => {
    const judged = testable - noVerdict.length
    const failures = Object.keys(failed).length
    return [name, plumbline, date, `${judged} of ${testable}`, judged - failures, failures]
  })
  const columns = ['server', 'Plumbline', 'run', 'judged', 'passed', 'failed']
  const matrices = [...groupBy(digests, ({ service }) => service).values()].map((members) => {
    const ids = [...texts.keys()].filter((id) => members.some(({ failed }) => id in failed))
    const verdict = (id: string, { failed, noVerdict }: Digest) =>
      id in failed ? 'failed' : noVerdict.includes(id) ? 'no verdict' : 'passed'
    const rows = ids.map((id) => [`\`${id}\``, ...members.map((one) => verdict(id, one))])
    return table(['requirement', ...members.map(({ name }) => name)], rows)
  })
  return [table(columns, counts), ...matrices].join('\n')
}

it('the page has the tables of the digests', async () => {
  const marks = /(<!-- digests -->\n).*(<!-- end of digests -->)/s
  const generated = textOf(page).replace(
    marks,
    (_, begin, end) => `${begin}${formatTables()}${end}`,
  )
  expect(generated).toMatch(marks)
  await expect(generated).toMatchFileSnapshot(`${root}${page}`)
})

describe.each(digests)('$file', (digest) => {
  const { file, family, version, service, failed, rows } = digest
  const templates = readWaiverTemplates(textOf(`config/waivers/${family}.yaml`), family)

  it('has requirements of one service, and no address and no secret', () => {
    expect(rows.filter((id) => !texts.has(id) || idParts(id).service !== service)).toEqual([])
    expect(new Set(rows).size).toBe(rows.length)
    const text = textOf(`config/known-servers/${file}`)
    expect(text).not.toMatch(/localhost|\b127\.|:\d{4}\b(?!:)|password"?:(?! \[)|\$[A-Z]/)
  })

  it('fails the requirements that the waivers name', () => {
    const named = templates.filter(({ versions }) => versions?.includes(version))
    expect(Object.keys(failed).toSorted()).toEqual(
      named.map(({ requirement }) => requirement).toSorted(),
    )
  })

  it('is named as not run again if requirements were added after it', () => {
    const testable = requirements.filter(
      (one) => idParts(one.id).service === service && isTestable(one),
    )
    expect(digest.name.endsWith('(not run again)')).toBe(digest.testable < testable.length)
  })

  it('has deviations that the waivers cover', () => {
    const uncovered = Object.entries(failed).flatMap(([id, actual]) => {
      const template = templates.find(({ requirement }) => requirement === id)
      const deviations = actual.map((actual) => ({ expected: 'another', actual }))
      return matchWaiver(template ?? {}, deviations, (text) => text).others
    })
    expect(uncovered).toEqual([])
  })
})

it('README.md has the smallest and the largest number of failures of stock servers', () => {
  const stock = digests.filter(({ family }) => family === 'gitea' || family === 'forgejo')
  const counts = stock.map(({ failed }) => Object.keys(failed).length)
  const [, ...range] = /servers fail (\d+) to (\d+) requirements/.exec(textOf('README.md')) ?? []
  expect(range.map(Number)).toEqual([Math.min(...counts), Math.max(...counts)])
})

describe.each(families)('deviations of %s', (family, members) => {
  const file = `config/waivers/${family}.yaml`
  const sections = textOf(page).split(/\n## (\w+)\n/)
  const section = sections[sections.findIndex((name) => name.toLowerCase() === family) + 1] ?? ''
  const deviations = readWaiverTemplates(textOf(file), file)

  it('are equal on the page and in the file', () => {
    const rows = section.split('\n').filter((line) => line.startsWith('| `'))
    expect(rows).toEqual(deviations.map(formatRow))
  })

  it('have the versions of the digests', () => {
    const versions = new Set(deviations.flatMap((deviation) => deviation.versions ?? ['none']))
    expect([...versions].toSorted()).toEqual(members.map(({ version }) => version).toSorted())
  })

  it('match no other failure', () => {
    const body = 'the body {"message":[]} (/message must be string)'
    const actuals = { 500: 'status 500', 200: 'status 200', 403: body }
    const others = Object.entries(actuals).map(([status, actual]) => {
      return { subject: `GET /api/v1/user ${status}`, expected: 'another', actual }
    })
    for (const template of deviations) {
      expect(template.actual, template.requirement).toBeDefined()
      const own = members.flatMap(({ failed }) => failed[template.requirement] ?? [])
      const { covered } = matchWaiver(template, others, (text) => text)
      expect(covered.filter((one) => !own.includes(deviationText(one)))).toEqual([])
    }
  })

  it('are rejected as waivers, since they have no owner', () => {
    expect(() => readWaivers(textOf(file), file)).toThrow('`plumbline waive --from` this file')
  })
})
