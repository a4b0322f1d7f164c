#!/usr/bin/env -S node --
// Without the dashes in the line above Node.js 20 takes --env-file for an option of its own.
import { existsSync } from 'node:fs'

const hasSources = existsSync(new URL('main.ts', import.meta.url))
if (hasSources) {
  const loadingTsx = import('tsx/esm/api')
  // Every module that is loaded after tsx has registered passes through its hooks. Vitest is large,
  // and loading it before that lets a run start half a second earlier.
  if (['run', 'prove', 'doctor'].includes(process.argv[2])) await import('vitest/node')
  const { register } = await loadingTsx
  register()
}
// A package holds what its `prepack` has made of the sources; nothing would compile them there.
await import(hasSources ? './main.ts' : '../../.build/lib/cli/main.js')
