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

const conforming = variants.map(
  (variant): Subject => ({
    kind: 'variant',
    name: variant.name,
    services: servicesOfVariant(variant),
    failing: [],
    verdict: variant.verdict ?? 'conformant',
    tolerances: variant.tolerances ?? [],
    unjudged: variant.unjudged ?? [],
  }),
)

/** Every fault and every variant of the reference deployment. */
export const subjects: readonly Subject[] = [...faulty, ...conforming]

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
