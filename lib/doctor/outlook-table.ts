import type { RequirementOutlook } from './doctor-report.ts'

/** How many requirements of a service or section have which outlook. */
export interface OutlookCounts {
  /** `code-hosting` or `code-hosting/pagination`; `all` for everything. */
  name: string
  judged: number
  skipped: number
  leftOut: number
  total: number
}

function countsOf(name: string, some: readonly RequirementOutlook[]): OutlookCounts {
  const of = (outlook: RequirementOutlook['outlook']) =>
    some.filter((requirement) => requirement.outlook === outlook).length
  return {
    name,
    judged: of('judged'),
    skipped: of('skipped'),
    leftOut: of('left out'),
    total: some.length,
  }
}

function groupsOf(
  requirements: readonly RequirementOutlook[],
  segments: number,
): [name: string, group: RequirementOutlook[]][] {
  const groups = new Map<string, RequirementOutlook[]>()
  for (const requirement of requirements) {
    const name = requirement.requirement.split('/').slice(0, segments).join('/')
    groups.set(name, [...(groups.get(name) ?? []), requirement])
  }
  return [...groups]
}

/**
 * The counts of each service, each followed by those of its sections, and of all at the end.
 *
 * @param hasSections whether those of a service are wanted
 */
export function outlookCounts(
  requirements: readonly RequirementOutlook[],
  hasSections: (service: string) => boolean = () => true,
): OutlookCounts[] {
  const services = groupsOf(requirements, 1)
  return [
    ...services.flatMap(([service, group]) => [
      countsOf(service, group),
      ...(hasSections(service) ? groupsOf(group, 2) : []).map(([section, some]) =>
        countsOf(section, some),
      ),
    ]),
    ...(services.length > 1 ? [countsOf('all', requirements)] : []),
  ]
}

/** Whole percent, rounded down, so that 100 % is all. */
export function percentJudged({ judged, total }: Pick<OutlookCounts, 'judged' | 'total'>): number {
  return total === 0 ? 0 : Math.floor((100 * judged) / total)
}

const numberWidth = 9

/** The table as rows of text: a heading, then one row for each service and section. */
export function outlookTable(
  requirements: readonly RequirementOutlook[],
  hasSections?: (service: string) => boolean,
): string[] {
  const counts = outlookCounts(requirements, hasSections)
  const named = counts.map((row) => ({
    ...row,
    title: row.name.includes('/') ? `  ${row.name.split('/')[1]}` : row.name,
  }))
  const width = Math.max(...named.map(({ title }) => title.length)) + 2
  const row = (title: string, cells: readonly (number | string)[]) =>
    `  ${title.padEnd(width)}${cells.map((cell) => String(cell).padStart(numberWidth)).join('')}`
  return [
    row('', ['judged', 'skipped', 'left out', 'of', '']),
    ...named.map(({ title, judged, skipped, leftOut, total }) =>
      row(title, [judged, skipped, leftOut, total, `${percentJudged({ judged, total })} %`]),
    ),
  ]
}
