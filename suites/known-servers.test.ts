import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { idParts } from '../lib/results/ids.ts'
import type { Requirement } from '../lib/results/requirement.ts'
import type { Waiver } from '../lib/results/run-report.ts'
import { matchesOf } from '../lib/runs/waivers/apply.ts'
import { readWaivers } from '../lib/runs/waivers/waivers-file.ts'
import { groupBy } from '../lib/text/group-by.ts'
import * as services from './index.ts'

const textOf = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')

const requirements: Requirement[] = Object.values(services).flatMap(({ catalogue }) => [
  ...catalogue.requirements,
])
const texts = new Map(requirements.map(({ id, statement }) => [id, statement]))

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

/** Returns the waivers of all versions of a server, or of one version in addition. */
function waiversOf(name: string): Waiver[] {
  const file = `config/waivers/${name}.yaml`
  return existsSync(`${root}${file}`) ? readWaivers(textOf(file), file) : []
}

/** Returns the deviations of a server with the versions that have them. */
function formatDeviations([family, members]: (typeof families)[number]): string {
  const entries = [family, ...members.map(({ version }) => `${family}-${version}`)]
  const rows = entries.flatMap(waiversOf).map(({ requirement, reason }) => {
    const having = members.filter(({ failed }) => requirement in failed)
    const versions = having.map(({ version }) => version).join(', ')
    return [`\`${requirement}\`: ${texts.get(requirement)}`, versions, reason]
  })
  return table(['statement', 'versions', 'what it does'], rows)
}

it('the page has the tables of the digests and of the waivers', async () => {
  const marks = /(<!-- digests -->\n).*(<!-- end of digests -->)/s
  expect(textOf(page)).toMatch(marks)
  const generated = families.reduce(
    (text, family) => {
      const heading = new RegExp(`(\n## ${family[0]}\n\n)(?:\\|.*\n)*`, 'i')
      expect(text).toMatch(heading)
      return text.replace(heading, (_, title) => `${title}${formatDeviations(family)}`)
    },
    textOf(page).replace(marks, (_, begin, end) => `${begin}${formatTables()}${end}`),
  )
  await expect(generated).toMatchFileSnapshot(`${root}${page}`)
})

describe.each(digests)('$file', (digest) => {
  const { file, family, version, service, failed, rows } = digest

  it('has requirements of one service, and no address and no secret', () => {
    expect(rows.filter((id) => !texts.has(id) || idParts(id).service !== service)).toEqual([])
    expect(new Set(rows).size).toBe(rows.length)
    const text = textOf(`config/known-servers/${file}`)
    expect(text).not.toMatch(/localhost|\b127\.|:\d{4}\b(?!:)|password"?:(?! \[)|\$[A-Z]/)
  })

  it('fails exactly the requirements that its waivers name', () => {
    const named = [family, `${family}-${version}`].flatMap(waiversOf)
    expect(named.map(({ requirement }) => requirement).toSorted()).toEqual(
      Object.keys(failed).toSorted(),
    )
  })
})

/** Cases outside of the tables. */
const unplanned = ['GET requests of the operator', 'two tokens of one name at the same time']

const waiverFiles = readdirSync(`${root}config/waivers`).map((file) => [file.slice(0, -5)])

it.each(waiverFiles)('the cases of %s are cases of a run', (name) => {
  const ids = [...(textOf('lib/cli/snapshots/cases.txt').match(/^\S.*/gm) ?? []), ...unplanned]
  const globs = waiversOf(name ?? '').flatMap(({ cases = [] }) => cases)
  expect(globs.filter((glob) => matchesOf(glob, ids).length === 0)).toEqual([])
})
