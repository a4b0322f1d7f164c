/** A requirement as one object: its sentence, the requests that show it, and what the responses must show. */
import type { Exchange } from '../probe/exchange.ts'
import type { Observable, Requirement, Version } from '../results/requirement.ts'
import type { Impact } from '../results/run-report.ts'
import type { Catalogue, Needs } from './catalogue.ts'

/** A value, or a function that returns it for a case. */
export type Of<Case, Value> = Value | ((one: Case) => Value)

export const valueFor = <Case, Value>(value: Of<Case, Value>, one: Case): Value =>
  typeof value === 'function' ? (value as (one: Case) => Value)(one) : value

/** Statuses of a rejection; `any` if the document names none. */
export type Statuses = readonly number[] | 'any'

/** Responses of a run that a requirement judges, whatever they were requested for. */
export interface EveryResponse<Context, Case = never> {
  /** Returns true for the responses that it is about. */
  is(response: Exchange, context: Context): boolean
  /** False for requests whose responses are of other kinds. The others that were not sent are its missing cases. */
  canJudge?(one: Case): boolean
  /** Completes "there was …" if the run has no such response. */
  absence: string
  /** @throws the failed expectation if the response contradicts the requirement */
  shows(response: Exchange, context: Context): void
}

/** A sentence of a document. It judges one aspect of a response and takes the others as given. */
export interface SuiteRequirement<Case, Settings, Context>
  extends Pick<Requirement, 'statement' | 'section' | 'because'>,
    Pick<Requirement, 'needs' | 'controlNeeds' | 'tolerances'> {
  /** Version of Plumbline that added it; the first by default. */
  since?: Version
  /** `wording` for an exact text. */
  level?: 'wording'
  /** Meaning of a failure; `data` by default, and always `format` for a wording. */
  impact?: Impact
  /** Reason why nothing can be sent that shows it. */
  untestable?: string
  /** True if the operator supplies the requests. */
  isSupplied?: true

  /** Its own requests. */
  cases?: readonly Case[]
  /** True for requests of others that it judges too. */
  also?(one: Case): boolean
  /** False for settings with which the document says nothing about a case. */
  under?(settings: Settings, one: Case): boolean
  /** Parts that are put back to get requests that must succeed; if one does not, the response shows nothing. */
  given?: Of<Case, readonly Partial<Case>[]>
  /** Statuses of the rejection; undefined for a case that must not be rejected. */
  rejects?: Of<Case, Statuses | undefined>
  /** Judges the response. @throws the failed expectation, or the reason why it shows nothing */
  shows?(response: Exchange, context: Context, one: Case): unknown
  /** Requests of other sentences: a wrong status that theirs has too is judged there. */
  unlike?: Of<Case, readonly Partial<Case>[]>
  /** @throws Skip if the judged cases do not suffice for a pass */
  suffices?(judged: readonly Case[], context: Context): unknown
  /** Judgments that need several requests, or requests that are not in the table. Runs before the cases are judged. */
  steps?(context: Context): Promise<unknown>
  /** The responses of the run that it judges at its end. */
  every?: EveryResponse<Context, Case>
}

/** Behavior that the document leaves open. */
export interface SuiteObservation<Context> {
  /** Names of the requirements with whose checks it is recorded. */
  of: readonly string[]
  description: string
  value(context: Context): Promise<unknown>
}

/** Returns the observation of the status of the response to a case; a limit of requests shows nothing. */
export const statusOf =
  <Case>(one: Case) =>
  async ({ sender }: { sender: { send(one: Case): Promise<Exchange> } }) => {
    const { status } = await sender.send(one)
    return status === 429 ? undefined : status
  }

export type Levels<Case> = { [Factor in keyof Case]?: Case[Factor] | readonly Case[Factor][] } & {
  /** Parts of several factors, such as a sender. */
  by?: Partial<Case> | readonly Partial<Case>[]
}

