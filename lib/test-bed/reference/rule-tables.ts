import {
  type AnyContext,
  type CallOf,
  type Endpoints,
  type Handler,
  HttpError,
  type ResponseParts,
} from './http.ts'

export type Environment = Record<string, string>

export interface ServerAddress {
  /** Scheme, host, port and base path, without a trailing slash. */
  readonly baseUrl: string
  /** Empty, or a path with a leading slash and without a trailing one. */
  readonly basePath: string
}

/** Signatures of rules: the last parameter of each is the context of the request. */
export type RulesOf<Documented, Context> = {
  readonly [Name in keyof Documented]: Documented[Name] extends (
    ...parameters: infer Parameters
  ) => infer Result
    ? (
        ...parameters: Parameters extends [...infer Others, AnyContext]
          ? [...Others, Context]
          : [...Parameters, Context]
      ) => Result
    : never
}

export type RuleChange<Rules> = (rules: Rules) => Partial<Rules>

/** Replacements of rules. Functions run once per start of a server and may keep state. */
export type Change<Rules> = Partial<Rules> | RuleChange<Rules> | readonly Change<Rules>[]

export function applyChange<Rules>(rules: Rules, change: Change<Rules>): Rules {
  if (Array.isArray(change)) return change.reduce<Rules>(applyChange, rules)
  return { ...rules, ...(typeof change === 'function' ? change(rules) : change) }
}

// biome-ignore lint/suspicious/noExplicitAny: rules have parameters of every kind
type Rule = (...parameters: any[]) => any

type ExpectedVerdicts = Readonly<Record<string, 'pass' | 'skipped' | 'inconclusive'>>

export interface ServiceFault<Rules> {
  readonly name: string
  readonly requirements: readonly string[]
  /** Name of the variant that the fault needs; the unmodified server does not show it. */
  readonly variant?: string | undefined
  /** Verdicts of other requirements that the fault changes. */
  readonly expectedVerdicts?: ExpectedVerdicts
  readonly change: Change<Rules>
}

/** Behavior that the catalogue lets a conforming server choose. */
export interface Tolerance {
  readonly requirement: string
  readonly name: string
}

/** Name of a conforming server, and the expected result of a run against it. */
export interface VariantTraits {
  readonly name: string
  /** `inconclusive` if the configuration or the data prevent some verdicts. */
  readonly verdict?: 'conformant' | 'inconclusive'
  readonly basePath?: string
  readonly tolerances?: readonly Tolerance[]
  /** Requirements with these tolerances that get no verdict. */
  readonly unjudged?: readonly string[]
  readonly expectedVerdicts?: ExpectedVerdicts
}

/** Variables to set, a pattern of variable names to omit, or a function that maps all variables. */
type EnvironmentChange<Server> =
  | Environment
  | RegExp
  | ((environment: Environment, server: Server) => Environment)

export function applyEnvironmentChange<Server>(
  change: EnvironmentChange<Server>,
  environment: Environment,
  server: Server,
): Environment {
  if (typeof change === 'function') return change(environment, server)
  if (!(change instanceof RegExp)) return { ...environment, ...change }
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !change.test(name)))
}

export type ServiceVariation<Rules, Server, Further = unknown> = Further & {
  readonly change?: Change<Rules>
  readonly environment?: EnvironmentChange<Server>
}

type ServiceVariant<Rules, Server, Further> = VariantTraits &
  ServiceVariation<Rules, Server, Further>

/** Returns the tolerances with these names of each of the requirements. */
export const tolerance = (
  names: string | readonly string[],
  ...requirements: readonly string[]
): Tolerance[] =>
  requirements.flatMap((requirement) => [names].flat().map((name) => ({ requirement, name })))

/** Parses the id of a tolerance: the id of its requirement, and its name. */
function parseTolerance(id: string): Tolerance {
  const [, requirement = '', name = ''] = /^(.+)\/(.+)$/.exec(id) ?? []
  return { requirement, name }
}

