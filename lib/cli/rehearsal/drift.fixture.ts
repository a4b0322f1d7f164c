import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunReport } from '../../conformance/result.ts'
import type { DoctorReport } from '../../doctor/doctor-report.ts'
import type { SharedThread } from '../../prove/shared-thread.ts'
import { startReference, variants } from '../../reference/index.ts'
import { judged } from '../../reports/verdict-counts.ts'
import { enclosedContext } from '../context.ts'
import { diagnose } from '../doctor.ts'
import { run } from '../run.ts'

/** A deployment and what its operator tells of it. */
export interface DriftCase {
  /** Names, of different services each. */
  variants?: readonly string[]
  /** Only those variables that it matches. */
  only?: RegExp
  /** All but those that it matches. */
  without?: RegExp
  /** Variables beside those of the deployment. */
  with?: Record<string, string>
}

export interface Drift {
  doctor: DoctorReport
  report: RunReport
  /** Rows for which a run did not do what was foretold. */
  differences: string[]
}

function differencesOf(doctor: DoctorReport, report: RunReport): string[] {
  return report.results.flatMap(({ requirement, verdict, reason }) => {
    const foretold = doctor.requirements.find((outlook) => outlook.requirement === requirement)
    if (foretold === undefined) return [`${requirement}: nothing was foretold`]
    if (foretold.dependsOn !== undefined) return []
    const text = `${requirement}: ${foretold.outlook} was foretold (${foretold.reason})`
    if (judged(verdict) !== (foretold.outlook === 'judged')) {
      return [`${text}, and the run says ${verdict}: ${reason}`]
    }
    // How many pages there are is the one thing that the doctor does not find out.
    const isReasonRight =
      foretold.outlook !== 'skipped' ||
      foretold.reason === reason ||
      (reason?.startsWith('PROBE_MAX_PAGES') && foretold.variables.includes('PROBE_MAX_PAGES'))
    return isReasonRight ? [] : [`${text}, and the run says: ${reason}`]
  })
}

/** Lets the doctor foretell a run against a served deployment, and then runs it. */
export async function driftOf(
  { variants: names = [], only = /./, without = /^$/, with: added = {} }: DriftCase,
  { pool }: SharedThread,
): Promise<Drift> {
  const chosen = names.map((name) => variants.find((variant) => variant.name === name))
  if (chosen.includes(undefined)) throw new Error(`no such variants: ${names.join(', ')}`)
  const reference = await startReference({ variant: Object.assign({ name: 'drift' }, ...chosen) })
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-drift-'))
  try {
    const told = Object.entries(reference.environment).filter(
      ([name]) => only.test(name) && !without.test(name),
    )
    const environment = { ...Object.fromEntries(told), ...added }
    const context = { ...enclosedContext(directory, pool), environment }
    const doctor = await diagnose({}, context)
    await run({ reports: directory }, context)
    const report: RunReport = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'))
    return { doctor, report, differences: differencesOf(doctor, report) }
  } finally {
    await reference.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
