import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from './command.fixture.ts'

const execute = promisify(execFile)

const project = fileURLToPath(new URL('../..', import.meta.url))

/** Plumbline as those have it who do not work on it. */
export interface InstalledPackage {
  /** Where npm installed it: a folder that was empty. */
  directory: string
  /** Its own folder, below `node_modules/`. */
  folder: string
  /** Path of the command that npm linked. */
  command: string
}

/** Packs the project and installs the package in an empty folder, with npm, as a user does. */
export async function installPackage(): Promise<InstalledPackage> {
  const packed = temporaryDirectory()
  await execute('npm', ['pack', '--pack-destination', packed], { cwd: project })
  const [tarball = ''] = readdirSync(packed)
  const directory = join(temporaryDirectory(), 'empty')
  mkdirSync(directory)
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await execute('npm', ['install', ...options, join(packed, tarball)], { cwd: directory })
  return {
    directory,
    folder: join(directory, 'node_modules', 'plumbline'),
    command: join(directory, 'node_modules', '.bin', 'plumbline'),
  }
}

/** The paths of all files below a folder, in the order of the alphabet. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()
}
