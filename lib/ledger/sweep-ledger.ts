import { rmSync } from 'node:fs'
import type { Target } from '../environment/probe-variables.ts'
import type { Secret } from '../environment/variable.ts'
import type { Redactor } from '../probe/redaction/redaction.ts'
import { getOrCreate } from '../text/group-by.ts'
import { counted } from '../text/quantities.ts'
import { appendLine, type CreatedResource } from './ledger.ts'
import { existingResources, readLedger } from './read-ledger.ts'

export interface Swept {
  creation: CreatedResource
  outcome: 'deleted' | 'absent' | 'notCreated' | 'kept'
  /** Reason why it was kept or may still exist, and the action of the operator. */
  reason?: string
  /** True if the service did not authorize the search, so that other missing resources may exist. */
  unauthorized?: true
}

export interface Sweeper {
  /** Returns the reason why nothing can be deleted with this target, and the action of the operator, if any. */
  blocker(creations: readonly CreatedResource[], target: Target): string | undefined
  readonly hint: string
  /** Requires a target without an obstacle. */
  open(target: Target, options: SweepingOptions): Sweeping
}

export type SweepingOptions = { version: string; secrets: Secret[]; redactor: Redactor }

export interface Sweeping {
  sweep(creation: CreatedResource): Promise<Swept>
  close(): Promise<void>
}

/** Kinds of resources that each service creates, and what deletes them later. */
type Creations = ReadonlyMap<string, { kinds: readonly string[]; sweeper(): Promise<Sweeper> }>

/** Returns the reason why resources cannot be deleted; undefined if they can. */
async function findBlocker(
  resources: readonly CreatedResource[],
  creationsOf: Creations,
  target: Target,
): Promise<string | undefined> {
  for (const [service, { sweeper }] of creationsOf) {
    const own = resources.filter((creation) => creation.service === service)
    const blocker = own.length > 0 ? (await sweeper()).blocker(own, target) : undefined
    if (blocker !== undefined) return blocker
  }
  const isReadOnly = resources.length > 0 && target.probe.readOnly
  return isReadOnly ? 'PROBE_READ_ONLY is true: nothing was sent.' : undefined
}

/** Returns functions that delete the resources in ledgers of ended runs at the base URLs of a target. */
export function createSweep(creationsOf: Creations, target: Target, options: SweepingOptions) {
  const open = new Map<Sweeper, Sweeping>()

  async function deleteResource(creation: CreatedResource): Promise<Swept> {
    // A ledger has resources of these services only.
    const sweeper = await creationsOf.get(creation.service)?.sweeper()
    if (sweeper === undefined) return { creation, outcome: 'kept' }
    return getOrCreate(open, sweeper, () => sweeper.open(target, options)).sweep(creation)
  }

  return {
    /** Returns hints on the services that were searched, for resources that are not there. */
    hints: (): string[] => [...open.keys()].map(({ hint }) => hint),

    /** Sweeps the resources of a ledger, and deletes it if no resource of its run is left. Returns sentences about it too. */
    async sweep(file: string) {
      const ledger = readLedger(file, creationsOf)
      const { run, unknownLines, obstacle } = ledger
      if (obstacle !== undefined) return { swept: [], remarks: [obstacle], isCleared: false }
      const remaining = existingResources(ledger)
      const blocker = await findBlocker(remaining, creationsOf, target)
      const remarks = blocker === undefined ? [] : [blocker]
      const swept: Swept[] = []
      for (const creation of remaining) {
        const isBlocked = blocker !== undefined
        swept.push(isBlocked ? { creation, outcome: 'kept' } : await deleteResource(creation))
      }
      const cleared = swept.filter(({ outcome }) => outcome !== 'kept')
      const isCleared = cleared.length === swept.length && unknownLines === 0
      if (isCleared) {
        rmSync(file, { force: true })
        remarks.push('No resource of this run is left: the ledger was deleted.')
        return { swept, remarks, isCleared }
      }
      for (const { creation } of cleared) appendLine(file, run, 'swept', creation)
      if (unknownLines > 0) {
        remarks.push(
          `${counted(unknownLines, 'line names', 'lines name')} a resource that this run cannot have created. ` +
            'These were skipped, and the ledger is kept: check it, and delete it manually.',
        )
      }
      return { swept, remarks, isCleared }
    },

    async close(): Promise<void> {
      for (const sweeping of open.values()) await sweeping.close()
    },
  }
}
