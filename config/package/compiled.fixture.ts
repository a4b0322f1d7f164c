import { fileURLToPath } from 'node:url'
import { compile } from '../../lib/cli/copied-project.fixture.ts'

/** Compiles what has changed before tests start commands: from its sources each takes seconds more. */
export const setup = () => compile(fileURLToPath(new URL('../..', import.meta.url)))
