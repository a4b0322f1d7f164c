export type { Behaviour } from './behaviour.ts'
export { behaviours } from './behaviours.ts'
export { type HostileOptions, type RunningHostile, startHostile } from './start-hostile.ts'
