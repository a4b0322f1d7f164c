export type { Behaviour } from './behaviour.fixture.ts'
export { behaviours } from './behaviours.fixture.ts'
export { type HostileOptions, type RunningHostile, startHostile } from './start-hostile.fixture.ts'
