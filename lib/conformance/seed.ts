/** Seed of a run without `--seed`. */
export const DEFAULT_SEED = 1