/** Returns the function that returns the cases of every combination of the levels in each row; other factors are at their default. */
export const crossOf =
  <Case extends object>(defaults: Case) =>
  (...rows: readonly Levels<Case>[]): Case[] =>
    rows.flatMap((levels) => {
      let all: Partial<Case>[] = [{}]
      for (const [factor, values] of Object.entries(levels)) {
        const parts = [values]
          .flat()
          .map((value) => (factor === 'by' ? value : { [factor]: value }))
        all = all.flatMap((one) => parts.map((part) => ({ ...one, ...(part as Partial<Case>) })))
      }
      return all.map((one) => ({ ...defaults, ...one }))
    })

type Requirements<Case, Settings, Context> = Readonly<
  Record<string, SuiteRequirement<Case, Settings, Context>>
>

/** Returns what reports and commands know of the requirements of a service. @param requirements by section and name */
export function catalogueOfSuite<Case, Settings, Context>(
  parts: Pick<Catalogue, 'service' | 'document' | 'documentsStatuses'> & { needs: Needs },
  requirements: Requirements<Case, Settings, Context>,
  observations: Readonly<Record<string, SuiteObservation<Context>>>,
): Catalogue {
  const toId = (name: string) => `${parts.service}/${name}`
  const described = Object.entries(requirements).map(([name, one]): Requirement => {
    const { statement, section, since = '0.1.0', level = 'contract', untestable: reason } = one
    const impact = level === 'wording' ? 'format' : (one.impact ?? 'data')
    const { because, needs, controlNeeds, tolerances, cases, also, steps, every, isSupplied } = one
    const checkedBy: Requirement['checkedBy'] = [
      ...(reason ? (['untestable'] as const) : []),
      ...(cases || also || steps ? ([isSupplied ? 'supplied' : 'probe'] as const) : []),
      ...(every ? (['invariant'] as const) : []),
    ]
    const id = toId(name)
    const described = { id, statement, section, level, impact, since, checkedBy } as const
    return { ...described, because, needs, controlNeeds, tolerances, reason }
  })
  const observed = Object.entries(observations).map(([name, { of, description }]) => {
    return [toId(name), { of: of.map(toId), description }] as [string, Observable]
  })
  return { ...parts, requirements: described, observations: Object.fromEntries(observed) }
}

/** The requests of a run: the union of the cases of all requirements. */
export interface Table<Case> {
  /** Cases by id, the simple ones first. */
  readonly rows: ReadonlyMap<string, Case>
  /** Returns the cases that a requirement judges. @param name of the requirement */
  casesOf(name: string): readonly Case[]
}

/** @param sequences requests that are sent again, each right after the one before it; their requirements judge them once more */
export function createTable<Case extends { after?: Case | undefined }, Settings, Context>(
  requirements: Requirements<Case, Settings, Context>,
  settings: Settings,
  idOf: (one: Case) => string,
  sequences: readonly (readonly Case[])[] = [],
): Table<Case> {
  const byId = (cases: readonly Case[]) => new Map(cases.map((one) => [idOf(one), one]))
  const own = new Map(
    Object.entries(requirements).map(([name, { cases = [], under = () => true }]) => [
      name,
      byId(cases.filter((one) => under(settings, one))),
    ]),
  )
  const single = new Map([...own.values()].flatMap((cases) => [...cases]))
  const again = sequences.flatMap((requests) => {
    const rows: { plain: string; one: Case }[] = []
    for (const one of requests) {
      const plain = idOf(one)
      if (!single.has(plain) || rows.at(-1)?.plain === plain) continue
      const after = rows.at(-1)?.one
      rows.push({ plain, one: after ? { ...one, after } : one })
    }
    return rows
  })
  const rows = new Map([...single, ...byId(again.map(({ one }) => one))])
  const judged = new Map<string, readonly Case[]>()
  return {
    rows,
    casesOf(name) {
      const known = judged.get(name)
      if (known) return known
      const { also, under = () => true } = requirements[name] ?? {}
      const plain = own.get(name) ?? new Map<string, Case>()
      const repeated = again.flatMap((row) => (plain.has(row.plain) ? [row.one] : []))
      const others = [...rows.values()].filter((one) => also?.(one) && under(settings, one))
      const cases = [...byId([...plain.values(), ...repeated, ...others]).values()]
      judged.set(name, cases)
      return cases
    },
  }
}
