/** See `sources-digest.js`. */
export function sourcesDigest(project: string): string
export function sourcesStamp(project: string): string
