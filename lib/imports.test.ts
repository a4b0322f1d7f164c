import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('..', import.meta.url))

/** From the top of the house down; an import may not go up. */
const floors: readonly (readonly [string, number])[] = [
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

function floorOf(path: string): number | undefined {
  return floors.find(([place]) => path.startsWith(place))?.[1]
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

/** The sources that a file leads to, by any number of imports. */
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

/** The files that import each other, in whatever way, each circle as one line; types count too. */
function circles(): string[] {
  const imports = new Map(sources().map((path) => [path, importsOf(path)]))
  const reach = new Map([...imports.keys()].map((path) => [path, reachableFrom(path, imports)]))
  return [...reach].flatMap(([path, reached]) => {
    if (!reached.has(path)) return []
    const circle = [...reached].filter((other) => reach.get(other)?.has(path)).sort()
    return circle[0] === path ? [circle.join(', ')] : []
  })
}

describe('imports', () => {
  it('go down from floor to floor', () => {
    const upward = sources().flatMap((path) => {
      const floor = floorOf(path)
      if (floor === undefined) return []
      return importsOf(path)
        .filter((imported) => (floorOf(imported) ?? -1) > floor)
        .map((imported) => `${path} imports ${imported}`)
    })

    expect(sources().length).toBeGreaterThan(100)
    expect(upward).toEqual([])
  })

  it('never go in a circle', () => {
    expect(circles()).toEqual([])
  })

  it('keep the reference deployment apart from what judges it', () => {
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
