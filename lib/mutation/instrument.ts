import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { rolldown } from 'rolldown'
import packageJson from '../../package.json' with { type: 'json' }
import type { startReference } from '../reference/index.ts'

const MUTATED_FILES = [
  'code-hosting/authenticate.ts',
  'code-hosting/endpoints.ts',
  'code-hosting/rules.ts',
  'event-publishing/endpoints.ts',
  'event-publishing/rules.ts',
  'incident-status/endpoints.ts',
  'incident-status/rules.ts',
  'keyed-service.ts',
]

const fileOf = (path: string) => path.slice(reference.length + 1)

const project = fileURLToPath(new URL('../..', import.meta.url))
const reference = join(project, 'lib/reference')

/** Change of the code of the reference server, applied only while the mutant is active. */
export interface Mutant {
  /** Number from the instrumenter, which changes with the sources. */
  id: string
  file: string
  line: number
  /** Range in the source in one line (see `sources`). */
  start: number
  end: number
  replacement: string
}

export type MutatedReference = { startReference: typeof startReference }

/** State that instrumented code reads and writes, as Stryker's instrumenter generates it. */
interface StrykerNamespace {
  activeMutant?: string
  /** Executions of the active mutant; above the limit it throws, to end a loop. */
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { static: Record<string, number> }
}

const MAX_HITS = 100_000

const silent = () => {}
const logger = {
  ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
}

/** Returns the code with each sequence of white space as one space. */
export const oneLine = (code: string): string => code.replaceAll(/\s+/g, ' ')

export interface InstrumentedReference {
  mutants: Mutant[]
  /** Each mutated source in one line, by file. */
  sources: ReadonlyMap<string, string>
  /**
   * Evaluates a separate copy of the server; `coverage` returns the ids of the mutants reached so far.
   *
   * @throws Error if the mutant prevents the setup of the server
   */
  load(mutant?: Mutant): MutatedReference & { coverage: () => Set<string> }
}

/** Compiles the reference server with all mutants into one bundle, which is loaded once per mutant. */
export async function instrumentReference(): Promise<InstrumentedReference> {
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
  const { output } = await bundle.generate({ format: 'cjs' })
  await bundle.close()
  const compiled = compileFunction(output[0].code, ['require', 'exports'])
  const require = createRequire(import.meta.url)

  const mutants = result.mutants.map(({ id, fileName, location, replacement }): Mutant => {
    const lines = sources.find(({ name }) => name === fileName)?.content.split('\n') ?? []
    const toOffset = ({ line, column }: typeof location.start) =>
      oneLine([...lines.slice(0, line), lines[line]?.slice(0, column)].join('\n')).length
    const [start, end] = [toOffset(location.start), toOffset(location.end)]
    const file = fileOf(fileName)
    const line = location.start.line + 1
    return { id, file, line, start, end, replacement: oneLine(replacement) }
  })

  const shared = globalThis as { __stryker__?: StrykerNamespace }
  return {
    mutants,
    sources: new Map(sources.map(({ name, content }) => [fileOf(name), oneLine(content)])),
    load(mutant) {
      // A copy keeps the namespace that exists during its evaluation.
      const active = mutant && { activeMutant: mutant.id, hitCount: 0, hitLimit: MAX_HITS }
      const namespace: StrykerNamespace = { ...active }
      shared.__stryker__ = namespace
      const exports = {} as MutatedReference
      compiled(require, exports)
      const coverage = () => new Set(Object.keys(namespace.mutantCoverage?.static ?? {}))
      return { startReference: exports.startReference, coverage }
    },
  }
}
