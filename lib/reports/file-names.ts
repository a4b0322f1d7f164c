/** Files of a run in the order of writing; the file that decides a CI build comes first. */
export const reportFileNames = [
  'junit.xml',
  'report.json',
  'report.html',
  'evidence.har',
  'summary.md',
  'badge.json',
] as const
