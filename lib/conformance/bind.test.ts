import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction.ts'
import { bind } from './bind.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'
import { skip } from './outcome.ts'
import type { Catalogue, Requirement } from './requirement.ts'
import type { RowReport } from './row-report.ts'
import { currentScope } from './scope.ts'

interface Task {
  meta: { plumbline?: RowReport }
}
type Body = (context: { task: Task; skip: (reason?: string) => never }) => Promise<void>

const registered = vi.hoisted(() => ({
  tests: [] as { name: string; body: unknown }[],
  run: {} as Record<string, unknown>,
}))

vi.mock('vitest', async (original) => ({
  ...(await original<typeof import('vitest')>()),
  test: {
    concurrent: (name: string, ...rest: unknown[]) =>
      registered.tests.push({ name, body: rest.at(-1) }),
  },
}))
vi.mock('./lifecycle.ts', () => ({ everythingChecked: async () => {} }))
vi.mock('./run.ts', () => ({ currentRun: () => registered.run }))

const requirement = (id: string): Requirement & { id: string } => ({
  id,
  statement: '',
  section: '',
  level: 'contract',
  judged: ['probe'],
})

const catalogue: Catalogue = {
  service: 'code-hosting',
  document: '',
  requirements: [
    ...['a/b/c', 'a/b/d', 'a/b/e'].map(requirement),
    { ...requirement('a/b/g'), judged: ['invariant'], needs: ['key'] },
  ],
  needs: {
    key: { variables: ['API_KEY'], isMet: () => false },
  },
  observations: { 'a/b/c/seen': ['a/b/c', 'a/b/e'] },
}

let exchanges: Exchange[] = []

beforeEach(() => {
  const redactor = new Redactor()
  redactor.add('CODE_HOSTING_PASSWORD', 'main-password')
  exchanges = []
  registered.tests.length = 0
  registered.run = {
    settings: {
      selected: ['a/b/c', 'a/b/d', 'a/b/f', 'a/b/g'],
      target: { probe: { readOnly: true } },
    },
    redactor,
    exchanges,
    takeUnreported: () => [],
  }
})

function words() {
  const preflight = async () => {}
  return bind(catalogue, { probed: () => true, context: () => ({ number: 7 }), preflight })
}

class Skipped extends Error {}

/** Runs what was registered, and gives what each test told and how it ended. */
async function runAll() {
  return Promise.all(
    registered.tests.map(async ({ name, body }) => {
      const task: Task = { meta: {} }
      const end = await (body as Body)({
        task,
        skip: (reason) => {
          throw new Skipped(reason)
        },
      }).then(
        () => 'passed',
        (error) => (error instanceof Skipped ? 'skipped' : 'failed'),
      )
      return { name, end, ...task.meta.plumbline }
    }),
  )
}

describe('verify', () => {
  it('lets the test end as the verdict does, and tells it redacted', async () => {
    const { verify } = words()
    verify('a/b/c', async ({ number }) => expect(number).toBe(7))
    verify('a/b/c', async () => skip('no main-password'))
    verify('a/b/c', async () => expect('main-password').toBe('x main-password'))
    expect(await runAll()).toMatchObject([
      { end: 'passed', judgement: { requirement: 'a/b/c', by: 'probe', verdict: 'pass' } },
      { end: 'skipped', judgement: { verdict: 'skipped', reason: 'no $CODE_HOSTING_PASSWORD' } },
      {
        end: 'failed',
        judgement: {
          verdict: 'fail',
          expected: 'x $CODE_HOSTING_PASSWORD',
          actual: '$CODE_HOSTING_PASSWORD',
          reason: expect.not.stringContaining('main-password'),
        },
      },
    ])
  })
})

describe('observe', () => {
  it('records what is seen, redacted, with its exchanges', async () => {
    const { observe } = words()
    observe('a/b/c/seen', async () => {
      currentScope()?.exchanges.add('e7')
      return { status: 400, text: 'main-password' }
    })
    expect(await runAll()).toMatchObject([
      {
        name: 'observe a/b/c/seen',
        end: 'passed',
        observation: {
          id: 'a/b/c/seen',
          value: { status: 400, text: '$CODE_HOSTING_PASSWORD' },
          exchanges: ['e7'],
        },
      },
    ])
  })
})

describe('an invariant', () => {
  const documented = (status: number, service = 'code-hosting') =>
    exchangeWith({ status }, `/${status}`, { endpoint: 'GET /user', service })
  const holds = (exchange: Exchange) => expectExchange(exchange).toHaveStatus(200)

  /** What judging a new invariant over the exchanges told. */
  async function judged(about: (exchange: Exchange) => boolean = () => true, id = 'a/b/d') {
    words().invariant(id, { about, unlessSeen: 'no such response', holds })
    const reported = await runAll()
    return reported.at(-1)?.judgement
  }

  it('holds on every documented exchange of its service, and shows a few', async () => {
    exchanges.push(exchangeWith({ status: 500 }), documented(500, 'incident-status'))
    exchanges.push(...[200, 200, 200, 200, 200].map((status) => documented(status)))
    const shown = exchanges.slice(2, 5).map(({ id }) => id)
    expect(await judged()).toMatchObject({ verdict: 'pass', by: 'invariant', exchanges: shown })
  })

  it('fails on one that contradicts it, and shows that one alone', async () => {
    const wrong = documented(404)
    exchanges.push(documented(200), documented(200), wrong, documented(500))
    expect(await judged()).toMatchObject({
      verdict: 'fail',
      actual: 'status 404',
      exchanges: [wrong.id],
    })
  })

  it('is skipped where there was nothing of its kind, or what it needs is not there', async () => {
    exchanges.push(documented(200))
    const reason = 'there was no such response'
    expect(await judged(() => false)).toMatchObject({ verdict: 'skipped', reason })
    expect(await judged(undefined, 'a/b/g')).toMatchObject({
      verdict: 'skipped',
      reason: 'API_KEY is not set',
    })
  })

  it('leaves out a body that is too large, which is no reason to overlook another one', async () => {
    const unread = exchangeWith({ leastElements: 26 }, '/', { endpoint: 'GET /user' })
    const hasBody = ({ text }: Exchange) => text === ''
    exchanges.push(unread)
    expect(await judged(hasBody)).toMatchObject({ verdict: 'inconclusive' })
    exchanges.push(documented(200))
    const reason = 'One exchange is left out, such as the body is too large.'
    expect(await judged(hasBody)).toMatchObject({ verdict: 'pass', reason })
    exchanges.push(documented(404))
    expect(await judged(hasBody)).toMatchObject({ verdict: 'fail' })
  })

  it('comes to an exchange at the same time as the others, so that its body is unpacked once', async () => {
    const asked: string[] = []
    exchanges.push(documented(200), documented(200), documented(200))
    const { invariant } = words()
    for (const name of ['a', 'b']) {
      const about = ({ id }: Exchange) => asked.push(id) > 0
      invariant('a/b/d', { about, unlessSeen: name, holds })
    }
    await runAll()
    const each = exchanges.map(({ id }) => id)
    expect(asked.slice(-6)).toEqual(each.flatMap((id) => [id, id]))
  })
})
