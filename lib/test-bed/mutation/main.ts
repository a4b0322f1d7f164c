import { readFileSync } from 'node:fs'
import { compareSurvivors, type Mutant, type SurvivorEntry } from './instrument.ts'
import { modelMutants } from './model-mutants.ts'
import { inWorkers } from './mutation-target.ts'
import { referenceMutants } from './reference-mutants.ts'

// Runs the suites against the reference server with one mutant at a time, or with `--model` with one mutant in the model of
// the code hosting service, and compares the survivors with a file. Arguments select files, such as `code-hosting/rules.ts` or
// `access.ts`; without any, all of them.

/** Mutants after which a line says how far the command is. */
const PROGRESS_STEP = 25

/** Characters of the code of a mutant that are printed. */
const MAX_CODE_CHARS = 160

// A mutant that breaks the server makes its HTTP library print the error of each request.
console.error = () => {}

const log = (line: string) => process.stderr.write(`${line}\n`)

const isModel = process.argv.includes('--model')
const files = process.argv.slice(2).filter((argument) => argument !== '--model')
const isSelected = ({ file }: { file: string }) => files.length === 0 || files.includes(file)
const target = await (isModel ? modelMutants : referenceMutants)(isSelected)
const { mutants, sources, folder } = target
const survivorsFile = new URL(target.survivorsFile, import.meta.url)
const entries = (JSON.parse(readFileSync(survivorsFile, 'utf8')) as SurvivorEntry[]).filter(
  isSelected,
)

function describeMutant({ file, line, start, end, replacement }: Mutant): string {
  const shorten = (code: string) =>
    code.length > MAX_CODE_CHARS ? `${code.slice(0, MAX_CODE_CHARS)}…` : code
  const code = sources.get(file)?.slice(start, end) ?? ''
  return `${folder}/${file}:${line}\n  ${shorten(code)}\n  → ${shorten(replacement)}`
}

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
    log(`survived: ${describeMutant(mutant)}`)
  } else if (status !== 1) unfinished += 1
  tried += 1
  if (tried % PROGRESS_STEP === 0) log(`${tried} of ${mutants.length}`)
})

const { unlisted, unused } = compareSurvivors(entries, survivors, sources)
unlisted.sort((one, other) => Number(one.id) - Number(other.id))
for (const mutant of unlisted) console.log(`survived: ${describeMutant(mutant)}`)
for (const part of unused) console.log(`unused in ${target.survivorsFile}: ${part}`)
const killed = mutants.length - survivors.length
console.log(
  `${mutants.length} mutants in ${runs} runs: ${killed} killed (${unfinished} of them without a verdict), ` +
    `${survivors.length} survived, ${unlisted.length} of them not listed; ${unused.length} unused entries`,
)
// A partly started server of a mutant may still run.
process.exit(unlisted.length + unused.length > 0 ? 1 : 0)
