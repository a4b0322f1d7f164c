/** Cases with the access that the document states, and what sends their requests. */
import { Skip } from '../../../lib/conformance/check-errors.ts'
import { memoized } from '../../../lib/conformance/memoized.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { CodeHostingSettings } from '../variables.ts'
import { type Access, expectedAccess } from './access.ts'
import { accessCases } from './access-table.ts'
import type { Case } from './case.ts'
import { describeCase } from './describe-case.ts'
import type { CaseRequests } from './requests.ts'

/** A case, and the access that the document states. */
export type JudgedCase = { one: Case; access: Access; name: string }

/** Returns the cases that the document describes. */
export const describedCases = (
  cases: readonly Case[],
  settings: CodeHostingSettings,
): JudgedCase[] =>
  cases.flatMap((one) => {
    const access = expectedAccess(one, settings)
    return access ? [{ one, access, name: describeCase(one) }] : []
  })

/** Returns the cases of the table of a run. */
export const tableCases = memoized((target: Parameters<typeof accessCases>[0]) =>
  describedCases(accessCases(target), target.settings),
)

/** Sends the requests of cases. */
export interface CaseSender extends Pick<CaseRequests, 'accountOf' | 'loginOf'> {
  send(one: Case, again?: Parameters<CaseRequests['send']>[1]): Promise<Exchange>
}

/** Returns the reason of a request that cannot be sent. */
export const unlessSkipped = <T>(work: Promise<T>): Promise<T | Skip> =>
  work.catch((error) => {
    if (error instanceof Skip) return error
    throw error
  })
