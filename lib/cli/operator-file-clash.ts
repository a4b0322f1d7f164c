import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { printableSentence } from '../reports/printable.ts'
import { reportFileNames } from '../reports/report-file-names.ts'
import { codeOf } from '../target/system-reason.ts'
import type { OperatorFileOptions } from './operator-file-access.ts'
import { UsageError } from './usage-error.ts'

const ledgerName = /^ledger-.*\.ndjson$/

/** More symbolic links than this in a row lead in a circle. */
const mostLinks = 40

function targetOfLink(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : undefined
  } catch {
    return undefined
  }
}

/** Where a path leads, by way of every symbolic link, though nothing may be there yet. */
function realPlace(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch (error) {
    const target = links < mostLinks ? targetOfLink(path) : undefined
    if (target !== undefined) return realPlace(target, links + 1)
    const parent = dirname(path)
    const known = ['ENOENT', 'ENOTDIR'].includes(codeOf(error)) && parent !== path
    return known ? join(realPlace(parent, links), basename(path)) : path
  }
}

/**
 * What a run would change under this path: where it leads, and the name itself, which may be a link
 * that a new file takes the place of.
 */
function placesOf(path: string): string[] {
  return [realPlace(path), join(realPlace(dirname(path)), basename(path))]
}

function isReportFile(name: string): boolean {
  return reportFileNames.some((one) => one === name) || ledgerName.test(name)
}

/** Whether a file is where a directory is, or where one above it is. */
function isInTheWay(file: string, directory: string): boolean {
  const way = relative(file, directory)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way)
}

function assureBesideReports(option: string, file: string, reports: string, directory: string) {
  const folder = realPlace(resolve(directory, reports))
  const places = placesOf(resolve(directory, file))
  const [name, folderName] = [file, reports].map(printableSentence)
  if (places.some((place) => dirname(place) === folder && isReportFile(basename(place)))) {
    throw new UsageError(
      `${option}: ${name} is a file that the run itself writes into --reports ${folderName}; ` +
        'nothing was sent. Name another file.',
    )
  }
  if (places.some((place) => isInTheWay(place, folder))) {
    throw new UsageError(
      `${option}: ${name} is to be a file, and --reports ${folderName} needs a directory there; ` +
        'nothing was sent. Name another file.',
    )
  }
}

/**
 * One file for two purposes would be destroyed by one of them.
 *
 * @throws UsageError where two options lead to one file, or one of them to a file of the reports
 */
export function assureApart(
  { waivers, baseline, history, reports }: OperatorFileOptions,
  directory: string,
): void {
  const taken = new Map<string, string>()
  for (const [option, file] of [
    ['--waivers', waivers],
    ['--baseline', baseline],
    ['--history', history],
  ] as const) {
    if (file === undefined || file.trim() === '') continue
    const places = new Set(placesOf(resolve(directory, file)))
    for (const place of places) {
      const other = taken.get(place)
      if (other !== undefined) {
        throw new UsageError(
          `${other} and ${option} name the same file, ${printableSentence(file)}; nothing was sent. ` +
            'Give each a file of its own.',
        )
      }
    }
    for (const place of places) taken.set(place, option)
    if (reports !== undefined) assureBesideReports(option, file, reports, directory)
  }
}
