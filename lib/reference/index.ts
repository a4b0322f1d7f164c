export type { MakeIntermediary } from './intermediaries.ts'
export {
  type Fault,
  faults,
  plainAsTold,
  type ServiceName,
  servicesOfFault,
  servicesOfVariant,
  toldOtherwise,
  type Variant,
  variants,
} from './registry.ts'
export {
  type ReferenceOptions,
  type RunningReference,
  startReference,
} from './start-reference.ts'
