import { beforeAll, describe, expect, it } from 'vitest'
import { probeDeployment } from '../cli/prove.ts'
import { catalogues, loadTarget } from '../cli/services.ts'
import { type Proof, proveSideBySide } from './prove.ts'
import { needSubjects, subjects } from './subject.ts'

const needs = await needSubjects(catalogues, loadTarget)

const LONGEST_MATRIX_MS = 600_000

describe('the suites', () => {
  const proofs = new Map<string, Proof>()

  beforeAll(async () => {
    for (const proof of await proveSideBySide([...subjects, ...needs], { probe: probeDeployment }))
      proofs.set(proof.subject.name, proof)
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

  it.each(needs)('skip $name exactly what declares it', ({ name }) => {
    expect(proofs.get(name)?.disagreements).toEqual([])
  })
})
