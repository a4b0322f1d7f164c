import { availableParallelism } from 'node:os'
import { PlainRuns } from './plain-runs.ts'
import { type Proof, proveSubject } from './prove-subject.ts'
import { SharedThread } from './shared-thread.ts'
import type { Subject } from './subject.ts'

export interface ProveOptions {
  /** Told of each proof as it is there. */
  onProof?: (proof: Proof) => void
  /** Nothing new is begun any more when it aborts. */
  signal?: AbortSignal
}

/** How many runs take place at a time: one more than there are cores, since each waits now and then. */
export function usualThreads(): number {
  return availableParallelism() + 1
}

/**
 * Proves subjects, several at a time.
 *
 * @returns the proofs in the order of the subjects; those that were not begun are missing
 */
export async function proveSideBySide(
  subjects: readonly Subject[],
  { onProof, signal }: ProveOptions = {},
): Promise<Proof[]> {
  const proofs: Proof[] = []
  const waiting = subjects.entries()
  const plainRuns = new PlainRuns()

  async function proveOneAfterTheOther(): Promise<void> {
    const thread = new SharedThread()
    for (const [index, subject] of waiting) {
      if (signal?.aborted) break
      const proof = await proveSubject(subject, thread, plainRuns)
      proofs[index] = proof
      onProof?.(proof)
    }
    await thread.close()
  }

  const lanes = Math.min(usualThreads(), subjects.length)
  await Promise.all(Array.from({ length: lanes }, proveOneAfterTheOther))
  return proofs.filter((proof) => proof !== undefined)
}
