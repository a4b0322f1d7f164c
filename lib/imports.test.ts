import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('..', import.meta.url))

/** Layers by folder; a file imports only from its own or a lower layer. */
const layers: readonly (readonly [string, number])[] = [
  ['lib/cli/', 7],
  ['lib/prove/', 6],
  ['config/', 6],
  ['suites/', 5],
  ['lib/doctor/', 5],
  ['lib/runs/', 5],
  ['lib/reports/', 4],
  ['lib/conformance/', 3],
  ['lib/results/', 2],
  ['lib/probe/', 1],
  ['lib/environment/', 0],
]

function layerOf(path: string): number | undefined {
  return layers.find(([folder]) => path.startsWith(folder))?.[1]
}

function importsOf(path: string): string[] {
  const source = readFileSync(join(project, path), 'utf8')
  const specifiers = [...source.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)]
  return specifiers.map(([, specifier = '']) => normalize(join(dirname(path), specifier)))
}

function sources(): string[] {
  return ['lib', 'suites', 'config']
    .flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => path.endsWith('.ts') && !/\.(test|fixture|browser)\.ts$/.test(path))
}

/** Returns the sources that a file imports directly or indirectly. */
function reachableFrom(path: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>()
  const next = [...(imports.get(path) ?? [])]
  for (let found = next.pop(); found !== undefined; found = next.pop()) {
    if (reached.has(found)) continue
    reached.add(found)
    next.push(...(imports.get(found) ?? []))
  }
  return reached
}

/** Returns the files of each import cycle as one line; type imports count too. */
function cycles(): string[] {
  const imports = new Map(sources().map((path) => [path, importsOf(path)]))
  const reach = new Map([...imports.keys()].map((path) => [path, reachableFrom(path, imports)]))
  return [...reach].flatMap(([path, reached]) => {
    if (!reached.has(path)) return []
    const cycle = [...reached].filter((other) => reach.get(other)?.has(path)).sort()
    return cycle[0] === path ? [cycle.join(', ')] : []
  })
}

describe('imports', () => {
  it('never lead to a higher layer', () => {
    const upward = sources().flatMap((path) => {
      const layer = layerOf(path)
      if (layer === undefined) return []
      return importsOf(path)
        .filter((imported) => (layerOf(imported) ?? -1) > layer)
        .map((imported) => `${path} imports ${imported}`)
    })

    expect(sources().length).toBeGreaterThan(100)
    expect(upward).toEqual([])
  })

  it('have no cycles', () => {
    expect(cycles()).toEqual([])
  })

  it('separate the reference server from the suites', () => {
    const shared = sources().flatMap((path) =>
      importsOf(path)
        .filter(
          (imported) =>
            path.startsWith('lib/reference/') !== imported.startsWith('lib/reference/') &&
            !/^lib\/(cli|prove|benchmark|mutation)\//.test(path),
        )
        .map((imported) => `${path} imports ${imported}`),
    )

    expect(shared).toEqual([])
  })
})
