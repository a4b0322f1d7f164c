/** Registers the requirements of a service as Vitest tests. */
import { test } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { sortByRequest } from '../results/normalize.ts'
import type { Reason } from '../results/reason.ts'
import type { CaseResult } from '../results/run-evidence.ts'
import { requireNeeds } from './catalogue.ts'
import { Skip, skip } from './check-errors.ts'
import { createScope, currentScope, recordCase, runInScope } from './check-scope.ts'
import { isFailedExpectation } from './deviations.ts'
import { allJudged, createJudge, errorsOf, judgeResponses } from './judge.ts'
import { currentRun, everythingChecked, ofRun } from './lifecycle.ts'
import type { Run } from './probe-run.ts'
import type { EveryResponse } from './requirements.ts'
import { recordObservation, recordUnjudged, report, runCheck } from './run-check.ts'
import { type Suite, tableOf } from './suite.ts'

/** Returns true for a case whose response a sentence about every response may judge. */
const mayJudge = <Context, Case>({ canJudge }: EveryResponse<Context, Case>, one: Case): boolean =>
  canJudge?.(one) ?? true

/** Returns the state of a service in a run, which its checks share. */
function createServiceRun<Case extends { after?: Case | undefined }, Settings, Context>(
  run: Run,
  suite: Suite<Case, Settings, Context>,
  settings: Settings,
) {
  const { service, needs: allNeeds, documentsStatuses = false } = suite.catalogue
  const table = tableOf(suite, settings)
  const selected = new Set(run.settings.selected)
  const isSelected = (name: string) => selected.has(`${service}/${name}`)
  const judges = Object.entries(suite.requirements).flatMap(([name, { every }]) =>
    every !== undefined && isSelected(name) ? [every] : [],
  )
  /**
   * Returns the cases of a requirement; of one that is not selected, those whose responses another one judges. What a
   * request of the operator returns is not known.
   */
  const casesOf = (name: string) => {
    const isWhole = isSelected(name) || suite.requirements[name]?.isSupplied
    return table
      .casesOf(name)
      .filter((one) => isWhole || judges.some((every) => mayJudge(every, one)))
  }
  const order = new Map([...table.rows.keys()].map((id, index) => [id, index]))
  const scope = createScope(`${service} preflight`)
  async function open() {
    const { createContext, preflight } = await suite.load()
    const context = createContext(run)
    await preflight(context)
    const { sender } = context
    const judge = createJudge<Case, Settings, Context>(
      suite.idOf,
      sender,
      context,
      documentsStatuses,
    )
    return { context: context as Context, judge }
  }
  let opened: ReturnType<typeof open> | undefined
  /** Waits for the preflight; if it failed, adds its exchanges to the evidence of the check. */
  async function prepare() {
    opened ??= runInScope(scope, open)
    return opened.catch((error) => {
      for (const id of scope.exchanges) currentScope()?.exchanges.add(id)
      throw error
    })
  }
  const require = (needs: readonly string[] = []): void =>
    requireNeeds(allNeeds, needs, run.settings.target)
  const isOwn = ({ request }: Exchange) => request.service === service
  /** Results of the cases when a check ended, by the name of the requirement. */
  const ended = new Map<string, [id: string, CaseResult][]>()
  /** Returns the exchanges of the ended checks in an order that does not depend on time, and the cases that were not sent. */
  function readResponses() {
    const exchanges = sortByRequest(run.exchanges.filter(isOwn), (one) => one.record, run.normalize)
    const unsent = new Map<string, Reason>()
    // In the order of the requirements, so that each run records the same reasons.
    for (const name of Object.keys(suite.requirements))
      for (const [id, reason] of ended.get(name) ?? [])
        if (typeof reason !== 'string' && !unsent.has(id)) unsent.set(id, reason)
    for (const { request } of exchanges) for (const id of request.cases ?? []) unsent.delete(id)
    return { exchanges, unsent }
  }
  let allResponses: ReturnType<typeof readResponses> | undefined
  /** Returns false if only responses to the requests of others are judged. */
  const hasOwn = (name: string) =>
    suite.requirements[name]?.steps !== undefined || casesOf(name).length > 0
  async function judgeOwn(name: string): Promise<void> {
    const requirement = suite.requirements[name] as (typeof suite.requirements)[string]
    const { needs, controlNeeds, steps } = requirement
    const cases = casesOf(name)
    const { context, judge } = await prepare()
    if (!hasOwn(name) && requirement.every !== undefined) return
    require(needs)
    if (!hasOwn(name)) skip('the document says nothing about it with these settings')
    try {
      const judging = [
        ...(steps ? [steps(context)] : []),
        ...(cases.length > 0 ? [judge(requirement, cases)] : []),
      ]
      // Each of them must show enough.
      await allJudged(judging, judging.length)
    } catch (error) {
      // A pass also needs the controls.
      if (error instanceof Skip) require(controlNeeds)
      throw error
    }
  }
  return {
    run,
    prepare,
    async check(name: string): Promise<void> {
      try {
        await judgeOwn(name)
      } catch (error) {
        recordUnjudged(table.casesOf(name).map(suite.idOf), error)
        throw error
      } finally {
        ended.set(name, [...(currentScope()?.cases ?? [])])
      }
    },
    async responses(name: string, every: EveryResponse<Context, Case>): Promise<void> {
      const isOnly = !hasOwn(name)
      if (isOnly) require(suite.requirements[name]?.needs)
      const { context } = await prepare()
      const scope = currentScope()
      // The responses have its cases.
      if (isOnly && scope) scope.hasTable = true
      const own = [...(scope?.cases.values() ?? [])]
      const hasShown = own.length === 0 || own.some((result) => typeof result === 'string')
      allResponses ??= readResponses()
      const { exchanges, unsent } = allResponses
      const judging = judgeResponses(every, { exchanges, normalize: run.normalize }, context, order)
      const [error] = await errorsOf([judging])
      // Of an interrupted run, missing responses show nothing.
      if (error instanceof Skip) await run.wait(0)
      // The response to a request that was not sent might have contradicted the requirement.
      if (error === undefined || isFailedExpectation(error))
        for (const [id, reason] of unsent) {
          const one = table.rows.get(id)
          if (one !== undefined && mayJudge(every, one)) recordCase(id, reason)
        }
      // Without other responses, its own requests suffice if one of them was judged.
      const isEnough = error instanceof Skip && !isOnly && hasShown
      if (error !== undefined && !isEnough) throw error
    },
  }
}

