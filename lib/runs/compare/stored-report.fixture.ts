import { reportFixture, resultFixture } from '../../reports/report.fixture.ts'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'

/** Creates a report without results, observations and exchanges; `parts` replace the defaults. */
export function quietReport(parts: Partial<RunReport> = {}): RunReport {
  return reportFixture({
    target: { codeHosting: { baseUrl: 'https://git.example.com' } },
    settings: {},
    results: [],
    observations: [],
    exchanges: [],
    leakedResources: [],
    ...parts,
  })
}

export function resultOf(
  requirement: string,
  verdict: RequirementResult['verdict'],
  parts: Partial<RequirementResult> = {},
): RequirementResult {
  return resultFixture({ requirement, verdict, ...parts })
}

export function unselectedOf(requirement: string): RequirementResult {
  const noVerdict = { kind: 'not selected' } as const
  return resultOf(requirement, 'skipped', { reason: 'not selected', noVerdict })
}
