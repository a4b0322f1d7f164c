import { beforeAll, describe, expect, inject, it } from 'vitest'
import { openLane } from '../cli/prove.ts'
import { catalogues, loadTarget, services } from '../cli/services.ts'
import { type JudgedAlone, type Proof, proveSideBySide } from './prove.ts'
import { elsewhereSubjects, needSubjects, type Subject, subjects } from './subject.ts'

const needs = await needSubjects(catalogues, loadTarget)
const elsewhere = elsewhereSubjects(Object.values(services))

declare module 'vitest' {
  interface ProvidedContext {
    judgedAlone: JudgedAlone
  }
}

const LONGEST_MATRIX_MS = 1_200_000

describe('the suites', { timeout: LONGEST_MATRIX_MS }, () => {
  const all = [...subjects, ...needs, ...elsewhere]
  const resolvers = new Map<string, (proof: Proof) => void>()
  // A test ends when its own proof is there, so that what reports tests shows how far it has come.
  const proofs = new Map(
    all.map(({ name }) => [
      name,
      new Promise<Proof>((resolve) => {
        resolvers.set(name, resolve)
      }),
    ]),
  )

  beforeAll(() => {
    const onProof = (proof: Proof) => resolvers.get(proof.subject.name)?.(proof)
    void proveSideBySide(all, { openLane, onProof, judgedAlone: inject('judgedAlone') })
  })

  const expectProof = async ({ name }: Subject) =>
    expect((await proofs.get(name))?.disagreements).toEqual([])

  const faults = subjects.filter(({ kind }) => kind === 'fault')
  it.each(faults)('find in $name exactly what it breaks', expectProof)

  const variants = subjects.filter(({ kind }) => kind === 'variant')
  it.each(variants)('find nothing wrong in $name', expectProof)

  it.each(needs)('skip $name exactly what declares it', expectProof)

  it.each(elsewhere)('find nothing wrong with $name', expectProof)
})