/** Registers a test for each selected requirement and observation of a probed service. */
export function registerSuite<Case extends { after?: Case | undefined }, Settings, Context>(
  suite: Suite<Case, Settings, Context>,
): void {
  const settings = suite.settingsOf(currentRun().settings.target)
  if (settings === undefined) return
  const state = ofRun((run) => createServiceRun(run, suite, settings))
  const { catalogue } = suite
  const { checks, selected } = currentRun().settings
  for (const requirement of catalogue.requirements) {
    const { id } = requirement
    const name = id.slice(catalogue.service.length + 1)
    if (!checks.includes(id) || requirement.checkedBy.includes('untestable')) continue
    const every = selected.includes(id) ? suite.requirements[name]?.every : undefined
    test.concurrent(id, async (context) => {
      const { run, check, responses } = state()
      const work = async () => {
        const checked = check(name)
        await checked.catch(() => {})
        if (every) await everythingChecked(context.task)
        // Both must show enough.
        await allJudged(every ? [checked, responses(name, every)] : [checked], 2)
      }
      const result = await runCheck(id, work, requirement.because)
      report(run, context, result, requirement)
    })
  }
  for (const [name, { of, value }] of Object.entries(suite.observations)) {
    const id = `${catalogue.service}/${name}`
    if (!of.some((one) => checks.includes(`${catalogue.service}/${one}`))) continue
    test.concurrent(`observe ${id}`, async ({ task }) => {
      const { run, prepare } = state()
      const observed = await recordObservation(run, id, async () =>
        value((await prepare()).context),
      )
      task.meta.plumbline = { ...observed, exchanges: run.takeUnreported() }
    })
  }
}
