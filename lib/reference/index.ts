export { plainAsTold, servicesOfFault, servicesOfVariant, toldOtherwise } from './changes.ts'
export type { MakeIntermediary } from './intermediaries.ts'
export { type Fault, faults, type ServiceName, type Variant, variants } from './registry.ts'
export {
  type ReferenceOptions,
  type RunningReference,
  startReference,
} from './start-reference.ts'
