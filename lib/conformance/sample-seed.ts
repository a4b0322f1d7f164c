/** Returns the seed of samples; with 0 there are none. */
export const sampleSeed = (): number => 1
