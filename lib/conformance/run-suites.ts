import { startTests, type VitestRunner, type VitestRunnerConfig } from '@vitest/runner'
import { registerSuites } from './bind.ts'
import { followRun } from './lifecycle.ts'
import { type RowReport, reportOf } from './row-report.ts'
import { provideRun, type RunSettings } from './run.ts'

export { loadSuites } from './bind.ts'

/** The runner has no defaults. What Vitest's own command line is told is in `vitest-config.ts`. */
const config: VitestRunnerConfig = {
  root: '/',
  name: undefined,
  setupFiles: [],
  // Where nothing that is asked for can be judged, the verdict says so.
  passWithNoTests: true,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: Number.POSITIVE_INFINITY,
  testTimeout: 0,
  hookTimeout: 0,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
}

/**
 * Runs the suites once with the part of Vitest that runs tests. The others find, transform and watch
 * files and show results, and take longer to load than the suites.
 *
 * @param loading rejects when a suite cannot be loaded, which each run then tells
 */
export async function runSuites(
  settings: RunSettings,
  loading: Promise<unknown>,
  tell: (report: RowReport) => void,
): Promise<void> {
  provideRun(settings)
  const runner: VitestRunner = {
    config,
    async importFile() {
      followRun()
      await loading
      registerSuites()
    },
    onTaskFinished: ({ meta, result }) => tell(reportOf(meta, result?.errors)),
  }
  for (const { meta, result } of await startTests(['suites'], runner)) {
    tell(reportOf(meta, result?.errors))
  }
}
