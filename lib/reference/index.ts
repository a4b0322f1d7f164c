export type { Fault } from './code-hosting/fault.ts'
export type { Variant } from './code-hosting/variant.ts'
export { faults } from './faults.ts'
export {
  type ReferenceOptions,
  type RunningReference,
  startReference,
} from './start-reference.ts'
export { variants } from './variants.ts'
