/** See `sources-digest.js`. */
export function sourcesDigest(project: string): string
