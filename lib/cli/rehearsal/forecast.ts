import type { PoolRunnerInitializer } from 'vitest/node'
import type { Requirement } from '../../conformance/requirement.ts'
import type { RequirementResult } from '../../conformance/result.ts'
import type { Outlook } from '../../doctor/doctor-report.ts'
import { judged } from '../../reports/verdict-counts.ts'
import { catalogues, servicesOf } from '../catalogues.ts'
import { type Ingredient, ingredients } from './ingredients.ts'
import { rehearse, type Situation } from './rehearse.ts'

/** What a run would do about one requirement. */
export interface Forecast {
  requirement: string
  outlook: Outlook
  /** Why it would not be judged; for one that would, what would be left out of it. */
  reason?: string
  /** What is lacking, in the order in which it would be missed. */
  lacking: readonly Ingredient[]
  /**
   * Why it may come out otherwise, where that depends on what the server does and the documents
   * leave it open.
   */
  dependsOn?: string
}

/** Something to add, and what it brings once all steps before it are done. */
export interface NextStep {
  /** More than one where neither brings anything without the other. */
  ingredients: readonly Ingredient[]
  /** Ids of the requirements that a run would judge from then on. */
  adds: readonly string[]
  /** Ids of those that it would judge more completely. */
  completes: readonly string[]
}

export interface RunForecast {
  forecasts: readonly Forecast[]
  nextSteps: readonly NextStep[]
}

/** A chain of things that are lacking is never longer. */
const MOST_ROUNDS = 6

/** The first reason is one that no addition changes. */
function untestableReason({ judged, reason }: Requirement): string | undefined {
  return judged.includes('untestable') ? `cannot be tested: ${reason}` : undefined
}

function wantedBy({ reason }: RequirementResult, situation: Situation): Ingredient | undefined {
  if (reason === undefined) return undefined
  return ingredients.find(
    (ingredient) => ingredient.wanted.test(reason) && ingredient.isLacking(situation),
  )
}

/** Why it was not judged, in words that are not about the stand-in. */
function wantedWord({ reason }: RequirementResult): string | undefined {
  const wanted = ingredients.find(
    (ingredient) => reason !== undefined && ingredient.reason && ingredient.wanted.test(reason),
  )
  return wanted?.reason ?? reason
}

interface Prospects {
  /** With everything that is lacking added. */
  final: readonly RequirementResult[]
  /** By requirement: what it needs to be judged. */
  needs: ReadonlyMap<string, readonly Ingredient[]>
  /** By requirement: what it needs to be judged completely. */
  completions: ReadonlyMap<string, ReadonlySet<Ingredient>>
}

/** By requirement and in the order of the rounds. */
class Wants {
  readonly needs = new Map<string, Ingredient[]>()
  readonly completions = new Map<string, Set<Ingredient>>()

  need(requirement: string, ingredient: Ingredient): void {
    this.needs.set(requirement, [...(this.needs.get(requirement) ?? []), ingredient])
  }

  complete(requirement: string, ingredient: Ingredient): void {
    const known = this.completions.get(requirement) ?? new Set()
    this.completions.set(requirement, known.add(ingredient))
  }
}

/** What most of the requirements are waiting for. */
function mostWanted(wanted: ReadonlyMap<Ingredient, number>): Ingredient | undefined {
  return [...wanted].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

/** Adds what is lacking, and what is found to be lacking then, until nothing is. */
async function prospectsOf(
  situation: Situation,
  first: readonly RequirementResult[],
  pool: PoolRunnerInitializer,
): Promise<Prospects> {
  const wants = new Wants()
  let current = situation
  let results = first
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const wanted = new Map<Ingredient, number>()
    const withoutWord: string[] = []
    for (const result of results) {
      const { requirement, verdict } = result
      const ingredient = wantedBy(result, current)
      if (ingredient === undefined) {
        if (!judged(verdict)) withoutWord.push(requirement)
        continue
      }
      wanted.set(ingredient, (wanted.get(ingredient) ?? 0) + 1)
      if (judged(verdict)) wants.complete(requirement, ingredient)
      else wants.need(requirement, ingredient)
    }
    const most = mostWanted(wanted)
    if (most === undefined) break
    for (const ingredient of wanted.keys()) current = ingredient.add(current)
    results = await rehearse(current, { pool })
    // What is about every exchange waits for exchanges, and does not say what would bring them.
    const nowJudged = results.filter(({ verdict }) => judged(verdict))
    for (const { requirement } of nowJudged) {
      if (withoutWord.includes(requirement)) wants.need(requirement, most)
    }
  }
  return { final: results, needs: wants.needs, completions: wants.completions }
}

