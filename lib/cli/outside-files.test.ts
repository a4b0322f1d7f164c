import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { copiedProject } from './copied-project.fixture.ts'

const MAX_MS = 120_000

/** Modules that a lookup in the folders above the project would load. */
const modules = [
  'node_modules/lib/conformance/vitest-setup.js',
  'node_modules/lib/conformance/vitest-setup.ts',
  'postcss.config.cjs',
  'vite.config.mjs',
  'vitest.config.mjs',
]

/** Plants files in a folder; each that runs leaves its name in `marks`. */
function plant(folder: string, marks: string): void {
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const marking = (path: string) => {
    const mark = join(marks, path.replaceAll('/', ' '))
    return `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`
  }
  for (const path of modules) write(path, marking(path))
  write('pnpm-workspace.yaml', '')
  write('.postcssrc', '{"plugins":{"./postcss.config.cjs":{}}}')
  write('alias.mjs', marking('tsconfig.json'))
  const paths = { commander: ['./alias.mjs'], vitest: ['./alias.mjs'] }
  write('tsconfig.json', JSON.stringify({ compilerOptions: { baseUrl: '.', paths } }))
}

it(
  'a run loads no code and no configuration from outside the package',
  async () => {
    const above = temporaryDirectory()
    const project = join(above, 'project')
    mkdirSync(project)
    copiedProject(project, '.build')
    const inProject = (path: string) => join(project, path)
    const marks = temporaryDirectory()
    plant(above, marks)
    // Vite does not accept the value, and says so.
    writeFileSync(inProject('.env'), 'NODE_ENV=production\n')
    const command = inProject('lib/cli/plumbline.js')
    const run = ['run', '--requirement', 'code-hosting/settings/record']

    const runAbove = async () => {
      const { status, errors } = await plumbline(run, { NODE_ENV: '' }, undefined, command, above)
      expect(readdirSync(marks), errors).toEqual([])
      expect(status, errors).toBe(0)
      expect(errors).not.toContain('NODE_ENV')
    }
    await runAbove()
    // From here on, TypeScript is loaded.
    appendFileSync(inProject('lib/cli/options.ts'), '\n')
    await runAbove()
  },
  MAX_MS,
)
