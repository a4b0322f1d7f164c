import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { rolldown } from 'rolldown'
import packageJson from '../../package.json' with { type: 'json' }
import type { startReference } from '../reference/index.ts'

/** Files of the reference server that hold rules of the documents; tables of faults and variants are not mutated. */
const MUTATED_FILES = [
  'code-hosting/authenticate.ts',
  'code-hosting/endpoints.ts',
  'code-hosting/further-endpoints.ts',
  'code-hosting/rules.ts',
  'event-publishing/index.ts',
  'event-publishing/rules.ts',
  'incident-status/index.ts',
  'incident-status/rules.ts',
  'keyed-service.ts',
]

const project = fileURLToPath(new URL('../..', import.meta.url))
const reference = join(project, 'lib/reference')

/** One change of one place of the reference server, which it makes only while the mutant is active. */
export interface Mutant {
  /** Number of the instrumenter, which changes with the sources. */
  id: string
  /** File, code before and code after, and a number from 2 for repeated ones; stays the same when other lines change. */
  name: string
  file: string
  /** Counted from 1. */
  line: number
}

export type MutatedReference = { startReference: typeof startReference }

/** State that instrumented code reads and writes, as Stryker's instrumenter generates it. */
interface StrykerNamespace {
  activeMutant?: string
  /** Number of times that the active mutant was reached; beyond the limit it throws, so that a loop ends. */
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { static: Record<string, number> }
}

const MAX_HITS = 100_000

/** Characters of code before and after a mutation that identify it. */
const MAX_CODE_CHARS = 120

const silent = () => {}
const logger = {
  ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
}

function oneLine(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim()
  return line.length > MAX_CODE_CHARS ? `${line.slice(0, MAX_CODE_CHARS)}…` : line
}

/** Compiles the reference server with all mutants in it, into one file that can be loaded once per mutant. */
export async function instrumentReference(): Promise<{
  mutants: Mutant[]
  /** Loads a separate copy of the server. `coverage` returns the ids of the mutants that it has reached so far. */
  load(mutant?: Mutant): Promise<MutatedReference & { coverage: () => Set<string> }>
}> {
  const sources = MUTATED_FILES.map((name) => {
    const path = join(reference, name)
    return { name: path, content: readFileSync(path, 'utf8'), mutate: true }
  })
  const options = { plugins: null, ignorers: [], excludedMutations: [], noHeader: false }
  const result = await new Instrumenter(logger).instrument(sources, options)
  const code = new Map(result.files.map(({ name, content }) => [name, content]))
  const bundle = await rolldown({
    cwd: project,
    input: join(reference, 'index.ts'),
    platform: 'node',
    checks: { bundlerTimings: false },
    external: Object.keys(packageJson.dependencies).map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [{ name: 'instrumented', load: (id) => code.get(id) ?? null }],
  })
  const directory = join(project, 'node_modules/.cache/plumbline-mutants')
  mkdirSync(directory, { recursive: true })
  const file = join(directory, 'reference.js')
  await bundle.write({ file })
  await bundle.close()

  const counts = new Map<string, number>()
  const mutants = result.mutants.map(({ id, fileName, location, replacement }): Mutant => {
    const source = sources.find(({ name }) => name === fileName)?.content.split('\n') ?? []
    const { start, end } = location
    const lines = source.slice(start.line, end.line + 1)
    // The end first: it may be in the same line.
    lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column) ?? ''
    lines[0] = lines[0]?.slice(start.column) ?? ''
    const path = fileName.slice(reference.length + 1)
    const name = `${path}: ${oneLine(lines.join('\n'))} → ${oneLine(replacement)}`
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const numbered = count === 1 ? name : `${name} (${count})`
    return { id, name: numbered, file: path, line: start.line + 1 }
  })

  const shared = globalThis as { __stryker__?: StrykerNamespace }
  let copies = 0
  let loading: Promise<unknown> = Promise.resolve()
  return {
    mutants,
    load(mutant) {
      const loaded = loading.then(async () => {
        // A copy keeps the namespace that it finds when it is loaded.
        const active = mutant && { activeMutant: mutant.id, hitCount: 0, hitLimit: MAX_HITS }
        const namespace: StrykerNamespace = { ...active }
        shared.__stryker__ = namespace
        copies += 1
        const { startReference }: MutatedReference = await import(`${file}?copy=${copies}`)
        const coverage = () => new Set(Object.keys(namespace.mutantCoverage?.static ?? {}))
        return { startReference, coverage }
      })
      loading = loaded.catch(() => {})
      return loaded
    },
  }
}
