import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('../../suites', import.meta.url))
const sources = fileURLToPath(new URL('../../../suites', import.meta.url))

/** As they are written, where that is at hand: a checkout may be compiled too. */
const suites =
  extname(import.meta.url) === '.js' && existsSync(join(sources, 'all.suite.ts')) ? sources : beside

/** A word of the suites and the id that it judges, where `${…}` stands for any part of one. */
const judging = /\b(?:verify|invariant)\(\s*(['`])(?<id>[^'`]+)\1/g

function idPattern(id: string): RegExp {
  const parts = id.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'))
  return new RegExp(`^${parts.join('[a-z-]+')}$`)
}

/** The suites that judge a requirement, as paths below `suites/` by its id. */
export function suiteFiles(): (requirement: string) => string[] {
  const files = readdirSync(suites, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.suite\.[jt]s$/.test(path))
    .toSorted()
    .map((path) => {
      const matches = readFileSync(join(suites, path), 'utf8').matchAll(judging)
      return { path, patterns: [...matches].map(({ groups }) => idPattern(groups?.id ?? '')) }
    })
  return (requirement) =>
    files
      .filter(({ patterns }) => patterns.some((pattern) => pattern.test(requirement)))
      .map(({ path }) => path)
}
