import { beforeAll, describe, expect, it } from 'vitest'
import { proveSideBySide } from './prove-side-by-side.ts'
import type { Proof } from './prove-subject.ts'
import { subjects } from './subject.ts'

const LONGEST_MATRIX_MS = 600_000

describe('the suites', () => {
  const proofs = new Map<string, Proof>()

  beforeAll(async () => {
    for (const proof of await proveSideBySide(subjects)) proofs.set(proof.subject.name, proof)
  }, LONGEST_MATRIX_MS)

  it.each(subjects.filter(({ kind }) => kind === 'fault'))(
    'find in $name exactly what it breaks',
    ({ name }) => {
      expect(proofs.get(name)?.disagreements).toEqual([])
    },
  )

  it.each(subjects.filter(({ kind }) => kind === 'variant'))(
    'find nothing wrong in $name',
    ({ name }) => {
      expect(proofs.get(name)?.disagreements).toEqual([])
    },
  )
})
