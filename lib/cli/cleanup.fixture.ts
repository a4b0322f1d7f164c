import { afterAll } from 'vitest'
import { cleanUp } from './command.fixture.ts'

// Vitest loads this for each file, though files have their other modules in common.
afterAll(cleanUp)
