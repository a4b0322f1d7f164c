import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('..', import.meta.url))

const [table = ''] = readFileSync(join(project, 'lib/README.md'), 'utf8').split('| test bed |')

/** Folders of the table in lib/README.md, the highest first; a file imports only from its own or a lower one. */
const layers = [...table.matchAll(/^\| \[?`([^`]+)`/gm)].map(([, folder = '']) =>
  normalize(`lib/${folder}`),
)

/** Returns the place of a file in the table; -1 outside of it. */
const layerOf = (path: string) => layers.findIndex((folder) => path.startsWith(folder))

/** Returns the packages that Node.js loads with a file, before it runs: those of static imports without types. */
function packagesLoadedWith(path: string, seen = new Set<string>()): Set<string> {
  seen.add(path)
  const source = readFileSync(join(project, path), 'utf8')
  const statements = source.matchAll(/^(?:import|export) (?!type )[^;'"]*?from '([^']+)'(.*)$/gm)
  const found = [...statements].flatMap(([, name = '', attributes = '']): string[] => {
    if (!name.startsWith('.')) return name.startsWith('node:') ? [] : [name]
    const imported = normalize(join(dirname(path), name))
    // The build compiles the schemas.
    const isLoaded =
      attributes === '' && !imported.endsWith('/validators.ts') && !seen.has(imported)
    return isLoaded ? [...packagesLoadedWith(imported, seen)] : []
  })
  return new Set(found)
}

function importsOf(path: string): string[] {
  const source = readFileSync(join(project, path), 'utf8')
  const specifiers = [...source.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)]
  return specifiers.map(([, specifier = '']) => normalize(join(dirname(path), specifier)))
}

const sources = ['lib', 'suites', 'config'].flatMap((folder) =>
  readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.ts') && !/\.(test|fixture|browser)\.ts$/.test(path)),
)
const imports = new Map(sources.map((path) => [path, importsOf(path)]))

/** Returns the imports that break a rule, as texts. */
const importsThat = (isWrong: (path: string, imported: string) => boolean) =>
  [...imports].flatMap(([path, all]) =>
    all.filter((one) => isWrong(path, one)).map((one) => `${path} imports ${one}`),
  )

/** Returns the sources that a file imports directly or indirectly; type imports count too. */
function reachableFrom(path: string): Set<string> {
  const reached = new Set<string>()
  const next = [...(imports.get(path) ?? [])]
  for (let found = next.pop(); found !== undefined; found = next.pop()) {
    if (reached.has(found)) continue
    reached.add(found)
    next.push(...(imports.get(found) ?? []))
  }
  return reached
}

describe('imports', () => {
  it('never lead to a higher layer', () => {
    expect(sources.length).toBeGreaterThan(100)
    expect(layers).toEqual(expect.arrayContaining(['lib/cli/', 'suites/', 'lib/text/']))
    const isOutside = (path: string) => layerOf(path) < 0 && !path.startsWith('lib/test-bed/')
    expect(sources.filter(isOutside)).toEqual([])
    const upward = importsThat((path, imported) => {
      return layerOf(imported) >= 0 && layerOf(imported) < layerOf(path)
    })
    expect(upward).toEqual([])
  })

  it('load few packages before the first request of a run', () => {
    expect([...packagesLoadedWith('lib/cli/run.ts')].toSorted()).toEqual([
      ...['commander', 'dotenv', 'leven', 'picomatch'],
    ])
  })

  it('have no cycles', () => {
    expect(sources.filter((path) => reachableFrom(path).has(path))).toEqual([])
  })

  it('separate the product from the test bed, which only the command line uses', () => {
    const isTestBed = (path: string) => path.startsWith('lib/test-bed/')
    const isCommandLine = (path: string) => path.startsWith('lib/cli/')
    expect(importsThat((path, one) => isTestBed(path) && isCommandLine(one))).toEqual([])
    expect(
      importsThat((path, one) => isTestBed(one) && !isTestBed(path) && !isCommandLine(path)),
    ).toEqual([])
  })

  it('separate the reference server from the suites', () => {
    const isReference = (path: string) => path.startsWith('lib/test-bed/reference/')
    const shared = importsThat(
      (path, imported) =>
        isReference(path) !== isReference(imported) &&
        !/^lib\/(cli|test-bed\/(prove|benchmark))\//.test(path),
    )
    expect(shared).toEqual([])
  })
})
