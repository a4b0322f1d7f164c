import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

// Plain JavaScript: it is asked before anything could load TypeScript.

const folders = ['config', 'lib', 'suites']
// With the versions of what has a part in it, such as Ajv.
const files = ['package.json', 'package-lock.json', 'tsconfig.json']
const compiled = /(?<!\.(?:test|fixture|browser))\.(?:ts|js|json|css)$/

/**
 * The paths of all files below a folder. Node.js 20 takes ten times as long for `recursive`.
 *
 * @param {string} project
 * @param {string} folder
 * @returns {string[]}
 */
const filesBelow = (project, folder) =>
  readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(project, path) : [path]
  })

/** @param {string} project */
const pathsIn = (project) => [
  ...files.filter((path) => existsSync(join(project, path))),
  ...folders
    .flatMap((folder) => filesBelow(project, folder))
    .filter((path) => compiled.test(path))
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
