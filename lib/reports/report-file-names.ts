/** Names of the files that a run leaves in its reports directory, in the order of their writing. */
export const reportFileNames = [
  'junit.xml',
  'report.json',
  'report.html',
  'evidence.har',
  'summary.md',
] as const

/** The name of one of these files. */
export type ReportFileName = (typeof reportFileNames)[number]
