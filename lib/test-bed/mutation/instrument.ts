import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { rolldown } from 'rolldown'
import packageJson from '../../../package.json' with { type: 'json' }
import type { startReference } from '../reference/index.ts'

export const REFERENCE_FOLDER = 'lib/test-bed/reference'

export const project = fileURLToPath(new URL('../../..', import.meta.url))

const MUTATED_FILES = readdirSync(join(project, REFERENCE_FOLDER), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => /^([^/]+\/(authenticate|endpoints|rules)|keyed-service)\.ts$/.test(path))
  .toSorted()

/** Change of code, applied only while the mutant is active. */
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
const oneLine = (code: string): string => code.replaceAll(/\s+/g, ' ')

export interface Instrumented {
  mutants: Mutant[]
  /** Each mutated source in one line, by file. */
  sources: ReadonlyMap<string, string>
  /** Code with all mutants, by path. */
  code: ReadonlyMap<string, string>
}

/** Returns the namespace in which only this mutant is active. */
export const namespaceOf = (mutant?: Mutant): StrykerNamespace =>
  mutant === undefined ? {} : { activeMutant: mutant.id, hitCount: 0, hitLimit: MAX_HITS }

interface SyntaxNode {
  type: string
  /** The name of a variable. */
  name?: string
  /** The function of a call. */
  callee?: SyntaxNode
  /** The name of a member that is read. */
  property?: SyntaxNode
  /** The name of a member that is written. */
  key?: SyntaxNode
}

/** Members that say where a deviation is, or why nothing was judged. */
const EVIDENCE = /^(?:absenceReason|header|pointer)$/

/** Leaves out texts about a verdict, which no verdict depends on. */
const texts = {
  shouldIgnore(path: object): string | undefined {
    const { node, parent } = path as { node: SyntaxNode; parent?: SyntaxNode }
    const { callee, key } = parent ?? {}
    const isEvidence = /^(?:StringLiteral|TemplateLiteral|ObjectExpression)$/.test(node.type)
    const isText =
      /^skip/.test(callee?.name ?? '') ||
      (isEvidence && (callee?.property?.name === 'toShow' || EVIDENCE.test(key?.name ?? '')))
    return isText ? 'text' : undefined
  },
}

/** Adds all mutants to files of a folder. */
export async function instrument(folder: string, files: readonly string[]): Promise<Instrumented> {
  const root = join(project, folder)
  const fileOf = (path: string) => path.slice(root.length + 1)
  const sources = files.map((name) => {
    const path = join(root, name)
    return { name: path, content: readFileSync(path, 'utf8'), mutate: true }
  })
  const options = { plugins: null, ignorers: [texts], excludedMutations: [], noHeader: false }
  const result = await new Instrumenter(logger).instrument(sources, options)
  const kept = result.mutants.filter(({ status }) => status !== 'Ignored')
  const mutants = kept.map(({ id, fileName, location, replacement }): Mutant => {
    const lines = sources.find(({ name }) => name === fileName)?.content.split('\n') ?? []
    const toOffset = ({ line, column }: typeof location.start) =>
      oneLine([...lines.slice(0, line), lines[line]?.slice(0, column)].join('\n')).length
    const [start, end] = [toOffset(location.start), toOffset(location.end)]
    const file = fileOf(fileName)
    const line = location.start.line + 1
    return { id, file, line, start, end, replacement: oneLine(replacement) }
  })
  return {
    mutants,
    sources: new Map(sources.map(({ name, content }) => [fileOf(name), oneLine(content)])),
    code: new Map(result.files.map(({ name, content }) => [name, content])),
  }
}

export interface InstrumentedReference extends Instrumented {
  /**
   * Evaluates a separate copy of the server; `coverage` returns the ids of the mutants reached so far.
   *
   * @throws Error if the mutant prevents the setup of the server
   */
  load(mutant?: Mutant): MutatedReference & { coverage: () => Set<string> }
}

