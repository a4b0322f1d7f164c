import { cpSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { type Plugin, rolldown } from 'rolldown'
import packageJson from '../../package.json' with { type: 'json' }

// Compiles the project into few files, because Node.js and Vitest read no TypeScript in node_modules/, and a
// checkout starts sooner. Modules that are loaded by path keep their path; their common parts are in chunks.

const project = fileURLToPath(new URL('../..', import.meta.url))
const built = join(project, '.build')

/** Files that modules read: styles and scripts. */
const asset = /(?<!\.test|\.fixture|\.snapshot|\/plumbline)\.(?:css|js)$/

/** Files that Node.js, Vitest, or a module loads by path. */
const entries = [
  'config/conformance.config.ts',
  'lib/cli/main.ts',
  'lib/cli/vitest-global-setup.ts',
  'lib/cli/vitest-reporter.ts',
  'lib/conformance/vitest-setup.ts',
  ...readdirSync(join(project, 'suites'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.suite\.ts$/.test(path))
    .map((path) => `suites/${path}`),
]

/** Resolves paths in a chunk relative to the source of its module. */
const importMetaUrl: Plugin = {
  name: 'import-meta-url',
  transform(code, id) {
    const path = relative(project, id)
    const isOurs = !id.startsWith('\0')
    if (!isOurs || !code.includes('import.meta.url') || entries.includes(path)) return null
    const place = JSON.stringify(`../../${path.replace(/\.ts$/, '.js')}`)
    return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
  },
}

/** Replaces modules that compile schemas by the compiled validators. */
const validators: Plugin = {
  name: 'validators',
  async load(id) {
    if (!id.endsWith('/validators.ts')) return null
    const { ajv } = await import('../../lib/conformance/ajv.ts')
    const schemas = Object.entries<{ schema: { $id: string } }>(
      await import(pathToFileURL(id).href),
    )
    const ids = Object.fromEntries(schemas.map(([name, { schema }]) => [name, schema.$id]))
    const kept = schemas.map(([name, { schema }]) => `${name}.schema = ${JSON.stringify(schema)}`)
    return { code: [standaloneCode(ajv, ids), ...kept].join('\n'), moduleType: 'js' }
  },
}

async function compileTo(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: project,
    input: Object.fromEntries(entries.map((path) => [path.replace(/\.ts$/, ''), path])),
    platform: 'node',
    checks: { bundlerTimings: false },
    // Dependencies are updated separately.
    external: Object.keys(packageJson.dependencies).map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [importMetaUrl, validators],
  })
  const names = { entryFileNames: '[name].js', chunkFileNames: 'lib/chunks/[name]-[hash].js' }
  await bundle.write({ dir: folder, ...names })
  await bundle.close()
  for (const path of readdirSync(join(project, 'lib'), { recursive: true, encoding: 'utf8' })) {
    if (asset.test(path)) cpSync(join(project, 'lib', path), join(folder, 'lib', path))
  }
}

// A source that changes during the compilation is newer.
const started = new Date()
// A running command may use the existing folder.
const fresh = join(project, `.build-${process.pid}`)
try {
  await compileTo(fresh)
  utimesSync(join(fresh, 'lib/cli/main.js'), started, started)
  rmSync(built, { recursive: true, force: true })
  renameSync(fresh, built)
} finally {
  rmSync(fresh, { recursive: true, force: true })
}
