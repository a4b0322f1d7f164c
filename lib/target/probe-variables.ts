import type { Variable, VariableGroup } from './variable.ts'

export const probeVariables = {
  PROBE_READ_ONLY: {
    schema: { type: 'boolean' },
    default: false,
    meaning: 'Send GET requests only; whatever needs another method is skipped.',
    secret: false,
  },
  PROBE_WORDING: {
    schema: { type: 'string', enum: ['strict', 'advisory'] },
    default: 'strict',
    meaning: 'Whether a message whose exact text differs fails the run or is only reported.',
    secret: false,
  },
  PROBE_EVIDENCE: {
    schema: { type: 'string', enum: ['full', 'headers'] },
    default: 'full',
    meaning:
      'Whether reports keep whole exchanges or, where bodies hold personal data, only their sizes.',
    secret: false,
  },
  PROBE_CONCURRENCY: {
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
    default: 8,
    meaning: 'Most requests under way at once.',
    secret: false,
  },
  PROBE_TIMEOUT_MS: {
    schema: { type: 'integer', minimum: 1, maximum: 3_600_000 },
    default: 10_000,
    meaning: 'Milliseconds after which an attempt is given up.',
    secret: false,
  },
  PROBE_RETRIES: {
    schema: { type: 'integer', minimum: 0, maximum: 10 },
    default: 2,
    meaning: 'Further attempts at a request after one that failed in a way that may pass.',
    secret: false,
  },
  PROBE_MAX_BODY_BYTES: {
    // A longer body could not be decoded: it would not fit into one JavaScript string.
    schema: { type: 'integer', minimum: 1, maximum: 500_000_000 },
    default: 10_485_760,
    meaning: 'Most bytes of a response body that are read.',
    secret: false,
  },
  PROBE_MAX_PAGES: {
    schema: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    default: 100,
    meaning:
      'Most pages that are read to see the whole of a list; what needs more of them gets no verdict.',
    secret: false,
  },
} as const satisfies Record<string, Variable>

export const probeGroup: VariableGroup = {
  title: 'Probe',
  prefix: 'PROBE_',
  variables: probeVariables,
  needs: {},
  needsOneOf: {},
  distinct: [],
}
