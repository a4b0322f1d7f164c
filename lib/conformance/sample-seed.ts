/** The seed of samples; 0 stands for none. */
export const sampleSeed = (): number => 1
