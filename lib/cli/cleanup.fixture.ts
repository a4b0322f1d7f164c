import { afterAll } from 'vitest'
import { cleanUp } from './command.fixture.ts'

// Vitest loads this for each file; files share their other modules.
afterAll(cleanUp)
