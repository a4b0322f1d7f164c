import { spawnSync } from 'node:child_process'
import { cpSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// What a package holds in place of the sources: in node_modules/ neither Node.js nor Vitest reads
// TypeScript. It has the folders of the project, so that modules find each other and their assets.

const project = fileURLToPath(new URL('../..', import.meta.url))
const built = join(project, '.build')

/** What modules read beside themselves: styles, scripts of other places, schemas. */
const asset = /(?<!\.test|\.fixture|\.snapshot|\/plumbline)\.(?:css|js|json)$/

rmSync(built, { recursive: true, force: true })
const tsc = join(project, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(
  process.execPath,
  [tsc, '--project', join(project, 'config/package')],
  {
    // npm shows what a script says of errors, and no more of it.
    stdio: ['ignore', process.stderr, process.stderr],
  },
)
if (status !== 0) process.exit(1)
for (const folder of ['lib', 'suites']) {
  cpSync(join(project, folder), join(built, folder), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || asset.test(path),
  })
}
