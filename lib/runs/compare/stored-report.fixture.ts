import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { reportFixture, resultFixture } from '../../reports/report.fixture.ts'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import type { StoredReport } from './read-report.ts'

/** A directory that goes with the test. */
export function testDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A report without results, observations and exchanges, with parts replaced. */
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

/** A report as if it had been read from a file. */
export function storedReport(parts: Partial<RunReport> = {}, path = 'report.json'): StoredReport {
  return { path, report: quietReport(parts) }
}

/** A result by its id and verdict. */
export function resultOf(
  requirement: string,
  verdict: RequirementResult['verdict'],
  parts: Partial<RequirementResult> = {},
): RequirementResult {
  return resultFixture({ requirement, verdict, ...parts })
}

/** A result that nobody asked for. */
export function unselectedOf(requirement: string): RequirementResult {
  const noVerdict = { kind: 'not selected' } as const
  return resultOf(requirement, 'skipped', { reason: 'not selected', noVerdict })
}
