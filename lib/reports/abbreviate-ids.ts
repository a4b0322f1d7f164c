import { groupBy } from '../environment/group-by.ts'

/** Joins requirement ids; more than three are grouped by section: `service/section (13)`. */
export function abbreviatedIds(ids: readonly string[]): string {
  if (ids.length <= 3) return ids.join(', ')
  const sections = groupBy(ids, (id) => id.split('/').slice(0, 2).join('/'))
  return [...sections]
    .map(([section, [id, ...more]]) => (more.length === 0 ? id : `${section} (${more.length + 1})`))
    .join(', ')
}
