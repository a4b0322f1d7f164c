import type { RunVerdict } from '../conformance/result.ts'
import type { RunExitStatus } from '../reports/exit-status.ts'
import { counted } from '../reports/run-words.ts'
import type { Fleet } from './fleet.ts'

/** The verdict that an exit status stands for. */
export const statusWords: Record<RunExitStatus, RunVerdict> = {
  0: 'conformant',
  1: 'nonconformant',
  3: 'inconclusive',
}

/**
 * What matters of a fleet, in words that hold no text of the reports:
 * `2 of 5 deployments fail, 1 without a verdict`.
 */
export function fleetText({ deployments }: Fleet): string {
  const total = counted(deployments.length, 'deployment', 'deployments')
  const having = (wanted: RunExitStatus) =>
    deployments.filter(({ run }) => run?.status === wanted).length
  const missing = deployments.filter(({ run }) => run === undefined).length
  const [failing, inconclusive] = [having(1), having(3)]
  const parts: string[] = []
  // The first of them says of how many.
  const tell = (count: number, what: string) => {
    if (count > 0) parts.push(`${count}${parts.length === 0 ? ` of ${total}` : ''} ${what}`)
  }
  tell(failing, failing === 1 ? 'fails' : 'fail')
  tell(inconclusive, 'without a verdict')
  tell(missing, 'without a report')
  if (parts.length > 0) return parts.join(', ')
  return deployments.length === 1 ? 'The deployment conforms' : `All ${total} conform`
}
