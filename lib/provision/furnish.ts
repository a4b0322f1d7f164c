import type { Account } from '../target/target.ts'
import { createAccountFurnisher, type FurnishOptions } from './furnish-accounts.ts'
import type { FurnishPlan } from './furnish-plan.ts'
import { furnishRepositories } from './furnish-repositories.ts'
import type { Survey } from './survey.ts'
import type { Enrolment } from './two-factor.ts'

/** What an environment file tells of. */
export interface Furnished {
  prefix: string
  main: Account
  other: Account
  otp: Account & { enrolment: Enrolment }
}

/**
 * Makes what the plan misses, and renews what cannot be read back: passwords, and the secret of the
 * one-time codes. Stopped or failed at any point, a repeat goes on from there.
 *
 * @throws Refusal, Stopped or TransportError; what was made until then stays
 */
export async function furnish(
  found: Survey,
  plan: FurnishPlan,
  options: FurnishOptions,
): Promise<Furnished> {
  const accounts = createAccountFurnisher(found, options)
  await accounts.assure('main')
  await furnishRepositories(plan, options.client, options.tell)
  // Last, since an environment file of before does not hold any more from here on.
  return {
    prefix: found.prefix,
    main: await accounts.account('main'),
    other: await accounts.account('other'),
    otp: await accounts.otp(),
  }
}