/** Adds the section to names of requirements. */
export const inSection = (section: string, ...names: readonly string[]) =>
  names.map((name) => `${section}/${name}`)

function createChanges<
  Rules extends Readonly<Record<keyof Rules, Rule>>,
  Context extends AnyContext,
>() {
  function onlyIf(
    applies: (context: Context) => boolean,
    change: Change<Rules>,
  ): RuleChange<Rules> {
    return (rules) => {
      const documented: Readonly<Record<string, Rule>> = rules
      const changed: Readonly<Record<string, Rule>> = applyChange(rules, change)
      const guarded = Object.entries(changed).flatMap(([name, other]): [string, Rule][] => {
        const rule = documented[name]
        if (rule === other) return []
        return [[name, (...all) => (applies(all.at(-1)) ? other : rule)?.(...all)]]
      })
      return Object.fromEntries(guarded) as Partial<Rules>
    }
  }

  type Endpoints = Context['endpoint'] | readonly Context['endpoint'][]

  function on(endpoints: Endpoints, change: Change<Rules>): RuleChange<Rules> {
    return onlyIf(({ endpoint }) => [endpoints].flat().includes(endpoint), change)
  }

  /** Replaces the result of a rule; `change` receives the result and the parameters. */
  function alter<Name extends keyof Rules>(
    name: Name,
    change: (
      result: ReturnType<Rules[Name]>,
      ...parameters: Parameters<Rules[Name]>
    ) => ReturnType<Rules[Name]>,
  ): RuleChange<Rules> {
    return (rules) => {
      const rule = (...parameters: Parameters<Rules[Name]>) =>
        change(rules[name](...parameters), ...parameters)
      return { [name]: rule } as Partial<Rules>
    }
  }

  /**
   * Notes requests of which any of the rules has a result, and changes later requests with the same subject.
   *
   * @param subjectOf returns null or undefined for requests to leave out
   */
  const after =
    (
      names: readonly (keyof Rules)[],
      subjectOf: (context: Context) => unknown,
      change: Change<Rules>,
    ): RuleChange<Rules> =>
    (rules) => {
      const noted = new Set<unknown>()
      const note = (result: unknown, ...all: unknown[]) => {
        const subject = subjectOf(all.at(-1) as Context) ?? undefined
        if (result && subject !== undefined) noted.add(subject)
        return result
      }
      const noting = names.map((name) => alter(name, note as never))
      return applyChange(rules, [...noting, onlyIf((at) => noted.has(subjectOf(at)), change)])
    }

  type RejectionRule = {
    [Name in keyof Rules]: Rules[Name] extends (...all: never[]) => HttpError ? Name : never
  }[keyof Rules]

  /** Changes the status or message of an error, at all endpoints or at some. */
  function reject(
    name: RejectionRule,
    change: number | string | ((message: string) => string) | HttpError,
    endpoints?: Endpoints,
  ): RuleChange<Rules> {
    const changed = ({ status, message, code }: HttpError): HttpError => {
      if (change instanceof HttpError) return change
      if (typeof change === 'number') return new HttpError(change, message, code)
      return new HttpError(status, typeof change === 'string' ? change : change(message), code)
    }
    const everywhere = alter(name, changed as never)
    return endpoints === undefined ? everywhere : on(endpoints, everywhere)
  }

  return { onlyIf, on, alter, after, reject }
}

/** Adds the variant that they need to the names of faults. */
export const inVariant = <Fault>(variant: string, table: Readonly<Record<string, Fault>>) =>
  Object.fromEntries(Object.entries(table).map(([name, fault]) => [`${name} in ${variant}`, fault]))

/** Returns the functions that write the tables of faults and variants of a service. */
export function createTables<
  Rules extends Readonly<Record<keyof Rules, Rule>>,
  Context extends AnyContext,
  Further = unknown,
