#!/usr/bin/env -S node --
// Without the dashes in the line above Node.js 20 takes --env-file for an option of its own.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const project = new URL('../../', import.meta.url)
const digestFile = new URL('.build/sources.sha256', project)

/** A package has nothing but what was compiled. A checkout may have it too, and from other sources. */
async function isCompiled() {
  if (!existsSync(new URL('lib/cli/main.ts', project))) return true
  if (!existsSync(digestFile)) return false
  const { sourcesDigest, sourcesStamp } = await import('../../config/package/sources-digest.js')
  const [digest, stamp] = readFileSync(digestFile, 'utf8').split('\n')
  const folder = fileURLToPath(project)
  // A copy has other times: then the sources themselves tell.
  return stamp === sourcesStamp(folder) || digest === sourcesDigest(folder)
}

if (await isCompiled()) {
  await import('../../.build/lib/cli/main.js')
} else {
  await import('../../config/package/typescript.js')
  await import('./main.ts')
}
