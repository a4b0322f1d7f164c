import type { Answer, Refusal, Route } from './http.ts'

/** Variables for a run, by name. */
export type Environment = Record<string, string>

/** Where the services are reached. */
export interface Place {
  /** Scheme, host, port and base path, without a slash at the end. */
  readonly baseUrl: string
  /** Empty, or a path that begins with a slash and does not end with one. */
  readonly basePath: string
}

/**
 * Other rules in place of some: these, or those that are made of the rules that are there. It is
 * applied once per start, so that it may keep state of its own.
 */
export type Change<Rules> = Partial<Rules> | RuleChange<Rules>

export type RuleChange<Rules> = (rules: Rules) => Partial<Rules>

function changedRules<Rules>(rules: Rules, change: Change<Rules>): Partial<Rules> {
  return typeof change === 'function' ? (change as RuleChange<Rules>)(rules) : change
}

type Rule = (...parameters: unknown[]) => unknown

/** The rules that say how a request is refused. */
type RefusalRule<Rules> = {
  [Name in keyof Rules]: Rules[Name] extends (...parameters: never[]) => Refusal ? Name : never
}[keyof Rules] &
  string

/** What changes of these rules are made with. The context is the last parameter of every rule. */
export function changesOf<Rules extends object, Context extends { readonly endpoint: string }>() {
  /** The change for such requests; the rules that are there for all others. */
  function where(applies: (context: Context) => boolean, change: Change<Rules>): RuleChange<Rules> {
    return (rules) => {
      const documented = rules as Readonly<Record<string, Rule>>
      const changed = Object.entries(changedRules(rules, change) as Record<string, Rule>)
      const guarded = changed.map(([name, other]): [string, Rule] => [
        name,
        (...parameters) =>
          (applies(parameters.at(-1) as Context) ? other : documented[name])?.(...parameters),
      ])
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

  /** Refuses with another status or message what the rule refuses. */
  function refused(
    name: RefusalRule<Rules>,
    change: Partial<Refusal> | ((refusal: Refusal) => Partial<Refusal>),
  ): RuleChange<Rules> {
    return (rules) => {
      const documented = (rules as Readonly<Record<string, Rule>>)[name]
      const rule: Rule = (...parameters) => {
        const refusal = documented?.(...parameters) as Refusal
        return { ...refusal, ...(typeof change === 'function' ? change(refusal) : change) }
      }
      return { [name]: rule } as Partial<Rules>
    }
  }

  return { where, on, refused }
}

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

/** Whether there is something to judge, by requirement id. */
export type Becoming = Readonly<Record<string, 'pass' | 'skipped' | 'inconclusive'>>

/**
 * Faults by what they break: names of requirements of the section, or of other sections of the
 * service with a slash, joined by ` + `; below them what each fault changes, by its name.
 */
export type FaultTable<Rules> = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        | Change<Rules>
        | (Pick<ServiceFault<Rules>, 'variant' | 'becoming'> & { readonly change: Change<Rules> })
      >
    >
  >
>

/** @param section its service and name, as requirement ids begin */
export function faultsOf<Rules extends object>(
  section: string,
  table: FaultTable<Rules>,
): readonly ServiceFault<Rules>[] {
  const [service] = section.split('/')
  return Object.entries(table).flatMap(([broken, faults]) => {
    const requirements = broken
      .split(' + ')
      .map((name) => `${name.includes('/') ? service : section}/${name}`)
    return Object.entries(faults).map(([name, fault]) => {
      const { change, ...traits } = ('change' in fault ? fault : { change: fault }) as Pick<
        ServiceFault<Rules>,
        'variant' | 'becoming'
      > & { change: Change<Rules> }
      return {
        name,
        requirements,
        ...traits,
        change: (rules: Rules) => ({ ...rules, ...changedRules(rules, change) }),
      }
    })
  })
}

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

/** Conforming services by name. */
export type VariantTable<Rules, Deployment, Further = unknown> = Readonly<
  Record<
    string,
    Omit<VariantTraits, 'name'> &
      Omit<ServiceVariation<Rules, Deployment>, 'change'> & {
        readonly change?: Change<Rules>
      } & Further
  >
>

export type ServiceVariant<Rules, Deployment, Further = unknown> = VariantTraits &
  ServiceVariation<Rules, Deployment> &
  Further

export function variantsOf<Rules extends object, Deployment, Further = unknown>(
  table: VariantTable<Rules, Deployment, Further>,
): readonly ServiceVariant<Rules, Deployment, Further>[] {
  return Object.entries(table).map(([name, { change, ...variant }]) => {
    const changed = change && {
      change: (rules: Rules) => ({ ...rules, ...changedRules(rules, change) }),
    }
    return { name, ...variant, ...changed } as ServiceVariant<Rules, Deployment, Further>
  })
}

/** Ids of the tolerance of that name, one for each of the requirements. */
export function tolerance(name: string, requirements: readonly string[]): readonly string[] {
  return requirements.map((requirement) => `${requirement}/${name}`)
}

/** What an operator configures, with these variables too or in place of others. */
export function withVariables(values: Environment): (environment: Environment) => Environment {
  return (environment) => ({ ...environment, ...values })
}

/** What an operator configures, without the variables that match. */
export function withoutVariables(names: RegExp): (environment: Environment) => Environment {
  return (environment) =>
    Object.fromEntries(Object.entries(environment).filter(([name]) => !names.test(name)))
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
