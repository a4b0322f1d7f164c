#!/usr/bin/env -S node --
// Without the dashes in the line above Node.js 20 takes --env-file for an option of its own.
import { register } from 'tsx/esm/api'

// Every module that is loaded after tsx has registered passes through its hooks. Loading the large
// packages of a run before that makes it start in half the time.
const packages = [
  'vitest/node',
  'ajv/dist/2020.js',
  'ajv-formats',
  'junit-report-builder',
  'commander',
  'dotenv',
  'hono/tiny',
  '@hono/node-server',
  'otpauth',
]
if (process.argv[2] === 'run') await Promise.all(packages.map((name) => import(name)))

register()
await import('./main.ts')