/** Evaluates a separate copy of a module in which a mutant may be active. */
type LoadModule<Module> = (mutant?: Mutant) => {
  module: Module
  namespace: StrykerNamespace
}

/** Compiles a module of the project and what it imports, with all mutants, into one bundle. */
export async function bundleWithMutants<Module>(
  path: string,
  { code }: Instrumented,
): Promise<LoadModule<Module>> {
  const bundle = await rolldown({
    cwd: project,
    input: join(project, path),
    platform: 'node',
    checks: { bundlerTimings: false },
    external: Object.keys(packageJson.dependencies).map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [{ name: 'instrumented', load: (id) => code.get(id) ?? null }],
  })
  const { output } = await bundle.generate({ format: 'cjs' })
  await bundle.close()
  const compiled = compileFunction(output[0].code, ['require', 'exports'])
  const require = createRequire(import.meta.url)

  const shared = globalThis as { __stryker__?: StrykerNamespace }
  return (mutant) => {
    // A copy keeps the namespace that exists during its evaluation.
    const namespace = namespaceOf(mutant)
    shared.__stryker__ = namespace
    const module = {} as Module
    compiled(require, module)
    return { module, namespace }
  }
}

/** Compiles the reference server with all mutants into one bundle, which is loaded once per mutant. */
export async function instrumentReference(): Promise<InstrumentedReference> {
  const instrumented = await instrument(REFERENCE_FOLDER, MUTATED_FILES)
  const load = await bundleWithMutants<MutatedReference>(
    'lib/test-bed/reference/index.ts',
    instrumented,
  )
  return {
    ...instrumented,
    load(mutant) {
      const { module, namespace } = load(mutant)
      const coverage = () => new Set(Object.keys(namespace.mutantCoverage?.static ?? {}))
      return { startReference: module.startReference, coverage }
    },
  }
}

export interface SurvivorEntry {
  file: string
  /** Pieces of the file, with any white space; the entry is about the mutants within them. */
  code: string | readonly string[]
  /** Code of the mutants, if the entry is not about all of them. */
  replacement?: string | readonly string[]
  /** `equivalent`: no response differs. `not stated`: no document says which response is right. */
  reason: 'equivalent' | 'not stated'
  why: string
}

/** Mutated sources in one line, by file. */
type Sources = ReadonlyMap<string, string>

/** Returns true if a piece of code, which may occur several times, encloses the mutant. */
function encloses(piece: string, { file, start, end }: Mutant, sources: Sources): boolean {
  const source = sources.get(file) ?? ''
  const code = oneLine(piece)
  let at = source.indexOf(code)
  while (at !== -1 && !(at <= start && end <= at + code.length)) at = source.indexOf(code, at + 1)
  return at !== -1
}

/** Returns the survivors without an entry, and each piece and replacement of an entry without a survivor. */
export function compareSurvivors(
  entries: readonly SurvivorEntry[],
  survivors: readonly Mutant[],
  sources: Sources,
): { unlisted: Mutant[]; unused: { file: string; part: string }[] } {
  const listed = new Set<Mutant>()
  const unused = entries.flatMap(({ file, code, replacement }) => {
    const ofFile = survivors.filter((mutant) => mutant.file === file)
    const replacements = replacement === undefined ? undefined : new Set([replacement].flat())
    const unmatched = new Set(replacements)
    const pieces = [code].flat().filter((piece) => {
      const matching = ofFile.filter(
        (mutant) =>
          (replacements?.has(mutant.replacement) ?? true) && encloses(piece, mutant, sources),
      )
      for (const mutant of matching) {
        listed.add(mutant)
        unmatched.delete(mutant.replacement)
      }
      return matching.length === 0
    })
    const parts = [...pieces, ...[...unmatched].map((text) => `→ ${text}`)]
    return parts.map((part) => ({ file, part }))
  })
  return { unlisted: survivors.filter((mutant) => !listed.has(mutant)), unused }
}
