import { basename, dirname, extname, resolve } from 'node:path'
import type { RunReport } from '../conformance/result.ts'

/** What a deployment can be called after. */
export interface Nameable {
  /** Path of its report. */
  path: string
  /** Absent where there is no report. */
  target?: RunReport['target']
}

/** The folder of a report; `reports` is what every run calls it, and tells nothing. */
function folderName(path: string): string {
  // What is missing may have been meant as a folder.
  const folder = extname(path) === '' ? resolve(path) : dirname(resolve(path))
  const name = basename(folder)
  return (name === 'reports' ? basename(dirname(folder)) : name) || 'report'
}

/** The hosts that a run probed; of the embedded deployment they are never the same. */
function hosts(target: RunReport['target']): string[] {
  const probed = Object.values(target).map(({ baseUrl, embedded }) => {
    if (embedded === true) return 'embedded reference'
    return URL.canParse(baseUrl) ? new URL(baseUrl).host || baseUrl : baseUrl
  })
  return [...new Set(probed)]
}

function firstName({ path, target }: Nameable): string {
  return (target === undefined ? '' : hosts(target).join(', ')) || folderName(path)
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function repeated(names: readonly string[]): Set<string> {
  return new Set([...counted(names)].filter(([, count]) => count > 1).map(([name]) => name))
}

/**
 * A name for each deployment, no two the same: the hosts of its base URLs or, without a report, the
 * folder; where that is not enough, both; where they are the same too, the path.
 */
export function deploymentNames(deployments: readonly Nameable[]): string[] {
  const first = deployments.map(firstName)
  const ambiguous = repeated(first)
  const second = deployments.map((deployment, index) => {
    const name = first[index] ?? ''
    return ambiguous.has(name) ? `${name} (${folderName(deployment.path)})` : name
  })
  const stillAmbiguous = repeated(second)
  return deployments.map(({ path }, index) => {
    const name = second[index] ?? ''
    return stillAmbiguous.has(name) ? `${first[index] ?? ''} (${path})` : name
  })
}
