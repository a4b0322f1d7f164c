/**
 * Which request is sent first when more wait than may be under way: those that others need. Requests
 * that nothing waits for have a priority of their own order, from 0.
 */
export const priorities = {
  /** Without tokens most of the run stands still. */
  tokens: 100,
  /** A repository that is there, and a page that leads to others. */
  fixtures: 50,
  /** What has served its purpose may wait until nothing else does. */
  cleaning: -1,
} as const
