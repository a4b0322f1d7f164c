import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../.ci/${path}`, import.meta.url)), 'utf8')

it('.ci/run takes packages only from lock files, which pin their content', () => {
  const commands = read('run').replaceAll(/^\s*#.*/gm, '')
  // Vitest is installed by then.
  expect(commands).not.toMatch(/\bnpx (?!vitest )|\bnpm (?:exec|x|i|install)\b/)
  const { packages } = JSON.parse(read('package-lock.json'))
  const { '': root, ...others } = packages
  expect(root.optionalDependencies).toEqual(JSON.parse(read('package.json')).optionalDependencies)
  for (const one of Object.values(others)) {
    expect(one).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) })
    expect(one).not.toHaveProperty('hasInstallScript')
  }
})
