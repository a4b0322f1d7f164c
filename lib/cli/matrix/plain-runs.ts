import type { RunOutcome } from './disagreements.ts'
import { exchangeForms } from './exchange-forms.ts'
import type { Subject } from './subject.ts'

type Forms = ReadonlySet<string>

function isSame(one: Forms, other: Forms): boolean {
  return one.size === other.size && [...one].every((form) => other.has(form))
}

/**
 * The runs that variants are compared with: of the plain deployment, as the operator tells of it. One
 * is made when it is first asked for, and serves all that need the same.
 */
export class PlainRuns {
  readonly #forms = new Map<string, Promise<Forms>>()

  /** What there is to say of a variant in which nothing is sent or answered in another way. */
  async unchanged(
    { plain, services }: Subject,
    { report }: RunOutcome,
    run: (plain: Subject['plain']) => Promise<RunOutcome>,
  ): Promise<string[]> {
    const key = `${plain?.name ?? ''} ${services.join(' ')}`
    const forms =
      this.#forms.get(key) ?? run(plain).then((outcome) => exchangeForms(outcome.report))
    this.#forms.set(key, forms)
    return isSame(await forms, exchangeForms(report))
      ? ['it changes no exchange of a run: it proves nothing']
      : []
  }
}
