import type { Refusal } from './http/refusal.ts'

/** Variables for a run, by name. */
export type Environment = Record<string, string>

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
  function where(isSuch: (context: Context) => boolean, change: Change<Rules>): RuleChange<Rules> {
    return (rules) => {
      const documented = rules as Readonly<Record<string, Rule>>
      const changed = Object.entries(changedRules(rules, change) as Record<string, Rule>)
      const rule =
        (name: string, other: Rule): Rule =>
        (...parameters) =>
          (isSuch(parameters.at(-1) as Context) ? other : documented[name])?.(...parameters)
      return Object.fromEntries(
        changed.map(([name, other]) => [name, rule(name, other)]),
      ) as Partial<Rules>
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
  readonly change: (rules: Rules) => Rules
}

/**
 * Faults by what they break: names of requirements of the section, or of other sections of the
 * service with a slash, joined by ` + `; below them what each fault changes, by its name.
 */
export type FaultTable<Rules> = Readonly<
  Record<
    string,
    Readonly<
      Record<string, Change<Rules> | { readonly variant: string; readonly change: Change<Rules> }>
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
      const { variant, change } = ('variant' in fault ? fault : { change: fault }) as {
        variant?: string
        change: Change<Rules>
      }
      return {
        name,
        requirements,
        variant,
        change: (rules) => ({ ...rules, ...changedRules(rules, change) }),
      }
    })
  })
}
