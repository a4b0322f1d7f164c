import { readFileSync } from 'node:fs'
import { compareSurvivors, type Mutant, type SurvivorEntry } from './instrument.ts'
import { modelMutants } from './model-mutants.ts'
import { inWorkers } from './mutation-target.ts'
import { referenceMutants } from './reference-mutants.ts'
import { readSelections } from './selection.ts'

// Runs the suites against the reference server with one mutant at a time, or with `--model` with one mutant in the model of
// the suites, and compares the survivors with a file. Arguments select files, or some of their lines, such as
// `code-hosting/rules.ts` or `access.ts:40-90`; without any, all of them. To resume, name the lines from the last one printed on.

/** Mutants after which a line says how far the command is. */
const PROGRESS_STEP = 25

/** Characters of the code of a mutant that are printed. */
const MAX_CODE_CHARS = 160

// A mutant that breaks the server makes its HTTP library print the error of each request.
console.error = () => {}

const log = (line: string) => process.stderr.write(`${line}\n`)

const isModel = process.argv.includes('--model')
const { selects, selectsAllOf } = readSelections(
  process.argv.slice(2).filter((argument) => argument !== '--model'),
)
const target = await (isModel ? modelMutants : referenceMutants)(selects)
const { mutants, sources, folder } = target
const survivorsFile = new URL(target.survivorsFile, import.meta.url)
const entries = JSON.parse(readFileSync(survivorsFile, 'utf8')) as SurvivorEntry[]

function describeMutant({ file, line, start, end, replacement }: Mutant): string {
  const shorten = (code: string) =>
    code.length > MAX_CODE_CHARS ? `${code.slice(0, MAX_CODE_CHARS)}…` : code
  const code = sources.get(file)?.slice(start, end) ?? ''
  return `${folder}/${file}:${line}\n  ${shorten(code)}\n  → ${shorten(replacement)}`
}

const isListed = (mutant: Mutant) =>
  compareSurvivors(entries, [mutant], sources).unlisted.length === 0

const survivors: Mutant[] = []
let runs = 0
let tried = 0
let unfinished = 0
log(`${mutants.length} mutants`)
await inWorkers(mutants, target.openSuites, async (mutant, suites) => {
  const { status, runs: ofMutant } = await target.judge(mutant, suites)
  runs += ofMutant
  if (status === 0) {
    survivors.push(mutant)
    log(`survived${isListed(mutant) ? ', as listed' : ''}: ${describeMutant(mutant)}`)
  } else if (status !== 1) unfinished += 1
  tried += 1
  if (tried % PROGRESS_STEP === 0) {
    log(`${tried} of ${mutants.length}, up to ${mutant.file}:${mutant.line}`)
  }
})

const { unlisted, unused: ofSome } = compareSurvivors(entries, survivors, sources)
// The mutants of an entry may be in the lines that were not selected.
const unused = ofSome.filter(({ file }) => selectsAllOf(file))
unlisted.sort((one, other) => Number(one.id) - Number(other.id))
for (const mutant of unlisted) console.log(`survived: ${describeMutant(mutant)}`)
for (const { file, part } of unused) {
  console.log(`unused in ${target.survivorsFile}: ${file}: ${part}`)
}
const killed = mutants.length - survivors.length
console.log(
  `${mutants.length} mutants in ${runs} runs: ${killed} killed (${unfinished} of them without a verdict), ` +
    `${survivors.length} survived, ${unlisted.length} of them not listed; ${unused.length} unused entries`,
)
// A partly started server of a mutant may still run.
process.exit(unlisted.length + unused.length > 0 ? 1 : 0)
