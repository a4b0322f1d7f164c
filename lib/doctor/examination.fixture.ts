import { doctorsOf, loadTarget, secretsOf, servicesOf } from '../cli/services.ts'
import { startReference, type Variant } from '../reference/index.ts'
import { type Examination, examine } from './examine.ts'

/** A request as it came to the deployment. */
export interface SeenRequest {
  method: string
  path: string
  /** Empty where there was none. */
  authorization: string
}

export interface Examined extends Examination {
  seen: SeenRequest[]
  environment: Record<string, string>
  /** Texts of the findings of these kinds. */
  texts(...kinds: string[]): string[]
}

type Environment = Record<string, string>

/** Examines what is told of a deployment that is there. */
export async function examineEnvironment(environment: Environment): Promise<Examination> {
  const loaded = loadTarget({ environment, directory: '/no-such-directory' })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  const { target } = loaded
  const settings = {
    runId: 'test',
    version: 'test',
    target,
    secrets: secretsOf(target),
    embedded: false,
    selected: [],
    checks: [],
  }
  return examine(settings, await doctorsOf(servicesOf(target)))
}

/**
 * Examines a reference deployment.
 *
 * @param change of what is told of it
 */
export async function examineReference(
  variant: Omit<Variant, 'name'> = {},
  change: (environment: Environment) => Environment = (environment) => environment,
): Promise<Examined> {
  const seen: SeenRequest[] = []
  const reference = await startReference({
    variant: {
      name: 'examined',
      ...variant,
      intermediary: () => {
        const before = variant.intermediary?.()
        return async (request, answer) => {
          const { pathname, search } = request.url
          const authorization = request.headers.get('authorization') ?? ''
          seen.push({ method: request.method, path: pathname + search, authorization })
          return before === undefined ? answer(request) : before(request, answer)
        }
      },
    },
  })
  try {
    const environment = change(reference.environment)
    const examination = await examineEnvironment(environment)
    return {
      ...examination,
      seen,
      environment,
      texts: (...kinds) =>
        examination.findings.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text),
    }
  } finally {
    await reference.close()
  }
}

/** Those of the requests that came with the password of an account. */
export function withPasswordOf(
  { seen, environment }: Examined,
  prefix: 'CODE_HOSTING' | 'CODE_HOSTING_OTP' | 'CODE_HOSTING_OTHER' | 'CODE_HOSTING_ADMIN',
): SeenRequest[] {
  const credentials = `${environment[`${prefix}_USERNAME`]}:${environment[`${prefix}_PASSWORD`]}`
  const value = `Basic ${Buffer.from(credentials).toString('base64')}`
  return seen.filter(({ authorization }) => authorization === value)
}
