import { rmSync } from 'node:fs'
import type { Target } from '../environment/target.ts'
import type { Secret } from '../environment/variable.ts'
import type { Redactor } from '../probe/redaction/redaction.ts'
import { counted } from '../text/quantities.ts'
import { appendLine, type CreatedResource } from './ledger.ts'
import { existingResources, readLedger, UnreadableLedgerError } from './read-ledger.ts'

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

interface SweptLedger {
  swept: Swept[]
  /** Sentences about the ledger. */
  remarks: string[]
  /** True if no resource of its run is left, so that the ledger was deleted. */
  isCleared: boolean
}

/** Deletes the resources in ledgers of ended runs at the base URLs of a target. */
export class LedgerSweep {
  readonly #creationsOf: Creations
  readonly #target: Target
  readonly #options: SweepingOptions
  readonly #open = new Map<Sweeper, Sweeping>()

  constructor(creationsOf: Creations, target: Target, options: SweepingOptions) {
    this.#creationsOf = creationsOf
    this.#target = target
    this.#options = options
  }

  /** Hints on the services that were searched, for resources that are not there. */
  get hints(): string[] {
    return [...this.#open.keys()].map(({ hint }) => hint)
  }

  /** Sweeps the resources of a ledger, and deletes it if no resource of its run is left. */
  async sweep(file: string): Promise<SweptLedger> {
    try {
      return await this.#sweep(file)
    } catch (error) {
      if (!(error instanceof UnreadableLedgerError)) throw error
      return { swept: [], remarks: [`The ledger ${error.message}.`], isCleared: false }
    }
  }

  async #sweep(file: string): Promise<SweptLedger> {
    const ledger = readLedger(file, this.#creationsOf)
    const { run, unknownLines, activeReason } = ledger
    if (activeReason !== undefined) {
      const remark = `Skipped: the run may still be active (${activeReason}). Run sweep again when it has ended.`
      return { swept: [], remarks: [remark], isCleared: false }
    }
    const remaining = existingResources(ledger)
    const blocker = await this.#findBlocker(remaining)
    const remarks = blocker === undefined ? [] : [blocker]
    const swept: Swept[] = []
    for (const creation of remaining) {
      const isBlocked = blocker !== undefined
      swept.push(isBlocked ? { creation, outcome: 'kept' } : await this.#delete(creation))
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
  }

  async close(): Promise<void> {
    for (const sweeping of this.#open.values()) await sweeping.close()
  }

  /** Returns the reason why resources cannot be deleted; undefined if they can. */
  async #findBlocker(resources: readonly CreatedResource[]): Promise<string | undefined> {
    for (const [service, { sweeper }] of this.#creationsOf) {
      const own = resources.filter((creation) => creation.service === service)
      if (own.length === 0) continue
      const blocker = (await sweeper()).blocker(own, this.#target)
      if (blocker !== undefined) return blocker
    }
    const isReadOnly = resources.length > 0 && this.#target.probe.readOnly
    return isReadOnly ? 'PROBE_READ_ONLY is true: nothing was sent.' : undefined
  }

  async #delete(creation: CreatedResource): Promise<Swept> {
    // A ledger has resources of these services only.
    const sweeper = await this.#creationsOf.get(creation.service)?.sweeper()
    if (sweeper === undefined) return { creation, outcome: 'kept' }
    const sweeping = this.#open.get(sweeper) ?? sweeper.open(this.#target, this.#options)
    this.#open.set(sweeper, sweeping)
    return sweeping.sweep(creation)
  }
}
