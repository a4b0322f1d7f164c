import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { compareReports } from '../runs/compare/compare.ts'
import type { Variant } from '../test-bed/reference/index.ts'
import {
  type CommandOutcome,
  resultOf,
  temporaryDirectory,
  withVerdict,
} from './command.fixture.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'
import type { RunOptions } from './run-options.ts'

const id = 'code-hosting/errors/body'
const service = ['code-hosting']
const waivers = join(temporaryDirectory(), 'waivers.yaml')

/** Omits the url of one error body, like Gitea: the 403 for `Sudo` without a site admin. */
function sudoRefusedWithoutUrl(
  environment = (all: Readonly<Record<string, string>>): Record<string, string> => all,
): Variant {
  return {
    name: 'sudo-refused-without-url',
    codeHosting: { environment },
    intermediary: () => async (request, respond) => {
      const parts = await respond(request)
      // At the admin request, the administrator is refused as another user.
      const isAdmin = request.url.pathname.includes('/admin/')
      const isRefused = request.headers.has('Sudo') && parts.status === 403 && !isAdmin
      if (!isRefused || typeof parts.body !== 'string') return parts
      const { message } = JSON.parse(parts.body)
      return { ...parts, body: JSON.stringify({ message }) }
    },
  }
}

/** Without the other account and the administrator, whose requests contradict it. */
const withoutOthers = () =>
  sudoRefusedWithoutUrl((all) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !/_(?:OTHER|ADMIN)_/.test(name))),
  )

const judged = (options: Partial<RunOptions>, variant = sudoRefusedWithoutUrl()) =>
  enclosedRun({}, { variant, service, ...options })

/** Returns the parts of the result that are equal in all runs. */
function deviationsOf(outcome: CommandOutcome) {
  const { expected, actual, deviations } = resultOf(outcome, id)
  return { expected, actual, subjects: deviations?.map(({ subject }) => subject) }
}

let whole: CommandOutcome

beforeAll(async () => {
  const entry = `{requirement: ${id}, reason: known, owner: Maria, expires: 2999-12-31}`
  writeFileSync(waivers, `waivers: [${entry}]\n`)
  whole = await judged({})
})

describe('an invariant that one kind of request contradicts', () => {
  it('fails, with each contradiction', () => {
    expect(withVerdict(whole, 'fail')).toEqual([id])
    expect(deviationsOf(whole).subjects).toEqual([
      'GET /api/v1/user 403',
      'GET /api/v1/user/repos 403',
      'GET /api/v1/repos/{owner}/{repo} 403',
      'POST /api/v1/users/{username}/tokens 403',
    ])
  })

  it('fails by itself in the same way, and nothing else is reported', async () => {
    const single = await judged({ requirement: [id] })
    expect(single.status).toBe(1)
    expect(deviationsOf(single)).toEqual(deviationsOf(whole))
    const kinds = single.report.results.map(({ requirement, verdict, noVerdict }) =>
      requirement === id ? verdict : noVerdict?.kind,
    )
    expect(new Set(kinds)).toEqual(new Set(['fail', 'not selected', 'untestable']))
    expect(single.report.observations.map((one) => one.id)).toEqual([])
  })
})

describe('without the request that contradicts it', () => {
  let partly: CommandOutcome

  beforeAll(async () => {
    partly = await judged({ waivers: [waivers] }, withoutOthers())
  })

  it('an invariant passes without the cases that contradict it', () => {
    const { verdict, cases } = resultOf(partly, id)
    const { cases: before } = resultOf(whole, id)
    const deviating = before?.deviating.map((number) => whole.report.cases[number])
    const conforming = cases?.conforming.map((number) => partly.report.cases[number])
    expect(verdict).toBe('pass')
    expect(deviating?.length).toBeGreaterThan(3)
    expect(conforming?.length).toBeGreaterThan(20)
    expect(conforming?.filter((one) => deviating?.includes(one))).toEqual([])
    expect(cases?.missing.map(({ noVerdict }) => noVerdict.kind)).toContain('needs')
  })

  it('its waiver stays needed, and nothing is reported as fixed', () => {
    expect(partly.report.waivers).toMatchObject([{ state: 'noVerdict' }])
    expect(partly.status).toBe(0)
    const { fixed, noLongerJudged } = compareReports(
      { path: '', report: whole.report },
      { path: '', report: partly.report },
    ).requirements
    expect(fixed).toEqual([])
    expect(noLongerJudged.map(({ requirement }) => requirement)).toContain(id)
  })
})
