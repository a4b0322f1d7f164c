import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const suites = readdirSync(fileURLToPath(new URL('.', import.meta.url)), {
  recursive: true,
  encoding: 'utf8',
}).filter((path) => /[/\\][^/\\]+\.suite\.[jt]s$/.test(path))

// A single test file imports all suites, so that they share fixtures and run concurrently.
await Promise.all(suites.map((path) => import(new URL(path, import.meta.url).href)))
