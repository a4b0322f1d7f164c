import { runCommandLine } from './command-line.ts'
import { fatalText } from './defects.ts'
import { processSurroundings } from './surroundings.ts'
import { watchProcess } from './uncaught-errors.ts'

const DEFECT_STATUS = 3

const surroundings = processSurroundings()

watchProcess((error) => {
  surroundings.errors.write(fatalText(error, surroundings.redactor))
  process.exit(DEFECT_STATUS)
})

// Whoever reads along may have seen enough: `plumbline run 2>&1 | head`.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

process.exit(await runCommandLine(process.argv.slice(2), surroundings))
