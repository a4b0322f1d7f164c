export type { Fault } from './fault.ts'
export { faults } from './faults.ts'
export type { ReferenceRules } from './reference-rules.ts'
export type { ServiceName } from './services.ts'
export {
  type ReferenceOptions,
  type RunningReference,
  startReference,
} from './start-reference.ts'
export type { MakeIntermediary, Variant } from './variant.ts'
export { variants } from './variants.ts'
