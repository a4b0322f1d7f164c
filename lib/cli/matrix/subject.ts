import picomatch from 'picomatch'
import type { RunVerdict } from '../../conformance/result.ts'
import {
  type Fault,
  faults,
  type ServiceName,
  type Variant,
  variants,
} from '../../reference/index.ts'
import { unknownName } from '../reference-names.ts'

/** A reference deployment, and what the suites have to find in it. */
export interface Subject {
  kind: 'fault' | 'variant'
  name: string
  /** Those that it changes, or all; the others would only be judged once more. */
  services: readonly ServiceName[]
  /** Ids of the requirements that fail, no more and no less. */
  failing: readonly string[]
  verdict: RunVerdict
  /** Ids of the tolerances that it makes use of; their requirements pass. */
  tolerances: readonly string[]
  /** Ids of the requirements with those tolerances that get no verdict all the same. */
  unjudged: readonly string[]
  /** What becomes of further requirements, by id. */
  becoming?: Variant['becoming']
  /** The deployment, where it is no fault. */
  variant?: Variant
  /** What the variant is compared with, where the operator tells the same of a plain deployment. */
  plain?: Variant
}

/** Names or globs of what is to be proved; with neither, everything is. */
export interface SubjectPatterns {
  fault?: readonly string[]
  variant?: readonly string[]
}

const codeHosting: readonly ServiceName[] = ['code-hosting']
// Together, so that something is judged where the operator tells nothing of one of them.
const keyed: readonly ServiceName[] = ['event-publishing', 'incident-status']

function servicesOfFault({ requirements }: Fault): readonly ServiceName[] {
  return requirements.every((id) => id.startsWith('code-hosting/')) ? codeHosting : keyed
}

function servicesOfVariant(variant: Variant): readonly ServiceName[] {
  const changesOne = variant.basePath === undefined && variant.intermediary === undefined
  const changesKeyed = 'eventPublishing' in variant || 'incidentStatus' in variant
  if (changesOne && !changesKeyed) return codeHosting
  return changesOne && !('codeHosting' in variant) ? keyed : [...codeHosting, ...keyed]
}

const variations = ['codeHosting', 'eventPublishing', 'incidentStatus'] as const

/**
 * The plain deployment of which the operator tells what the variant has told: without it, a change of
 * the server would hide behind it. `undefined` where what is told is all there is, or nothing.
 */
function plainAsTold(variant: Variant): Variant | undefined {
  const told: Partial<Record<(typeof variations)[number], object>> = {}
  let changed = variant.basePath !== undefined || variant.intermediary !== undefined
  for (const service of variations) {
    const { environment, ...changes } = variant[service] ?? {}
    if (environment !== undefined) told[service] = { environment }
    changed ||= Object.keys(changes).length > 0
  }
  const any = Object.keys(told).length > 0
  return any && changed ? { name: variant.name, ...told } : undefined
}

const faulty = faults.map(
  (fault): Subject => ({
    kind: 'fault',
    name: fault.name,
    services: servicesOfFault(fault),
    failing: fault.requirements,
    verdict: 'nonconformant',
    tolerances: [],
    unjudged: [],
  }),
)

/** A conforming deployment as something to prove. */
export function variantSubject(variant: Variant): Subject {
  return {
    kind: 'variant',
    name: variant.name,
    services: servicesOfVariant(variant),
    failing: [],
    verdict: variant.verdict ?? 'conformant',
    tolerances: variant.tolerances ?? [],
    unjudged: variant.unjudged ?? [],
    becoming: variant.becoming,
    variant,
    plain: plainAsTold(variant),
  }
}

/** Every fault and every variant of the reference deployment. */
export const subjects: readonly Subject[] = [...faulty, ...variants.map(variantSubject)]

function matching(kind: Subject['kind'], pattern: string): Subject[] {
  if (pattern.trim() === '') throw unknownName(kind, pattern)
  const found = subjects.filter(
    (subject) => subject.kind === kind && picomatch.isMatch(subject.name, pattern),
  )
  if (found.length > 0) return found
  throw unknownName(kind, pattern)
}

/**
 * The subjects that patterns name, in the order of the registries and each of them once.
 *
 * @throws UsageError for a pattern that names nothing
 */
export function selectSubjects(patterns: SubjectPatterns): readonly Subject[] {
  if (patterns.fault === undefined && patterns.variant === undefined) return subjects
  const chosen = new Set([
    ...(patterns.fault ?? []).flatMap((pattern) => matching('fault', pattern)),
    ...(patterns.variant ?? []).flatMap((pattern) => matching('variant', pattern)),
  ])
  return subjects.filter((subject) => chosen.has(subject))
}
