#!/usr/bin/env -S node --
// Without the dashes in the line above Node.js 20 takes --env-file for an option of its own.
import { register } from 'tsx/esm/api'

// Every module that is loaded after tsx has registered passes through its hooks. Vitest is large, and
// loading it before that lets a run start half a second earlier.
if (['run', 'prove'].includes(process.argv[2])) await import('vitest/node')

register()
await import('./main.ts')
