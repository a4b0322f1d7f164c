import { Inconclusive } from '../conformance/outcome.ts'
import type { Exchange, ProbeRequest } from '../probe/exchange.ts'

/** A request that met trouble would have been repeated, and it carries a password. */
export class NotRepeated extends Inconclusive {
  constructor({ method, url }: ProbeRequest) {
    super(
      `${method} ${url.href} met trouble on its way, and with a password that may be wrong it is ` +
        'not repeated: try again later',
    )
  }
}

function passwordIn({ credentials }: ProbeRequest): string | undefined {
  const isBasic = credentials?.kind === 'authorization' && credentials.value.startsWith('Basic ')
  return isBasic ? credentials.value : undefined
}

/**
 * Keeps requests with a password from being repeated until it is seen to be right: the trouble may
 * be that it is wrong, and accounts get locked.
 *
 * @param exchanges all that there were so far
 * @returns what is asked before each attempt; it throws `NotRepeated`
 */
export function passwordsOnce(
  exchanges: () => readonly Exchange[],
): (request: ProbeRequest) => void {
  const sent = new WeakSet<ProbeRequest>()
  return (request) => {
    const password = passwordIn(request)
    if (password === undefined) return
    const isAccepted = () =>
      exchanges().some((one) => one.status === 200 && passwordIn(one.request) === password)
    if (sent.has(request) && !isAccepted()) throw new NotRepeated(request)
    sent.add(request)
  }
}