>(service: string) {
  const toId = (name: string) => `${service}/${name}`
  const prefixIds = (expectedVerdicts: ExpectedVerdicts = {}): ExpectedVerdicts =>
    Object.fromEntries(
      Object.entries(expectedVerdicts).map(([name, verdict]) => [toId(name), verdict]),
    )

  type FaultEntry = Pick<ServiceFault<Rules>, 'change' | 'expectedVerdicts'>

  const changes = createChanges<Rules, Context>()

  /** Returns the function that defines a fault at several places, each of which ends a name; `''` is everywhere. */
  const createPlaces =
    <Place extends string>(places: Readonly<Record<Place, (context: Context) => boolean>>) =>
    (name: string, ends: readonly (Place | '')[], change: Change<Rules>) =>
      Object.fromEntries(
        ends.map((end) => {
          if (end === '') return [name, change]
          if (!(end in places)) throw new Error(`There is no place ${end}.`)
          return [`${name}-${end}`, changes.onlyIf(places[end], change)]
        }),
      )

  /**
   * Returns a function that defines faults of a section by the requirements that they break, which have a slash
   * if they are in another section. A name may end with the variant that the fault needs: `NAME in VARIANT`.
   */
  const faultsOf =
    (section: string) =>
    (
      broken: string | readonly string[],
      table: Readonly<Record<string, Change<Rules> | FaultEntry>>,
    ): readonly ServiceFault<Rules>[] => {
      const names = [broken].flat()
      const ids = names.map((name) => (name.includes('/') ? name : `${section}/${name}`))
      return Object.entries(table).map(([key, fault]) => {
        const [name = '', variant] = key.split(' in ')
        const entry = ('change' in fault ? fault : { change: fault }) as FaultEntry
        const expectedVerdicts = prefixIds(entry.expectedVerdicts)
        return { ...entry, name, variant, requirements: ids.map(toId), expectedVerdicts }
      })
    }

  type Variant = ServiceVariant<Rules, Context['server'], Further>
  type VariantEntry = Omit<Variant, 'name' | 'tolerances' | 'verdict'>

  /**
   * Defines variants by the tolerances that they use, whose ids and requirements are named without the service.
   * The verdict of a run is inconclusive if the name ends so.
   */
  const uses = (
    tolerances: string | readonly (Tolerance | readonly Tolerance[])[],
    table: Readonly<Record<string, RuleChange<Rules> | readonly Change<Rules>[] | VariantEntry>>,
  ): readonly Variant[] =>
    Object.entries(table).map(([name, entry]) => {
      const isChange = typeof entry === 'function' || Array.isArray(entry)
      const variant = (isChange ? { change: entry } : entry) as Variant
      return {
        ...variant,
        name,
        ...(name.endsWith('-inconclusive') && { verdict: 'inconclusive' }),
        tolerances: (typeof tolerances === 'string' ? [parseTolerance(tolerances)] : tolerances)
          .flat()
          .map((used) => ({ ...used, requirement: toId(used.requirement) })),
        unjudged: variant.unjudged?.map(toId),
        expectedVerdicts: prefixIds(variant.expectedVerdicts),
      }
    })

  return { ...changes, createPlaces, faultsOf, uses }
}

export interface ReferenceService<
  Name extends string,
  Rules,
  Context extends AnyContext,
  Further = unknown,
> {
  readonly name: Name
  readonly rules: Rules
  readonly endpoints: Endpoints<Context['endpoint'], CallOf<Context, Rules>>
  /** Returns the response to a call; never throws. */
  respond(
    call: CallOf<Context, Rules>,
    handle: Handler<CallOf<Context, Rules>>,
  ): Promise<ResponseParts>
  deploy(address: ServerAddress, variation: Further): Context['server']
  environment(server: Context['server']): Environment
  readonly faults: readonly ServiceFault<Rules>[]
  readonly variants: readonly ServiceVariant<Rules, Context['server'], Further>[]
}
