import {
  type Catalogue,
  type Need,
  needsOf,
  needsReason,
  unmetNeeds,
} from '../conformance/requirement.ts'
import type { Target } from '../environment/target.ts'
import type { RequirementOutlook, Step } from './doctor-report.ts'

/** What has been seen of a service decides with the configuration what a run can judge. */
export interface SeenService {
  catalogue: Catalogue
  /** For the needs of its catalogue. */
  facts: object
}

/** What a run would do about a requirement, and what could be added to judge it. */
interface Prospect {
  outlook: RequirementOutlook
  wanted: readonly Need[]
}

function variablesOf(needs: readonly Need[]): string[] {
  return [...new Set(needs.flatMap(({ variables }) => variables))]
}

function prospectsOf({ catalogue, facts }: SeenService, target: Target): Prospect[] {
  return catalogue.requirements.map((requirement): Prospect => {
    const { id, judged, reason } = requirement
    const row = { requirement: id, variables: [] }
    if (judged.includes('untestable')) {
      const reported = `cannot be tested: ${reason}`
      return {
        outlook: { ...row, outlook: 'left out', untestable: true, reason: reported },
        wanted: [],
      }
    }
    const unmet = unmetNeeds(catalogue.needs, needsOf(requirement), target, facts)
    const given = unmet.filter(({ advice }) => advice === undefined)
    const wanted = given.length > 0 ? [] : unmet
    if (unmet.length === 0) return { outlook: { ...row, outlook: 'judged' }, wanted }
    const outlook = wanted.length > 0 ? 'skipped' : 'left out'
    const why = needsReason(wanted.length > 0 ? wanted : given)
    return {
      outlook: { requirement: id, outlook, reason: why, variables: variablesOf(wanted) },
      wanted,
    }
  })
}

/** What is done for a need: its variables are set or, where it has none, its advice is taken. */
function deedsOf({ variables, advice = '' }: Need): readonly string[] {
  return variables.length > 0 ? variables : [advice]
}

const keyOf = (need: Need) => deedsOf(need).join()

/**
 * What to do, beginning with what most requirements wait for, each counted with all before it done.
 *
 * @param needs of all catalogues; of those that are met in the same way the first gives its advice
 */
function stepsFor(skipped: readonly Prospect[], needs: readonly Need[]): Step[] {
  const keys = needs.map(keyOf)
  const waitedFor = needs
    .filter((need, index) => keys.indexOf(keyOf(need)) === index)
    .map((need) => {
      const isWanted = ({ wanted }: Prospect) => wanted.some((one) => keyOf(one) === keyOf(need))
      return { need, count: skipped.filter(isWanted).length }
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
  const steps: Step[] = []
  const done = new Set<string>()
  let waiting = skipped
  let together: Need[] = []
  for (const { need } of waitedFor) {
    if (deedsOf(need).every((deed) => done.has(deed))) continue
    for (const deed of deedsOf(need)) done.add(deed)
    together.push(need)
    const isJudged = ({ wanted }: Prospect) =>
      wanted.every((one) => deedsOf(one).every((deed) => done.has(deed)))
    const adds = waiting.filter(isJudged).map(({ outlook }) => outlook.requirement)
    // What brings nothing alone is one step with what it waits for.
    if (adds.length === 0) continue
    const texts = new Set(together.map(({ advice = '' }) => advice))
    steps.push({ texts: [...texts], variables: variablesOf(together), adds })
    waiting = waiting.filter((prospect) => !isJudged(prospect))
    together = []
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
    requirements: prospects.map(({ outlook }) => outlook),
    nextSteps: stepsFor(
      prospects.filter(({ wanted }) => wanted.length > 0),
      services.flatMap(({ catalogue }) => Object.values(catalogue.needs)),
    ),
  }
}