function forecastOf(
  requirement: Requirement,
  first: RequirementResult,
  { final, needs }: Prospects,
  reticent: RequirementResult | undefined,
): Forecast {
  const { id } = requirement
  const untestable = untestableReason(requirement)
  if (untestable !== undefined) {
    return { requirement: id, outlook: 'left out', reason: untestable, lacking: [] }
  }
  const last = final.find((result) => result.requirement === id)
  const isJudged = judged(first.verdict)
  const comesOutOtherwise = reticent !== undefined && judged(reticent.verdict) !== isJudged
  const dependsOn = comesOutOtherwise
    ? (wantedWord(reticent) ?? 'a run judges it once such a response comes')
    : undefined
  const isWithinReach = last !== undefined && judged(last.verdict)
  const lacking = isJudged ? [] : (needs.get(id) ?? [])
  const told = isJudged || isWithinReach ? first.reason : last?.reason
  const reason = lacking[0]?.reason ?? told
  return {
    requirement: id,
    outlook: isJudged ? 'judged' : isWithinReach ? 'skipped' : 'left out',
    ...(reason === undefined ? {} : { reason }),
    lacking,
    ...(dependsOn === undefined ? {} : { dependsOn }),
  }
}

/** What is to be added next: that which completes most, then that which most are waiting for. */
function nextOf(
  open: readonly (readonly Ingredient[])[],
  candidates: readonly Ingredient[],
): Ingredient | undefined {
  const score = (ingredient: Ingredient) => {
    const waiting = open.filter((needs) => needs.includes(ingredient))
    return [waiting.filter((needs) => needs.length === 1).length, waiting.length] as const
  }
  return candidates
    .map((ingredient) => ({ ingredient, score: score(ingredient) }))
    .toSorted((a, b) => b.score[0] - a.score[0] || b.score[1] - a.score[1])[0]?.ingredient
}

/** The steps in the order of what they bring, each counted with all before it done. */
export function orderSteps(
  forecasts: readonly Pick<Forecast, 'requirement' | 'outlook' | 'lacking'>[],
  completions: ReadonlyMap<string, ReadonlySet<Ingredient>>,
): NextStep[] {
  const skipped = forecasts.filter(({ outlook }) => outlook === 'skipped')
  const named = new Set([
    ...skipped.flatMap(({ lacking }) => lacking),
    ...[...completions.values()].flatMap((some) => [...some]),
  ])
  const remaining = ingredients.filter((ingredient) => named.has(ingredient))
  const done = new Set<Ingredient>()
  const steps: NextStep[] = []
  let together: Ingredient[] = []
  while (remaining.length > 0) {
    const open = skipped
      .map(({ lacking }) => lacking.filter((ingredient) => !done.has(ingredient)))
      .filter((needs) => needs.length > 0)
    const next = nextOf(open, remaining)
    if (next === undefined) break
    const brought = remaining.filter((one) => one === next || one.id === next.brings)
    for (const ingredient of brought) {
      remaining.splice(remaining.indexOf(ingredient), 1)
      done.add(ingredient)
    }
    together.push(next)
    const adds = skipped
      .filter(
        ({ lacking }) =>
          lacking.some((one) => brought.includes(one)) && lacking.every((one) => done.has(one)),
      )
      .map(({ requirement }) => requirement)
    const completes = [...completions]
      .filter(([, some]) => together.some((ingredient) => some.has(ingredient)))
      .map(([requirement]) => requirement)
    if (adds.length === 0 && completes.length === 0 && remaining.length > 0) continue
    steps.push({ ingredients: together, adds, completes })
    together = []
  }
  return steps
}

/**
 * What a run would do in a situation, found by letting the suites do it to a stand-in.
 *
 * @param isOurs the deployment is our own, which is no other than the stand-in
 */
export async function forecastRun(
  situation: Situation,
  { pool, isOurs = false }: { pool: PoolRunnerInitializer; isOurs?: boolean },
): Promise<RunForecast> {
  const first = await rehearse(situation, { pool })
  const reticent = isOurs ? [] : await rehearse(situation, { pool, reticent: true })
  const prospects = await prospectsOf(situation, first, pool)
  const requirements = servicesOf(situation.target).flatMap((key) => [
    ...catalogues[key].requirements,
  ])
  const forecasts = requirements.map((requirement, index): Forecast => {
    const result = first[index]
    if (result === undefined) throw new Error(`${requirement.id} was not rehearsed`)
    const other = reticent.find(({ requirement: id }) => id === requirement.id)
    return forecastOf(requirement, result, prospects, other)
  })
  return { forecasts, nextSteps: orderSteps(forecasts, prospects.completions) }
}
