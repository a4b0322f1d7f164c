import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

// Plain JavaScript: it is asked before anything could load TypeScript.

const folders = ['config', 'lib', 'suites']
const files = ['package.json', 'tsconfig.json']
const compiled = /(?<!\.(?:test|fixture|browser))\.(?:ts|js|json|css)$/

/** @param {string} project */
const pathsIn = (project) => [
  ...files,
  ...folders
    .flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => compiled.test(path))
        .map((path) => join(folder, path)),
    )
    .toSorted(),
]

/**
 * SHA-256 in hexadecimal of all that is compiled, and of what says how.
 *
 * @param {string} project the folder with `package.json`
 */
export function sourcesDigest(project) {
  const digest = createHash('sha256')
  for (const path of pathsIn(project)) {
    const content = readFileSync(join(project, path))
    digest.update(`${path} ${content.length}\n`).update(content)
  }
  return digest.digest('hex')
}

/**
 * The same of sizes and times, which is read sooner. Whatever changes a file changes its `ctime`.
 *
 * @param {string} project the folder with `package.json`
 */
export function sourcesStamp(project) {
  const digest = createHash('sha256')
  for (const path of pathsIn(project)) {
    const { size, ino, mtimeMs, ctimeMs } = statSync(join(project, path))
    digest.update(`${path} ${size} ${ino} ${mtimeMs} ${ctimeMs}\n`)
  }
  return digest.digest('hex')
}
