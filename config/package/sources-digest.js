import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Plain JavaScript: it is asked before anything could load TypeScript.

const folders = ['config', 'lib', 'suites']
const files = ['package.json', 'tsconfig.json']
const compiled = /(?<!\.(?:test|browser))\.(?:ts|js|json|css)$/

/**
 * SHA-256 in hexadecimal of all that is compiled, and of what says how.
 *
 * @param {string} project the folder with `package.json`
 */
export function sourcesDigest(project) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => compiled.test(path))
      .map((path) => join(folder, path)),
  )
  const digest = createHash('sha256')
  for (const path of [...files, ...paths.toSorted()]) {
    const content = readFileSync(join(project, path))
    digest.update(`${path} ${content.length}\n`).update(content)
  }
  return digest.digest('hex')
}
