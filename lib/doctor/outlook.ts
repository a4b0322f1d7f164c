import {
  type Catalogue,
  type Need,
  needsOf,
  needsReason,
  unmetNeeds,
} from '../conformance/requirement.ts'
import type { Target } from '../environment/target.ts'
import type { RequirementOutlook, Step } from './doctor-report.ts'

/** What a run would do about one requirement, and what it would miss. */
interface Prospect extends RequirementOutlook {
  catalogue: Catalogue
  unmet: readonly (Need & { name: string })[]
}

/** What has been seen of a service decides with the configuration what a run can judge. */
export interface SeenService {
  catalogue: Catalogue
  /** For the needs of its catalogue. */
  facts: object
}

function variablesOf(needs: readonly Pick<Need, 'variables'>[]): string[] {
  return [...new Set(needs.flatMap(({ variables }) => variables))]
}

function prospectsOf({ catalogue, facts }: SeenService, target: Target): Prospect[] {
  return catalogue.requirements.map((requirement) => {
    const { id, judged, reason } = requirement
    const row = { requirement: id, variables: [], catalogue, unmet: [] }
    if (judged.includes('untestable')) {
      return {
        ...row,
        outlook: 'left out',
        untestable: true,
        reason: `cannot be tested: ${reason}`,
      }
    }
    const unmet = unmetNeeds(catalogue.needs, needsOf(requirement), target, facts)
    if (unmet.length === 0) return { ...row, outlook: 'judged' }
    const given = unmet.filter(({ advice }) => advice === undefined)
    if (given.length > 0) return { ...row, outlook: 'left out', reason: needsReason(given) }
    const variables = variablesOf(unmet)
    return { ...row, outlook: 'skipped', reason: needsReason(unmet), variables, unmet }
  })
}

/** What is done for a need: its variables are set or, where it has none, its advice is taken. */
function deedsOf({ variables, advice = '' }: Need): readonly string[] {
  return variables.length > 0 ? variables : [advice]
}

function isMet(need: Need, done: ReadonlySet<string>): boolean {
  return deedsOf(need).every((deed) => done.has(deed))
}

function rowsMet(rows: readonly Prospect[], done: ReadonlySet<string>): Prospect[] {
  return rows.filter(({ unmet }) => unmet.every((need) => isMet(need, done)))
}

/** What is still to be done, each once, and of those that are done in the same way the first. */
function candidates(waiting: readonly Prospect[], done: ReadonlySet<string>): Need[] {
  const byDeeds = new Map<string, Need>()
  for (const catalogue of new Set(waiting.map((row) => row.catalogue))) {
    for (const [name, need] of Object.entries(catalogue.needs)) {
      const isWanted = waiting.some(
        (row) => row.catalogue === catalogue && row.unmet.some((one) => one.name === name),
      )
      const key = deedsOf(need).join()
      if (isWanted && !isMet(need, done) && !byDeeds.has(key)) byDeeds.set(key, need)
    }
  }
  return [...byDeeds.values()]
}

/** What to do next: that which adds most first, each counted with all before it done. */
function stepsFor(skipped: readonly Prospect[]): Step[] {
  const steps: Step[] = []
  const done = new Set<string>()
  let together: Need[] = []
  let waiting = skipped
  while (waiting.length > 0) {
    const scored = candidates(waiting, done).map((need) => ({
      need,
      adds: rowsMet(waiting, new Set([...done, ...deedsOf(need)])),
      wanted: waiting.filter(({ unmet }) =>
        unmet.some((one) => deedsOf(one).join() === deedsOf(need).join()),
      ).length,
    }))
    const [best] = scored.toSorted(
      (one, other) => other.adds.length - one.adds.length || other.wanted - one.wanted,
    )
    if (best === undefined) break
    for (const deed of deedsOf(best.need)) done.add(deed)
    together.push(best.need)
    // What brings nothing alone is one step with what it waits for.
    if (best.adds.length === 0) continue
    steps.push({
      texts: [...new Set(together.map(({ advice = '' }) => advice))],
      variables: variablesOf(together),
      adds: best.adds.map(({ requirement }) => requirement),
    })
    together = []
    waiting = waiting.filter((row) => !best.adds.includes(row))
  }
  return steps
}

/** What a run would do, requirement by requirement, and what to add to it. */
export function foretell(
  services: readonly SeenService[],
  target: Target,
): { requirements: RequirementOutlook[]; nextSteps: Step[] } {
  const prospects = services.flatMap((service) => prospectsOf(service, target))
  return {
    requirements: prospects.map(({ catalogue: _, unmet: __, ...outlook }) => outlook),
    nextSteps: stepsFor(prospects.filter(({ outlook }) => outlook === 'skipped')),
  }
}
