import type { Refusal } from './endpoints.ts'
import type { Answer, Route } from './http.ts'

/** Variables for a run, by name. */
export type Environment = Record<string, string>

/** Where the services are reached. */
export interface Place {
  /** Scheme, host, port and base path, without a slash at the end. */
  readonly baseUrl: string
  /** Empty, or a path that begins with a slash and does not end with one. */
  readonly basePath: string
}

type AnyContext = { readonly endpoint: string; readonly url: URL }

/** Rules as others call and replace them: the context of the request is the last parameter of each. */
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

/**
 * Other rules in place of some: these, or those that are made of the rules that are there, or several
 * changes one after the other. It is applied once per start, so that it may keep state of its own.
 */
export type Change<Rules> = Partial<Rules> | RuleChange<Rules> | readonly Change<Rules>[]

export type RuleChange<Rules> = (rules: Rules) => Partial<Rules>

function changedRules<Rules>(rules: Rules, change: Change<Rules>): Rules {
  if (Array.isArray(change)) return change.reduce<Rules>(changedRules, rules)
  return { ...rules, ...(typeof change === 'function' ? change(rules) : change) }
}

// biome-ignore lint/suspicious/noExplicitAny: rules have parameters of every kind
type Rule = (...parameters: any[]) => any

/** A deviation from the document of one service. */
export interface ServiceFault<Rules> {
  /** In kebab case: what the deployment does wrong. */
  readonly name: string
  /** Ids of the requirements that it breaks. */
  readonly requirements: readonly string[]
  /** Name of the variant that has the fault, where the plain deployment cannot show it. */
  readonly variant?: string
  /** What becomes of requirements that it does not break, by id. */
  readonly becoming?: Becoming
  change(rules: Rules): Rules
}

type FaultEntry<Rules> = Pick<ServiceFault<Rules>, 'variant' | 'becoming'> & {
  readonly change: Change<Rules>
}

/** Whether there is something to judge, by requirement id. */
export type Becoming = Readonly<Record<string, 'pass' | 'skipped' | 'inconclusive'>>

/** Faults or variants by what they are about, and by their names. */
export type Table<Entry> = Readonly<Record<string, Readonly<Record<string, Entry>>>>

/** What a conforming deployment is called, and what the suites have to find in it. */
export interface VariantTraits {
  /** In kebab case: what is different. */
  readonly name: string
  /**
   * `inconclusive` where not every row can get a verdict: the operator configures too little, the
   * data never settle, or a gateway keeps answers back.
   */
  readonly verdict?: 'conformant' | 'inconclusive'
  readonly basePath?: string
  /** What of the catalogue's tolerances it makes use of: ids of requirements, a slash, and names. */
  readonly tolerances?: readonly string[]
  /** Ids of the requirements with those tolerances that have no verdict there. */
  readonly unjudged?: readonly string[]
  /** What becomes there of further requirements, by id: whether there is something to judge. */
  readonly becoming?: Becoming
}

/** How a conforming service differs from the plain one. */
export interface ServiceVariation<Rules, Deployment> {
  change?(rules: Rules): Rules
  /** What the operator configures, made of all that can be configured. */
  environment?(environment: Environment, deployment: Deployment): Environment
}

export type ServiceVariant<Rules, Deployment, Further = unknown> = VariantTraits &
  ServiceVariation<Rules, Deployment> &
  Further

export const noTolerance = 'no tolerance'

type VariantEntry<Rules, Deployment, Further> = Omit<VariantTraits, 'name' | 'tolerances'> & {
  readonly change?: Change<Rules>
  /** Variables that are told too or otherwise, those that are not told, or what makes of them. */
  readonly environment?: Environment | RegExp | ServiceVariation<Rules, Deployment>['environment']
} & Further

/** @param configured as in a table of variants */
export function toldEnvironment<Make>(
  configured: Environment | RegExp | Make,
): Make | ((environment: Environment) => Environment) {
  if (configured instanceof RegExp) {
    return (environment) =>
      Object.fromEntries(Object.entries(environment).filter(([name]) => !configured.test(name)))
  }
  return typeof configured === 'function'
    ? configured
    : (environment) => ({ ...environment, ...configured })
}

/** Tolerances of that name, one for each of the requirements. */
export function tolerance(name: string, requirements: readonly string[]): string {
  return requirements.map((requirement) => `${requirement}/${name}`).join(' + ')
}

/** What faults and variants of a service are made with. */
export function tablesOf<
  Rules extends Readonly<Record<keyof Rules, Rule>>,
  Context extends AnyContext,
  Deployment,
  Further = unknown,
