import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sourcesDigest, sourcesStamp } from './sources-digest.js'

// Compiles the project: a package holds nothing else, since in node_modules/ neither Node.js nor
// Vitest reads TypeScript, and a checkout starts sooner with it. What comes of it has the folders of
// the project, so that modules find each other and their assets.

const project = fileURLToPath(new URL('../..', import.meta.url))
const built = join(project, '.build')
const digestFile = join(built, 'sources.sha256')

/** What modules read beside themselves: styles, scripts of other places, schemas. */
const asset = /(?<!\.test|\.fixture|\.snapshot|\/plumbline)\.(?:css|js|json)$/

// Before anything is read: what changes later has another one.
const stamp = sourcesStamp(project)
const digest = sourcesDigest(project)
const mark = `${digest}\n${stamp}\n`
const isThere = existsSync(digestFile) && readFileSync(digestFile, 'utf8').startsWith(digest)
// What is there may be in use.
if (isThere) {
  writeFileSync(digestFile, mark)
} else {
  const fresh = join(project, `.build-${process.pid}`)
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '--project', join(project, 'config/package'), '--outDir', fresh]
  try {
    // npm shows what a script says of errors, and no more of it.
    const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] })
    process.exitCode = status === 0 ? 0 : 1
    if (status === 0) {
      for (const folder of ['lib', 'suites']) {
        cpSync(join(project, folder), join(fresh, folder), {
          recursive: true,
          filter: (path) => statSync(path).isDirectory() || asset.test(path),
        })
      }
      writeFileSync(join(fresh, 'sources.sha256'), mark)
      rmSync(built, { recursive: true, force: true })
      renameSync(fresh, built)
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