>(service: string) {
  /** The change for such requests; the rules that are there for all others. */
  function where(applies: (context: Context) => boolean, change: Change<Rules>): RuleChange<Rules> {
    return (rules) => {
      const documented: Readonly<Record<string, Rule>> = rules
      const changed: Readonly<Record<string, Rule>> = changedRules(rules, change)
      const guarded = Object.entries(changed).flatMap(([name, other]): [string, Rule][] => {
        const rule = documented[name]
        if (rule === other) return []
        return [[name, (...all) => (applies(all.at(-1)) ? other : rule)?.(...all)]]
      })
      return Object.fromEntries(guarded) as Partial<Rules>
    }
  }

  /** The change for requests to one of these endpoints. */
  function on(
    endpoints: Context['endpoint'] | readonly Context['endpoint'][],
    change: Change<Rules>,
  ): RuleChange<Rules> {
    return where(({ endpoint }) => [endpoints].flat().includes(endpoint), change)
  }

  /** Something else in place of what the rule gives, made of that and of its parameters. */
  function altered<Name extends keyof Rules>(
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

  type RefusalRule = {
    [Name in keyof Rules]: Rules[Name] extends (...all: never[]) => Refusal ? Name : never
  }[keyof Rules]

  /** Refuses with another status, message or both what the rule refuses. */
  function refused(
    name: RefusalRule,
    change: number | string | ((message: string) => string) | Refusal,
  ): RuleChange<Rules> {
    const changed = ({ status, message }: Refusal): Refusal => {
      if (typeof change === 'number') return { status: change, message }
      if (typeof change === 'object') return change
      return { status, message: typeof change === 'string' ? change : change(message) }
    }
    return altered(name, changed as never)
  }

  const idOf = (name: string) => `${service}/${name}`
  const byId = (becoming: Becoming = {}): Becoming =>
    Object.fromEntries(Object.entries(becoming).map(([name, verdict]) => [idOf(name), verdict]))

  /** A fault of a variant, where the plain deployment cannot show it. */
  const within = (variant: string, change: Change<Rules>) => ({ variant, change })

  /**
   * Faults by what they break: names of requirements of the section, or of other sections of the
   * service with a slash, joined by ` + `; below them what each fault changes, by its name. Ids of
   * requirements are without the service.
   */
  function faultsOf(
    section: string,
    table: Table<Change<Rules> | FaultEntry<Rules>>,
  ): readonly ServiceFault<Rules>[] {
    return Object.entries(table).flatMap(([broken, faults]) => {
      const requirements = broken
        .split(' + ')
        .map((name) => idOf(name.includes('/') ? name : `${section}/${name}`))
      return Object.entries(faults).map(([name, fault]) => {
        const { variant, becoming, change } = (
          'change' in fault ? fault : { change: fault }
        ) as FaultEntry<Rules>
        return {
          name,
          requirements,
          variant,
          becoming: byId(becoming),
          change: (rules: Rules) => changedRules(rules, change),
        }
      })
    })
  }

  /**
   * Conforming services by the tolerances that they make use of, joined by ` + `, and by their names.
   * Ids of requirements are without the service. A function is a change and nothing else.
   */
  function variantsOf(
    table: Table<RuleChange<Rules> | VariantEntry<Rules, Deployment, Further>>,
  ): readonly ServiceVariant<Rules, Deployment, Further>[] {
    return Object.entries(table).flatMap(([tolerances, variants]) =>
      Object.entries(variants).map(([name, entry]) => {
        const variant: VariantEntry<Rules, Deployment, unknown> =
          typeof entry === 'function' ? { change: entry } : entry
        const { change, environment, unjudged = [], becoming, ...others } = variant
        return {
          ...others,
          name,
          tolerances: tolerances === noTolerance ? [] : tolerances.split(' + ').map(idOf),
          unjudged: unjudged.map(idOf),
          becoming: byId(becoming),
          ...(change && { change: (rules: Rules) => changedRules(rules, change) }),
          ...(environment && { environment: toldEnvironment(environment) }),
        } as ServiceVariant<Rules, Deployment, Further>
      }),
    )
  }

  return { where, on, altered, refused, within, faultsOf, variantsOf }
}

/** Everything that makes one service of the reference. */
export interface ReferenceService<Name extends string, Rules, Deployment, Further = unknown> {
  readonly name: Name
  /** As its document states them. */
  readonly rules: Rules
  deploy(place: Place, variation: Further): Deployment
  routes(deployment: Deployment, rules: Rules): readonly Route[]
  /** Answers what is for no service; one of them has it. */
  missing?(deployment: Deployment, rules: Rules): Answer
  /** The variables with which everything that the deployment offers can be judged. */
  environment(deployment: Deployment): Environment
  readonly faults: readonly ServiceFault<Rules>[]
  readonly variants: readonly ServiceVariant<Rules, Deployment, Further>[]
}
